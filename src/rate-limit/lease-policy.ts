import { type RateLimit, tokensPerSecond } from './token-bucket.js';

/** Most tokens of a lease, and the largest share of the bucket. */
const MAX_TOKENS = 64;
const MAX_SHARE = 1 / 16;
/** Longest time of a lease, and the largest share of the time in which a bucket refills. */
export const MAX_LEASE_MS = 500;
const MAX_TIME_SHARE = 1 / 32;

/** How many tokens of a bucket a process may lease, and for how long. */
export interface LeasePolicy {
  tokens: number;
  ms: number;
  tokensPerSecond: number;
  /**
   * Size of the shared bucket: smaller than the limit by what refills during a lease. In no stretch of time can more be
   * spent than the limit allows, though leased tokens are spent later than they were taken.
   */
  size: number;
}

/** Undefined for buckets so small that leases would matter. */
export function leasePolicyOf(limit: RateLimit, maxLeaseMs = MAX_LEASE_MS): LeasePolicy | undefined {
  const tokens = Math.min(MAX_TOKENS, Math.floor(limit.amount * MAX_SHARE));
  if (tokens < 2) return undefined;
  const ms = Math.min(maxLeaseMs, limit.seconds * 1000 * MAX_TIME_SHARE);
  const perSecond = tokensPerSecond(limit);
  return { tokens, ms, tokensPerSecond: perSecond, size: limit.amount - (perSecond * ms) / 1000 };
}
