import { expect, test } from 'vitest';
import { countByTenth } from './precision.js';

test('the best ten documents of each query are counted in the tenth of their score', () => {
  const judgements = new Map([
    [
      'q1',
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
    ],
    ['q2', new Map([['c', 1]])],
    ['without an answer', new Map([['d', 1]])],
  ]);
  const run = new Map([
    [
      'q1',
      [
        { document: 'a', score: 1 },
        { document: 'x', score: 0.95 },
        { document: 'b', score: 0.31 },
      ],
    ],
    ['q2', Array.from({ length: 12 }, (_, i) => ({ document: i === 11 ? 'c' : `y${i}`, score: 0 }))],
  ]);
  const tenths = countByTenth(judgements, run);
  expect(tenths).toHaveLength(10);
  expect(tenths.filter(({ hits }) => hits > 0)).toEqual([
    { from: 0, hits: 10, relevant: 0 },
    { from: 0.3, hits: 1, relevant: 1 },
    { from: 0.9, hits: 2, relevant: 1 },
  ]);
});
