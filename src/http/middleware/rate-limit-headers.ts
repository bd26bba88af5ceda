import type { Response } from 'express';
import { tooManyRequests } from '../../errors/errors.js';
import type { RateLimitState } from '../../rate-limit/rate-limiter.js';

/** Sets RateLimit and RateLimit-Policy, by draft-ietf-httpapi-ratelimit-headers-11. */
export function setRateLimitHeaders(res: Response, states: RateLimitState[]): void {
  if (states.length === 0) return;
  res.set('RateLimit-Policy', states.map(policyItem).join(', '));
  res.set('RateLimit', states.map(limitItem).join(', '));
}

const policyItem = ({ policy, unit, limit }: RateLimitState): string =>
  `"${policy}";q=${limit.amount}${unit === 'requests' ? '' : `;qu="${unit}"`};w=${limit.seconds}`;

const limitItem = ({ policy, remaining, resetSeconds }: RateLimitState): string =>
  `"${policy}";r=${remaining};t=${resetSeconds}`;

/**
 * Rejects a rate-limited request with Retry-After.
 *
 * @throws DomainError `too_many_requests`
 */
export function rejectRateLimited(res: Response, refusal: RateLimitState): never {
  res.set('Retry-After', String(refusal.resetSeconds));
  throw tooManyRequests(sentenceFor(refusal));
}

const SUBJECTS: Record<string, string> = {
  key: 'Too many requests with this API key',
  tenant: 'Too many requests for this tenant',
  address: 'Too many requests from this address',
  'key-suggestions': 'Too many suggestions with this API key',
  'tenant-suggestions': 'Too many suggestions for this tenant',
  'address-suggestions': 'Too many suggestions from this address',
  'key-bytes': 'Too much was sent with this API key',
  'tenant-bytes': 'Too much was sent for this tenant',
  'address-bytes': 'Too much was sent from this address',
  'failed-keys': 'Too many requests without a valid API key from this address',
};

function sentenceFor({ policy, unit, limit, resetSeconds }: RateLimitState): string {
  const amount = `${limit.amount}${unit === 'requests' ? '' : ' bytes'}`;
  return `${SUBJECTS[policy]}: at most ${amount} in ${inSeconds(limit.seconds)}. Try again in ${inSeconds(resetSeconds)}.`;
}

const inSeconds = (seconds: number): string => (seconds === 1 ? '1 second' : `${seconds} seconds`);
