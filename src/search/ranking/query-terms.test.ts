import { expect, test } from 'vitest';
import { parseQuery } from './query-terms.js';

const parse = (text: string) => parseQuery({ text, language: 'english' });

test('a query has its distinct terms and pairs, and how often each occurs', () => {
  expect(parse('parental leave, parental leave policy')).toEqual({
    terms: ['parent', 'leav', 'polici'],
    counts: [2, 2, 1],
    pairs: [
      [0, 1],
      [1, 0],
      [1, 2],
    ],
    pairCounts: [2, 1, 1],
  });
  expect(parse('a '.repeat(5_000))).toEqual({
    terms: ['a'],
    counts: [1_500],
    pairs: [[0, 0]],
    pairCounts: [1_499],
  });
});

test('a query has at most 128 terms and 128 pairs', () => {
  const words = Array.from({ length: 40 }, (_, i) => `w${i}`);
  const everyPair = words.flatMap((a) => words.map((b) => `${a} ${b}`)).join(' ');
  const { terms, pairs, pairCounts } = parse(everyPair);
  expect([terms.length, pairs.length, pairCounts.length]).toEqual([40, 128, 128]);
  expect(parse(Array.from({ length: 500 }, (_, i) => `w${i}`).join(' ')).terms).toHaveLength(128);
});
