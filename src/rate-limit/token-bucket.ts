/** So much at once, filled up again evenly in so many seconds. */
export interface RateLimit {
  amount: number;
  seconds: number;
}

/** What somebody wants of one bucket. */
export interface Take {
  bucket: string;
  limit: RateLimit;
  /** May be more than there is: then the bucket is in debt, and nobody gets anything until that is paid off. */
  amount: number;
  /** What must be there for that. */
  minTokens: number;
}

export interface TakeResult {
  granted: boolean;
  /** What is in each bucket now, in the order of the takes; below zero is a debt. */
  tokens: number[];
}

/** Where buckets are kept. Each has a name and is full until somebody takes from it. */
export interface BucketStore {
  /** Takes from all of the buckets, or from none when one does not have what is needed. */
  take(takes: Take[]): Promise<TakeResult>;
  /** Forgets the buckets that are full again. */
  sweep(): Promise<void>;
}

/** Takes in any case, also what is not there. */
export const ALLOW_DEBT = Number.NEGATIVE_INFINITY;

/** Sums of fractions are never quite right. */
export const ROUNDING_TOLERANCE = 1e-6;

export const tokensPerSecond = ({ amount, seconds }: RateLimit): number => amount / seconds;

/** In how many seconds a bucket that holds `tokens` has at least `wanted`. */
export const secondsUntil = (wanted: number, tokens: number, limit: RateLimit): number =>
  Math.max(0, (wanted - tokens) / tokensPerSecond(limit));

/** The same in whole seconds for clients, at least one. */
export const wholeSecondsUntil = (wanted: number, tokens: number, limit: RateLimit): number =>
  Math.max(1, Math.ceil(secondsUntil(wanted, tokens, limit)));
