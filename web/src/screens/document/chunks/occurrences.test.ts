import { expect, test } from 'vitest';
import { occurrencesOf } from './occurrences';

test('finds a part in upper and lower case', () => {
  expect(occurrencesOf('Deposit', 'The deposit. DEPOSITS')).toEqual([
    [4, 11],
    [13, 20],
  ]);
  expect(occurrencesOf('aa', 'aaaaa')).toEqual([
    [0, 2],
    [2, 4],
  ]);
  expect(occurrencesOf('滤网', '咖啡机的滤网')).toEqual([[4, 6]]);
});

test('marks nothing where nothing is searched, or places are not those of the text', () => {
  expect(occurrencesOf('', 'text')).toEqual([]);
  expect(occurrencesOf('x', 'İx')).toEqual([]);
});
