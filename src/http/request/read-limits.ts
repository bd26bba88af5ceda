import type { RateLimitedClient, RateLimiter } from '../../rate-limit/rate-limiter.js';
import type { StreamCounter } from '../../rate-limit/stream-limit.js';
import type { LimitsInUse } from '../../routers/index.js';

/** What the rate limits and streams of a caller leave. */
export type ReadLimits = (caller: RateLimitedClient) => Promise<LimitsInUse>;

interface Limits {
  limiter: Pick<RateLimiter, 'read'>;
  streams: Pick<StreamCounter, 'read'>;
}

export const createReadLimits =
  ({ limiter, streams }: Limits): ReadLimits =>
  async (caller) => {
    const states = await limiter.read(caller);
    return {
      rates: states.map(({ policy, unit, limit, remaining, resetSeconds }) => ({
        policy,
        unit,
        remaining,
        resetSeconds,
        amount: limit.amount,
        seconds: limit.seconds,
      })),
      streams: streams.read(caller),
    };
  };
