/** Upper bounds of the buckets of a latency, in milliseconds; the last bucket has what is above all of them. */
export const LATENCY_BOUNDS_MS = [
  1, 2, 5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 2_000, 5_000, 10_000,
] as const;
export const BUCKET_COUNT = LATENCY_BOUNDS_MS.length + 1;

/** Where a latency is counted. */
export function bucketOf(ms: number, bounds: readonly number[] = LATENCY_BOUNDS_MS): number {
  const place = bounds.findIndex((bound) => ms <= bound);
  return place === -1 ? bounds.length : place;
}

/**
 * A quantile of counted latencies, as if those of a bucket were spread evenly over it.
 *
 * @returns null where nothing was counted; the highest bound for what is above it
 */
export function quantileMs(
  buckets: readonly number[],
  share: number,
  bounds: readonly number[] = LATENCY_BOUNDS_MS,
): number | null {
  const total = buckets.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = share * total;
  let below = 0;
  for (const [place, count] of buckets.entries()) {
    const to = bounds[place];
    if (to === undefined) break;
    if (count > 0 && below + count >= wanted) {
      const from = bounds[place - 1] ?? 0;
      return from + ((to - from) * (wanted - below)) / count;
    }
    below += count;
  }
  return bounds.at(-1) as number;
}
