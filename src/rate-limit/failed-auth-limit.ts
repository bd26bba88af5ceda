import { MemoryBuckets } from './memory-store.js';
import type { RateLimitState } from './rate-limiter.js';
import { type RateLimit, wholeSecondsUntil } from './token-bucket.js';

const POLICY = 'failed-keys';

export type FailedAuthLimit = ReturnType<typeof createFailedAuthLimit>;

/** Rate limit of failed authentications per client address. Per process. */
export function createFailedAuthLimit(limit: RateLimit) {
  const buckets = new MemoryBuckets();
  const take = (address: string, amount: number) =>
    buckets.take([{ bucket: address, limit, amount, minTokens: 1 }]);
  return { exceededLimit, countFailure };

  /** The state of the limit if an address has exceeded it. */
  function exceededLimit(address: string): RateLimitState | undefined {
    const { granted, tokens } = take(address, 0);
    if (granted) return undefined;
    const seconds = wholeSecondsUntil(1, tokens[0] ?? 0, limit);
    return { policy: POLICY, unit: 'requests', limit, remaining: 0, resetSeconds: seconds };
  }

  function countFailure(address: string): void {
    take(address, 1);
  }
}
