/** Upper bounds of the buckets of a latency, in milliseconds; the last bucket has what is above all of them. */
export const LATENCY_BOUNDS_MS = [
  1, 2, 5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 2_000, 5_000, 10_000,
] as const;
export const BUCKET_COUNT = LATENCY_BOUNDS_MS.length + 1;

/** Where a latency is counted. */
export function bucketOf(ms: number): number {
  const place = LATENCY_BOUNDS_MS.findIndex((bound) => ms <= bound);
  return place === -1 ? LATENCY_BOUNDS_MS.length : place;
}

/**
 * A quantile of counted latencies, as if those of a bucket were spread evenly over it.
 *
 * @returns null where nothing was counted; the highest bound for what is above it
 */
export function quantileMs(buckets: readonly number[], share: number): number | null {
  const total = buckets.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = share * total;
  let below = 0;
  for (const [place, count] of buckets.entries()) {
    const to = LATENCY_BOUNDS_MS[place];
    if (to === undefined) break;
    if (count > 0 && below + count >= wanted) {
      const from = LATENCY_BOUNDS_MS[place - 1] ?? 0;
      return from + ((to - from) * (wanted - below)) / count;
    }
    below += count;
  }
  return LATENCY_BOUNDS_MS.at(-1) as number;
}
