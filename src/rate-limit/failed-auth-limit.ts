import type { IsValidKey } from '../auth/valid-key-cache.js';
import { MemoryBuckets } from './memory-store.js';
import type { RateLimitState } from './rate-limiter.js';
import { type RateLimit, wholeSecondsUntil } from './token-bucket.js';

const POLICY = 'failed-keys';

export interface FailedAuthLimitOptions {
  limit: RateLimit;
  isValidKey: IsValidKey;
  now?: () => number;
}

export type FailedAuthLimit = ReturnType<typeof createFailedAuthLimit>;

/**
 * Rate limit of failed authentications per client address, to protect the database from floods of invalid
 * keys. Per process.
 *
 * Valid keys are never rejected: clients that share an address (NAT, proxy) must not lock each other out.
 */
export function createFailedAuthLimit({ limit, isValidKey, now }: FailedAuthLimitOptions) {
  const buckets = new MemoryBuckets(now);
  return { exceededLimit, countFailure };

  /** The exceeded limit of an address; undefined if the request may proceed. */
  async function exceededLimit(
    address: string,
    key: string | undefined,
  ): Promise<RateLimitState | undefined> {
    const { granted, tokens } = buckets.take([{ bucket: address, limit, amount: 0, minTokens: 1 }]);
    if (granted || (key !== undefined && (await isValidKey(key)))) return undefined;
    const seconds = wholeSecondsUntil(1, tokens[0] ?? 0, limit);
    return { policy: POLICY, unit: 'requests', limit, remaining: 0, resetSeconds: seconds };
  }

  function countFailure(address: string): void {
    buckets.take([{ bucket: address, limit, amount: 1, minTokens: 1 }]);
  }
}
