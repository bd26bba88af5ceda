import { expect, test } from 'vitest';
import { limitsOfAll, limitsOfPage } from './read-limits.js';

test('small datasets are read as a whole, and large ones share what is left', () => {
  const limits = limitsOfPage(new Map(Object.entries({ large: 900_000, small: 10, larger: 1_000_000 })));
  expect(Object.fromEntries(limits)).toEqual({ small: 10, large: 24_995, larger: 24_995 });
  expect(limitsOfPage(new Map([['one', 49_999]]))).toEqual(new Map([['one', 49_999]]));
  expect(limitsOfPage(new Map())).toEqual(new Map());
});

test('of many datasets, at least one document each is read', () => {
  expect(limitsOfAll(['a', 'b'])).toEqual(
    new Map([
      ['a', 10_000],
      ['b', 10_000],
    ]),
  );
  const most = Array.from({ length: 30_000 }, String);
  expect(new Set(limitsOfAll(most).values())).toEqual(new Set([1]));
});
