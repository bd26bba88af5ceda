import { describe, expect, test } from 'vitest';
import { BUCKET_COUNT, bucketOf, LATENCY_BOUNDS_MS, quantileMs } from './histogram.js';

const bucketsOf = (...latencies: number[]) => {
  const buckets = Array<number>(BUCKET_COUNT).fill(0);
  for (const ms of latencies) buckets[bucketOf(ms)]! += 1;
  return buckets;
};

test('a latency belongs to the first bucket whose bound it does not exceed', () => {
  expect([0, 1, 1.01, 100, 100.5, 10_000, 10_001, 1e9].map((ms) => bucketOf(ms))).toEqual([
    0,
    0,
    1,
    LATENCY_BOUNDS_MS.indexOf(100),
    LATENCY_BOUNDS_MS.indexOf(150),
    LATENCY_BOUNDS_MS.length - 1,
    LATENCY_BOUNDS_MS.length,
    LATENCY_BOUNDS_MS.length,
  ]);
});

describe('a quantile', () => {
  test('of nothing is not known', () => {
    expect(quantileMs(bucketsOf(), 0.5)).toBeNull();
  });

  test('lies within its bucket', () => {
    const buckets = bucketsOf(4, 4, 4, 4, 60, 60, 400, 400, 400, 400);
    expect(quantileMs(buckets, 0.5)).toBeCloseTo(62.5);
    expect(quantileMs(buckets, 0.95)).toBeCloseTo(475);
    expect(quantileMs(buckets, 0.4)).toBeCloseTo(5);
    expect(quantileMs(buckets, 1)).toBeCloseTo(500);
  });

  test('above the highest bound is that bound', () => {
    expect(quantileMs(bucketsOf(60_000), 0.5)).toBe(10_000);
  });
});
