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
 * Keeps floods of wrong keys away from the database: whoever came without a valid key too often is not looked up any
 * more. Each process counts for itself. It is not there to protect the keys, whose secrets nobody guesses.
 *
 * Genuine keys are heard in any case. Many clients may share an address, behind a proxy or a company's network, and one
 * of them must not be able to shut out the others.
 */
export function createFailedAuthLimit({ limit, isValidKey, now }: FailedAuthLimitOptions) {
  const buckets = new MemoryBuckets(now);
  return { exceededLimit, countFailure };

  /** Why a key, or none, is not heard from an address for now; undefined where it is. */
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
