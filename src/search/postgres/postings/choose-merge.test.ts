import { expect, test } from 'vitest';
import { chooseMerge, FULL_SEGMENT, SMALL_SEGMENT } from './choose-merge.js';

const segment = (id: number, length: number, dead = 0, isOverdue = false) => ({
  id,
  chunks: 1_000,
  dead,
  isOverdue,
  length,
});
const choose = (...segments: ReturnType<typeof segment>[]) => chooseMerge(segments).map(({ id }) => id);

test('leaves a single segment, and those that are much smaller than the next', () => {
  expect(choose()).toEqual([]);
  expect(choose(segment(1, 5_000))).toEqual([]);
  expect(choose(segment(1, 4_000_000), segment(2, 900_000), segment(3, 200_000))).toEqual([]);
});

test('merges small segments always', () => {
  expect(choose(segment(1, 900_000), segment(2, SMALL_SEGMENT), segment(3, 100))).toEqual([2, 3]);
});

test('merges a segment with the smaller ones when these are together three times as long', () => {
  const size = 200_000;
  expect(choose(segment(1, size), segment(2, size), segment(3, size))).toEqual([]);
  expect(choose(segment(1, size), segment(2, size), segment(3, size), segment(4, size))).toEqual([
    1, 2, 3, 4,
  ]);
  expect(
    choose(segment(9, 3_000_000), segment(1, size), segment(2, size), segment(3, size), segment(4, size)),
  ).toEqual([1, 2, 3, 4]);
});

test('leaves full segments', () => {
  const full = [1, 2, 3, 4, 5].map((id) => segment(id, FULL_SEGMENT));
  expect(choose(...full)).toEqual([]);
});

test('rewrites a segment of which a fifth is dead, with all that are smaller', () => {
  expect(choose(segment(1, FULL_SEGMENT, 200))).toEqual([]);
  expect(choose(segment(1, FULL_SEGMENT, 201))).toEqual([1]);
  expect(choose(segment(1, FULL_SEGMENT), segment(2, 900_000, 201), segment(3, 200_000))).toEqual([2, 3]);
});

test('rewrites a segment that has had anything dead for too long, with all that are smaller', () => {
  const [large, overdue, small] = [
    segment(1, 7_000_000, 1),
    segment(2, 6_000_000, 1, true),
    segment(3, 90_000),
  ];
  expect(chooseMerge([small, large, overdue])).toEqual([overdue, small]);
});

test('rewrites a small segment as soon as anything in it is dead', () => {
  expect(choose(segment(1, 5_000, 1))).toEqual([1]);
});

test('ends: what is merged has the length of its parts', () => {
  let segments = Array.from({ length: 300 }, (_, id) => segment(id, 100_000));
  let rewritten = 0;
  for (let next = 300; ; next++) {
    const merged = chooseMerge(segments);
    if (merged.length === 0) break;
    const length = merged.reduce((sum, one) => sum + one.length, 0);
    rewritten += length;
    segments = [...segments.filter((one) => !merged.includes(one)), segment(next, length)];
  }
  expect(segments.length).toBeLessThan(12);
  expect(rewritten).toBeLessThan(5 * 300 * 100_000);
});
