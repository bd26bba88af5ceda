import type { Prune } from '../../db/prune.js';

/** A bucket of `amount` tokens that refills evenly in `seconds`. */
export interface RateLimit {
  amount: number;
  seconds: number;
}

/** A request for tokens of one bucket. */
export interface Take {
  bucket: string;
  limit: RateLimit;
  /** May exceed the level: then the bucket goes into debt. */
  amount: number;
  /** The minimum level required. */
  minTokens: number;
  /** Whether a process may lease tokens of the bucket. Then the minimum is the amount. */
  isLeasable?: boolean;
}

export interface TakeResult {
  granted: boolean;
  /** Level of each bucket, in the order of the takes; negative is debt. */
  tokens: number[];
}

/** Storage of named buckets; a new bucket is full. */
export interface BucketStore {
  /** Takes from all buckets, or from none if one is below its minimum. */
  take(takes: Take[]): Promise<TakeResult>;
  /** Deletes full buckets. */
  sweep(): Prune;
  /** Returns what is leased. */
  stop(): Promise<void>;
}

/** No minimum: may go into debt. */
export const ALLOW_DEBT = Number.NEGATIVE_INFINITY;

/** Tolerance for floating-point rounding. */
export const ROUNDING_TOLERANCE = 1e-6;

export const tokensPerSecond = ({ amount, seconds }: RateLimit): number => amount / seconds;

/** Seconds until a bucket with `tokens` holds `wanted`. */
export const secondsUntil = (wanted: number, tokens: number, limit: RateLimit): number =>
  Math.max(0, (wanted - tokens) / tokensPerSecond(limit));

/** The same in whole seconds for clients, at least one. */
export const wholeSecondsUntil = (wanted: number, tokens: number, limit: RateLimit): number =>
  Math.max(1, Math.ceil(secondsUntil(wanted, tokens, limit)));
