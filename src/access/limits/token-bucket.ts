/** So much at once, filled up again evenly in so many seconds. */
export interface Limit {
  amount: number;
  seconds: number;
}

/** What somebody wants of one bucket. */
export interface Take {
  bucket: string;
  limit: Limit;
  /** May be more than there is: then the bucket is in debt, and nobody gets anything until that is paid off. */
  amount: number;
  /** What must be there for that. */
  needs: number;
}

export interface Taken {
  granted: boolean;
  /** What is in each bucket now, in the order of the takes; below zero is a debt. */
  tokens: number[];
}

/** Where buckets are kept. Each has a name and is full until somebody takes from it. */
export interface BucketStore {
  /** Takes from all of the buckets, or from none when one does not have what is needed. */
  take(takes: Take[]): Promise<Taken>;
  /** Forgets the buckets that are full again. */
  sweep(): Promise<void>;
}

/** Takes in any case, also what is not there. */
export const WHATEVER_IS_THERE = Number.NEGATIVE_INFINITY;

/** Sums of fractions are never quite right. */
export const TOLERANCE = 1e-6;

export const rateOf = ({ amount, seconds }: Limit): number => amount / seconds;

/** In how many seconds a bucket that holds `tokens` has at least `wanted`. */
export const secondsUntil = (wanted: number, tokens: number, limit: Limit): number =>
  Math.max(0, (wanted - tokens) / rateOf(limit));

/** The same in whole seconds for clients, at least one. */
export const wholeSeconds = (wanted: number, tokens: number, limit: Limit): number =>
  Math.max(1, Math.ceil(secondsUntil(wanted, tokens, limit)));
