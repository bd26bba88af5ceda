import { expect, test } from 'vitest';
import type { Candidate } from '../chunk-index.js';
import { fuseScores, scoreByMeaning } from './fuse.js';

const SCALE = { unrelated: 0.2, related: 0.6 };
const found = [
  { chunkId: 'a', score: 0.8 },
  { chunkId: 'b', score: 0.4 },
  { chunkId: 'c', score: 0.2 },
];
const ids = (candidates: Candidate[]) => candidates.map(({ chunkId }) => chunkId);
const scoreOf = (chunkId: string, candidates: Candidate[]) =>
  candidates.find((one) => one.chunkId === chunkId)?.score;
const logOddsOf = (score: number) => Math.log(score / (1 - score));

test('the parts of a score add up to its log odds, and the order is theirs', () => {
  const cosines = new Map([
    ['a', 0.1],
    ['b', 0.9],
    ['d', 0.5],
  ]);
  const fused = fuseScores(found, cosines, SCALE);
  expect(ids(fused)).toEqual(['b', 'a', 'c', 'd']);
  expect(fused.map(({ words, meaning }) => ({ words, meaning }))).toEqual([
    { words: 0.4, meaning: 0.9 },
    { words: 0.8, meaning: 0.1 },
    { words: 0.2, meaning: undefined },
    { words: 0, meaning: 0.5 },
  ]);
  for (const { score, logOdds } of fused) {
    const { base = 0, words = 0, meaning = 0 } = logOdds ?? {};
    expect(logOddsOf(score)).toBeCloseTo(base + words + meaning, 9);
  }
  expect(fused.map(({ score }) => score)).toEqual(fused.map(({ score }) => score).toSorted((x, y) => y - x));
});

test('other candidates change no score', () => {
  const alone = fuseScores([{ chunkId: 'b', score: 0.4 }], new Map([['b', 0.5]]), SCALE);
  const among = fuseScores(
    found,
    new Map([
      ['b', 0.5],
      ['d', 0.95],
      ['e', -0.3],
    ]),
    SCALE,
  );
  expect(scoreOf('b', among)).toBe(scoreOf('b', alone));
});

test('a better cosine and more of the words each make a better score', () => {
  const score = (words: number, cosine: number) =>
    fuseScores([{ chunkId: 'a', score: words }], new Map([['a', cosine]]), SCALE)[0]?.score ?? 0;
  expect(score(0.4, 0.5)).toBeGreaterThan(score(0.4, 0.4));
  expect(score(0.5, 0.4)).toBeGreaterThan(score(0.4, 0.4));
  expect(score(1, 1)).toBeLessThanOrEqual(1);
  expect(score(0, -1)).toBeGreaterThanOrEqual(0);
});

test('models with other cosines for the same meaning give the same score', () => {
  const near = fuseScores(found, new Map([['b', 0.5]]), { unrelated: 0.2, related: 0.6 });
  const narrow = fuseScores(found, new Map([['b', 0.875]]), { unrelated: 0.8, related: 0.9 });
  expect(scoreOf('b', narrow)).toBeCloseTo(scoreOf('b', near) ?? 0, 9);
});

test('a text without a vector counts as one whose cosine is that of an answer', () => {
  const [without] = fuseScores([{ chunkId: 'a', score: 0.4 }], new Map(), SCALE);
  const [related] = fuseScores([{ chunkId: 'a', score: 0.4 }], new Map([['a', 0.6]]), SCALE);
  expect(without?.score).toBeCloseTo(related?.score ?? 0, 9);
  expect(without).not.toHaveProperty('meaning');
});

test('a model that tells nothing apart does not divide by nothing', () => {
  const [same] = fuseScores(found, new Map([['a', 0.5]]), { unrelated: 0.5, related: 0.5 });
  expect(same?.score).toBeGreaterThan(0);
});

test('by meaning alone the order is that of the cosines', () => {
  const scored = scoreByMeaning(
    new Map([
      ['a', -0.1],
      ['b', 0.4],
    ]),
    SCALE,
  );
  expect(scored.map(({ chunkId, meaning, words }) => ({ chunkId, meaning, words }))).toEqual([
    { chunkId: 'b', meaning: 0.4, words: undefined },
    { chunkId: 'a', meaning: -0.1, words: undefined },
  ]);
  for (const { score, logOdds } of scored) {
    expect(logOddsOf(score)).toBeCloseTo((logOdds?.base ?? 0) + (logOdds?.meaning ?? 0), 9);
  }
});
