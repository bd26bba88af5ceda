import { expect, test } from 'vitest';
import { fuseScores } from './fuse.js';

const candidates = [
  { chunkId: 'a', score: 0.8 },
  { chunkId: 'b', score: 0.4 },
  { chunkId: 'c', score: 0.2 },
];

test('the score is the mean of the share of the best and of the place between the cosines', () => {
  const cosines = new Map([
    ['a', 0.1],
    ['b', 0.9],
    ['c', 0.5],
  ]);
  expect(fuseScores(candidates, cosines)).toEqual([
    { chunkId: 'b', score: 0.75 },
    { chunkId: 'a', score: 0.5 },
    { chunkId: 'c', score: 0.375 },
  ]);
});

test('a candidate without a vector keeps its share of the best', () => {
  const cosines = new Map([
    ['a', 0.3],
    ['c', 0.7],
  ]);
  expect(fuseScores(candidates, cosines)).toEqual([
    { chunkId: 'c', score: 0.625 },
    { chunkId: 'a', score: 0.5 },
    { chunkId: 'b', score: 0.5 },
  ]);
});

test('cosines that are all the same change nothing', () => {
  expect(fuseScores(candidates, new Map([['b', 0.4]])).map(({ chunkId }) => chunkId)).toEqual([
    'a',
    'b',
    'c',
  ]);
});
