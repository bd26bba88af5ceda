import { expect, test } from 'vitest';
import { bm25, type CorpusStatistics, type QueryTerms, weighQuery } from './bm25.js';
import { B, K1, PAIR_WEIGHT } from './weights.js';

const corpus = { size: 100, averageLength: 10, frequencies: [5, 5] };
const query: QueryTerms = { terms: ['parental', 'leave'], counts: [1, 1], pairs: [], pairCounts: [] };
const chunk = (counts: number[], { length = 10, pairCounts = [0] } = {}) => ({ length, counts, pairCounts });
const score = (asked: QueryTerms, statistics: CorpusStatistics, chunks: ReturnType<typeof chunk>[]) =>
  bm25(weighQuery(asked, statistics), statistics, chunks);

test('scores by how often the terms occur and how long the chunk is', () => {
  const one = { terms: ['leave'], counts: [1], pairs: [], pairCounts: [] };
  const [found] = score(one, { ...corpus, frequencies: [5] }, [chunk([2], { length: 20 })]);
  // The only term weighs all.
  expect(found).toBeCloseTo(2 / (2 + K1 * (1 - B + B * 2)), 12);
});

test('gives the rarer term more weight', () => {
  const statistics = { ...corpus, frequencies: [2, 50] };
  const [rare = 0, common = 0] = score(query, statistics, [chunk([1, 0]), chunk([0, 1])]);
  // Inverse frequencies: ln(1 + 98.5 / 2.5) and ln(1 + 50.5 / 50.5).
  expect(rare / common).toBeCloseTo(Math.log(40.4) / Math.log(2), 12);
});

test('gives repeated query terms more weight', () => {
  const [twice = 0, once = 0] = score({ ...query, counts: [2, 1] }, corpus, [chunk([1, 0]), chunk([0, 1])]);
  // (2 + 1) 2 / (2 + 2), against 1.
  expect(twice / once).toBeCloseTo(1.5, 12);
});

test('adds pairs of neighbours, by the rarer of their words and as often as they are asked for', () => {
  const statistics = { ...corpus, frequencies: [5, 20] };
  const asked: QueryTerms = { ...query, pairs: [[0, 1]], pairCounts: [2] };
  const { terms, pairs } = weighQuery(asked, statistics);
  expect(pairs).toEqual([2 * PAIR_WEIGHT * (terms[0] ?? 0)]);
  const [apart = 0, together = 0] = score(asked, statistics, [
    chunk([1, 1]),
    chunk([1, 1], { pairCounts: [1] }),
  ]);
  expect(together).toBeGreaterThan(apart);
});

test('scores from 0 to 1', () => {
  const [none, much = 0] = score({ ...query, counts: [9, 1], pairs: [[0, 1]], pairCounts: [1] }, corpus, [
    chunk([0, 0]),
    chunk([1_000, 1_000], { length: 1, pairCounts: [1_000] }),
  ]);
  expect(none).toBe(0);
  expect(much).toBeGreaterThan(0.9);
  expect(much).toBeLessThan(1);
});

test('takes the best option of a choice, a synonym for no more than its share', () => {
  const options = [
    { terms: [0, 1], pairs: [0] },
    { terms: [2], pairs: [], share: 0.5 },
    { terms: [3], pairs: [], share: 0.5 },
  ];
  const asked: QueryTerms = {
    ...{
      terms: ['heart', 'attack', 'infarct', 'mi'],
      counts: [1, 1, 1, 1],
      pairs: [[0, 1]],
      pairCounts: [1],
    },
    choices: [options],
  };
  const statistics = { ...corpus, frequencies: [50, 50, 1, 1] };
  const rank = (counts: number[], pairCounts = [0]) => chunk(counts, { pairCounts });
  const [own = 0, half = 0, synonym = 0, two = 0] = score(asked, statistics, [
    rank([1, 1, 0, 0], [1]),
    rank([1, 0, 0, 0]),
    rank([0, 0, 1, 0]),
    rank([0, 0, 1, 1]),
  ]);
  expect(own).toBeCloseTo(1 / (1 + K1), 12);
  expect(synonym).toBeCloseTo(own / 2, 12);
  expect(two).toBe(synonym);
  expect(half).toBeLessThan(synonym);
  // Where the question's own words are nowhere, nothing else is a perfect match.
  const unknown = { ...statistics, frequencies: [0, 0, 1, 0] };
  expect(score(asked, unknown, [rank([0, 0, 1, 0])])[0]).toBeCloseTo(1 / (1 + K1), 12);
});
