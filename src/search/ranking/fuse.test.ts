import { expect, test } from 'vitest';
import { fuseScores, scoreByMeaning } from './fuse.js';

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
    { chunkId: 'b', score: 0.75, words: 0.5, meaning: 0.9 },
    { chunkId: 'a', score: 0.5, words: 1, meaning: 0.1 },
    { chunkId: 'c', score: 0.375, words: 0.25, meaning: 0.5 },
  ]);
});

test('a candidate without a vector keeps its share of the best', () => {
  const cosines = new Map([
    ['a', 0.3],
    ['c', 0.7],
  ]);
  expect(fuseScores(candidates, cosines)).toEqual([
    { chunkId: 'c', score: 0.625, words: 0.25, meaning: 0.7 },
    { chunkId: 'a', score: 0.5, words: 1, meaning: 0.3 },
    { chunkId: 'b', score: 0.5, words: 0.5 },
  ]);
});

test('cosines that are all the same change nothing', () => {
  expect(fuseScores(candidates, new Map([['b', 0.4]])).map(({ chunkId }) => chunkId)).toEqual([
    'a',
    'b',
    'c',
  ]);
});

test('a candidate by meaning alone has half of the score at most', () => {
  const cosines = new Map([
    ['a', 0.5],
    ['d', 0.9],
  ]);
  expect(fuseScores(candidates, cosines)).toEqual([
    { chunkId: 'a', score: 0.5, words: 1, meaning: 0.5 },
    { chunkId: 'b', score: 0.5, words: 0.5 },
    { chunkId: 'd', score: 0.5, words: 0, meaning: 0.9 },
    { chunkId: 'c', score: 0.25, words: 0.25 },
  ]);
  expect(fuseScores([], new Map([['d', 0.9]]))).toEqual([
    { chunkId: 'd', score: 0.5, words: 0, meaning: 0.9 },
  ]);
});

test('words count less where even the best candidate matches them badly', () => {
  const cosines = new Map([
    ['a', 0.1],
    ['d', 0.9],
  ]);
  expect(fuseScores([{ chunkId: 'a', score: 0.1 }], cosines)).toEqual([
    { chunkId: 'd', score: 0.5, words: 0, meaning: 0.9 },
    { chunkId: 'a', score: 0.1, words: 0.2, meaning: 0.1 },
  ]);
});

test('by meaning alone the score is the cosine', () => {
  const cosines = new Map([
    ['a', -0.1],
    ['b', 0.4],
  ]);
  expect(scoreByMeaning(cosines)).toEqual([
    { chunkId: 'b', score: 0.4, meaning: 0.4 },
    { chunkId: 'a', score: 0, meaning: -0.1 },
  ]);
});
