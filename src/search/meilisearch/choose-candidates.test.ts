import { expect, test } from 'vitest';
import { chooseCandidates } from './choose-candidates.js';

const term = (name: string, weight: number, frequency: number) => ({ term: name, weight, frequency });

test('groups matches by the two terms with the most weight that they hold', () => {
  const terms = [term('rare', 8, 30), term('some', 5, 300), term('many', 3, 900), term('most', 1, 5_000)];
  expect(chooseCandidates(terms, { size: 10_000, wanted: 20, count: 200 })).toEqual({
    // Of 30 chunks with the rare term about 1 has some, 3 many and 15 most.
    groups: [
      ['terms IN ["rare"] AND terms IN ["some","many","most"]'],
      ['terms IN ["rare"]', 'terms IN ["some"] AND terms IN ["many"]'],
    ],
    others: ['terms IN ["rare","some","many","most"]'],
  });
});

test('puts chunks with a rare term first, whatever else they hold', () => {
  const terms = [term('common', 1, 600), term('rare', 7, 1)];
  expect(chooseCandidates(terms, { size: 1_000, wanted: 1, count: 200 })).toEqual({
    groups: [['terms IN ["rare"]']],
    others: ['terms IN ["rare","common"]'],
  });
});

test('gives up where the chunks that are as good as those wanted are more than can be ranked', () => {
  // Of 10,000 chunks 10 hold the rare term, 1 besides another one; the next best are 900 that hold both others.
  const terms = [term('rare', 8, 10), term('some', 2, 3_000), term('many', 1, 3_000)];
  const options = { size: 10_000, count: 200 };
  expect(chooseCandidates(terms, { ...options, wanted: 10 })).toBeDefined();
  expect(chooseCandidates(terms, { ...options, wanted: 20 })).toBeUndefined();
  expect(chooseCandidates(terms, { ...options, wanted: 20, count: 1_000 })).toBeDefined();
});

test('pairs no Chinese pair with its own characters', () => {
  const terms = [term('合同', 6, 20), term('合', 3, 100), term('同', 2, 200), term('租', 4, 60)];
  const chosen = chooseCandidates(terms, { size: 1_000, wanted: 20, count: 200 });
  expect(chosen?.groups[0]).toEqual([
    'terms IN ["z0hjm0hjq"]',
    'terms IN ["z0pge"] AND terms IN ["z0hjm","z0hjq"]',
  ]);
});
