import { expect, test } from 'vitest';
import { runAtOnce } from '../../async/steps.js';
import { countTermsInSteps } from './count-terms.js';

function count(terms: string[], tokens: string, pairs: [number, number][] = []) {
  const query = { terms, counts: terms.map(() => 1), pairs, pairCounts: pairs.map(() => 1) };
  const [counted] = runAtOnce(countTermsInSteps(query, [{ chunkId: 'chunk', length: 9, terms: tokens }]));
  return [counted?.counts, counted?.pairCounts];
}

test('counts whole words', () => {
  expect(count(['heron', 'ron'], 'heron herons heron her on ron')).toEqual([[2, 1], []]);
  expect(count(['heron'], '')).toEqual([[0], []]);
});

test('counts a word that repeats itself', () => {
  expect(count(['a'], 'a a a')).toEqual([[3], []]);
});

test('counts characters and pairs of unspaced scripts wherever they are', () => {
  expect(count(['款', '退款', '退退'], 'api 退款退款 退退退')).toEqual([[2, 2, 2], []]);
});

test('counts pairs of neighbours in their order', () => {
  const pair: [number, number][] = [[0, 1]];
  expect(count(['parental', 'leave'], 'parental leave and leave parental leave', pair)).toEqual([
    [2, 3],
    [2],
  ]);
  expect(count(['parental', 'leave'], 'leave parental', pair)).toEqual([[1, 1], [0]]);
  expect(count(['a', 'a'], 'a a a', pair)).toEqual([[3, 3], [2]]);
});
