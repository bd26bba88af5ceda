import {
  type BucketStore,
  ROUNDING_TOLERANCE,
  secondsUntil,
  type Take,
  type TakeResult,
  tokensPerSecond,
} from './token-bucket.js';

interface Bucket {
  tokens: number;
  updatedMs: number;
  fullMs: number;
}

/** Sweep only above this many buckets. */
const FIRST_SWEEP = 1_000;

/** In-memory buckets of this process. Full buckets are dropped, so that memory stays bounded. */
export class MemoryBuckets {
  readonly #buckets = new Map<string, Bucket>();
  #sweepAt = FIRST_SWEEP;

  /** @param now monotonic clock, in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  take(takes: readonly Take[]): TakeResult {
    const now = this.now();
    const levels = takes.map((take) => this.#level(take, now));
    const granted = takes.every(({ minTokens }, i) => (levels[i] ?? 0) >= minTokens - ROUNDING_TOLERANCE);
    if (!granted) return { granted, tokens: levels };
    const tokens = takes.map(({ amount }, i) => (levels[i] ?? 0) - amount);
    takes.forEach(({ bucket, limit }, i) => {
      const left = tokens[i] ?? 0;
      const fullMs = now + 1000 * secondsUntil(limit.amount, left, limit);
      this.#buckets.set(bucket, { tokens: left, updatedMs: now, fullMs });
    });
    if (this.#buckets.size > this.#sweepAt) this.sweep();
    return { granted, tokens };
  }

  sweep(): void {
    const now = this.now();
    for (const [name, { fullMs }] of this.#buckets) if (fullMs <= now) this.#buckets.delete(name);
    this.#sweepAt = Math.max(FIRST_SWEEP, 2 * this.#buckets.size);
  }

  get size(): number {
    return this.#buckets.size;
  }

  #level({ bucket, limit }: Take, now: number): number {
    const held = this.#buckets.get(bucket);
    if (!held) return limit.amount;
    return Math.min(limit.amount, held.tokens + (tokensPerSecond(limit) * (now - held.updatedMs)) / 1000);
  }
}

/** Per-process buckets: n servers allow n times as much. */
export const createMemoryBucketStore = (buckets = new MemoryBuckets()): BucketStore => ({
  take: async (takes) => buckets.take(takes),
  // biome-ignore lint/correctness/useYield: none of it is rows of a database.
  async *sweep() {
    buckets.sweep();
  },
  stop: async () => {},
});
