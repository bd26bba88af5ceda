import { expect, test } from 'vitest';
import { bm25 } from './bm25.js';

const corpus = { size: 100, averageLength: 10, frequencies: [5, 5] };
const query = { terms: ['parental', 'leave'], pairs: [] };
const chunk = (positions: number[][], length = 10) => ({ length, positions });

test('scores by how rare the terms are, how often they occur, and how long the chunk is', () => {
  const [score] = bm25({ terms: ['leave'], pairs: [] }, { size: 100, averageLength: 10, frequencies: [5] }, [
    chunk([[1, 4]], 20),
  ]);
  // The only term weighs all: 2 / (2 + 1.4 (1 - 0.85 + 0.85 * 20 / 10)).
  expect(score).toBeCloseTo(2 / (2 + 1.4 * 1.85), 12);
});

test('gives the rarer term more weight', () => {
  const statistics = { ...corpus, frequencies: [2, 50] };
  const [rare = 0, common = 0] = bm25(query, statistics, [chunk([[0], []]), chunk([[], [0]])]);
  // Inverse frequencies: ln(1 + 98.5 / 2.5) and ln(1 + 50.5 / 50.5).
  expect(rare / common).toBeCloseTo(Math.log(40.4) / Math.log(2), 12);
});

test('gives repeated query terms more weight', () => {
  const [twice = 0, once = 0] = bm25({ ...query, counts: [2, 1] }, corpus, [
    chunk([[0], []]),
    chunk([[], [0]]),
  ]);
  // (2 + 1) 2 / (2 + 2), against 1.
  expect(twice / once).toBeCloseTo(1.5, 12);
});

test('ranks chunks with adjacent query terms first', () => {
  const scores = bm25({ ...query, pairs: [[0, 1]] }, corpus, [chunk([[3], [4]]), chunk([[4], [3]])]);
  expect(scores[0]).toBeGreaterThan(scores[1] ?? 0);
});

test('scores from 0 to 1', () => {
  const often = Array.from({ length: 1_000 }, (_, i) => i);
  const [none, much = 0] = bm25({ ...query, counts: [9, 1], pairs: [[0, 1]] }, corpus, [
    chunk([[], []]),
    chunk([often, often], 1),
  ]);
  expect(none).toBe(0);
  expect(much).toBeGreaterThan(0.9);
  expect(much).toBeLessThan(1);
});
