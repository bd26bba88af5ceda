import { expect, test } from 'vitest';
import { orderByScores } from './order-by-scores.js';

const candidates = [
  { chunkId: 'a', score: 0.8 },
  { chunkId: 'b', score: 0.6 },
  { chunkId: 'c', score: 0.5 },
  { chunkId: 'd', score: 0.25 },
];

test('probabilities are the scores, and what has none comes after them', () => {
  const scores = new Map([
    ['a', 0.2],
    ['c', 0.9],
  ]);
  expect(orderByScores(candidates, scores)).toEqual([
    { chunkId: 'c', score: 0.9, rerank: 0.9 },
    { chunkId: 'a', score: 0.2, rerank: 0.2 },
    { chunkId: 'b', score: 0.6 * 0.2 },
    { chunkId: 'd', score: 0.25 * 0.2 },
  ]);
});

test('logits become probabilities', () => {
  const scores = new Map([
    ['a', -1],
    ['b', 0],
    ['c', 800],
    ['d', -800],
  ]);
  const expected = [1, 0.5, 1 / (1 + Math.E), 0];
  const ordered = orderByScores(candidates, scores);
  expect(ordered.map(({ chunkId }) => chunkId)).toEqual(['c', 'b', 'a', 'd']);
  expect(ordered.map(({ rerank }) => rerank)).toEqual([800, 0, -1, -800]);
  for (const [i, { score }] of ordered.entries()) expect(score).toBeCloseTo(expected[i] as number, 12);
});

test('equal scores keep the order', () => {
  const scores = new Map(candidates.map(({ chunkId }) => [chunkId, 0.5]));
  expect(orderByScores(candidates, scores).map(({ chunkId }) => chunkId)).toEqual(['a', 'b', 'c', 'd']);
});
