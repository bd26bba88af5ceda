import { expect, test } from 'vitest';
import { evaluate, measureRanking } from './measures.js';

test('measures a ranking of graded documents', () => {
  const grades = new Map([
    ['a', 3],
    ['b', 1],
    ['c', 2],
  ]);
  // Gain: 1 / log2(3) + 3 / log2(5) + 2 / log2(8) = 0.6309 + 1.2920 + 0.6667.
  // Ideal: 3 / log2(2) + 2 / log2(3) + 1 / log2(4) = 3 + 1.2619 + 0.5.
  expect(measureRanking(grades, ['x', 'b', 'y', 'a', 'z', 'w', 'c'])).toEqual({
    recallAt5: 2 / 3,
    recallAt10: 1,
    ndcgAt10: expect.closeTo(2.5896 / 4.7619, 4),
    mrrAt10: 1 / 2,
  });
});

test('passes over a document that is named again', () => {
  expect(measureRanking(new Map([['b', 1]]), ['a', 'a', 'b'])).toEqual({
    recallAt5: 1,
    recallAt10: 1,
    ndcgAt10: expect.closeTo(1 / Math.log2(3), 12),
    mrrAt10: 1 / 2,
  });
});

test('looks at the first ten', () => {
  const ten = [...'0123456789'];
  const nothing = { recallAt5: 0, recallAt10: 0, ndcgAt10: 0, mrrAt10: 0 };
  expect(measureRanking(new Map([['late', 1]]), [...ten, 'late'])).toEqual(nothing);
  expect(measureRanking(new Map([['9', 1]]), ten)).toEqual({
    recallAt5: 0,
    recallAt10: 1,
    ndcgAt10: expect.closeTo(1 / Math.log2(11), 12),
    mrrAt10: 1 / 10,
  });
});

test('holds an ideal ranking to ten documents, and recall to all', () => {
  const documents = [...'abcdefghijkl'];
  const grades = new Map(documents.map((document) => [document, 1]));
  expect(measureRanking(grades, documents)).toEqual({
    recallAt5: 5 / 12,
    recallAt10: 10 / 12,
    ndcgAt10: 1,
    mrrAt10: 1,
  });
});

test('counts a query that found nothing as zero', () => {
  const judgements = new Map([
    ['found', new Map([['a', 1]])],
    ['missed', new Map([['b', 1]])],
    ['unanswered', new Map([['c', 1]])],
    ['second', new Map([['d', 1]])],
  ]);
  const run = new Map([
    ['found', ['a']],
    ['missed', ['a']],
    ['second', ['a', 'd']],
    ['unjudged', ['a']],
  ]);
  expect(evaluate(judgements, run)).toEqual({
    recallAt5: 2 / 4,
    recallAt10: 2 / 4,
    ndcgAt10: expect.closeTo((1 + 1 / Math.log2(3)) / 4, 12),
    mrrAt10: 1.5 / 4,
  });
});
