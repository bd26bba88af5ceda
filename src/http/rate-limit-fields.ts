import type { Response } from 'express';
import type { Standing } from '../access/limits/limiter.js';
import { tooManyRequests } from '../errors.js';

/** Tells a client how it stands with its limits, as draft-ietf-httpapi-ratelimit-headers-11 has it. */
export function tellStandings(res: Response, standings: Standing[]): void {
  if (standings.length === 0) return;
  res.set('RateLimit-Policy', standings.map(policyItem).join(', '));
  res.set('RateLimit', standings.map(limitItem).join(', '));
}

const policyItem = ({ policy, unit, limit }: Standing): string =>
  `"${policy}";q=${limit.amount}${unit === 'requests' ? '' : `;qu="${unit}"`};w=${limit.seconds}`;

const limitItem = ({ policy, available, seconds }: Standing): string =>
  `"${policy}";r=${available};t=${seconds}`;

/**
 * Refuses a request that may be sent again later.
 *
 * @throws DomainError `too_many_requests`
 */
export function refuseForNow(res: Response, refusal: Standing): never {
  res.set('Retry-After', String(refusal.seconds));
  throw tooManyRequests(sentenceFor(refusal));
}

const SUBJECTS: Record<string, string> = {
  key: 'Too many requests with this API key',
  tenant: 'Too many requests for this tenant',
  address: 'Too many requests from this address',
  'key-bytes': 'Too much was sent with this API key',
  'tenant-bytes': 'Too much was sent for this tenant',
  'address-bytes': 'Too much was sent from this address',
  'failed-keys': 'Too many requests without a valid API key from this address',
};

function sentenceFor({ policy, unit, limit, seconds }: Standing): string {
  const amount = `${limit.amount}${unit === 'requests' ? '' : ' bytes'}`;
  return `${SUBJECTS[policy]}: at most ${amount} in ${inSeconds(limit.seconds)}. Try again in ${inSeconds(seconds)}.`;
}

const inSeconds = (seconds: number): string => (seconds === 1 ? '1 second' : `${seconds} seconds`);
