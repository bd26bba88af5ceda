import { expect, test } from 'vitest';
import { createPostingCache } from './posting-cache.js';

const list = (length: number, count = 1) => ({ bytes: Buffer.alloc(length), start: 0, end: length, count });

test('lists are found by tenant, term and segment', () => {
  const cache = createPostingCache();
  const long = list(5_000);
  cache.known('acme', [7]).keep(3, 1, long);
  const known = cache.known('acme', [8, 7]);
  expect([known.segmentIds, known.places]).toEqual([[3], [2]]);
  expect(known.find(3, 2)).toBe(long);
  expect([known.find(3, 1), known.find(4, 2)]).toEqual([undefined, undefined]);
  expect(cache.known('globex', [7]).segmentIds).toEqual([]);
});

test('short lists are not kept, nor those that would take the place of many', () => {
  const cache = createPostingCache();
  const known = cache.known('acme', [7]);
  known.keep(1, 1, list(4_095));
  known.keep(2, 1, list(4 * 2 ** 20 + 1));
  expect(cache.known('acme', [7]).segmentIds).toEqual([]);
});

test('the least recently used lists are forgotten first', () => {
  const cache = createPostingCache(15_000);
  const known = cache.known('acme', [7, 8]);
  known.keep(1, 1, list(5_000));
  known.keep(2, 1, list(5_000));
  known.keep(1, 2, list(5_000));
  known.keep(1, 1, list(5_000));
  known.keep(2, 2, list(5_000));
  const left = cache.known('acme', [7, 8]);
  expect([left.segmentIds, left.places]).toEqual([
    [1, 1, 2],
    [1, 2, 2],
  ]);
});

test('a list can be replaced, and forgotten', () => {
  const cache = createPostingCache(15_000);
  const known = cache.known('acme', [7]);
  for (let i = 0; i < 10; i++) known.keep(1, 1, list(5_000, i));
  expect(cache.known('acme', [7]).find(1, 1)?.count).toBe(9);
  known.forget(1, 1);
  expect(cache.known('acme', [7]).segmentIds).toEqual([]);
  known.forget(1, 1);
});
