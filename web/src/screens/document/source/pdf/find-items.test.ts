import { expect, test } from 'vitest';
import { findItems } from './find-items';

test('lines are found whatever stands between their words', () => {
  const items = ['The deposit is', 'paid back within', 'thirty days.', 'Rent', '押金将在', '三十天内退还。'];
  expect(findItems(items, '**The deposit** is paid back within thirty-days.')).toEqual([0, 1, 2]);
  expect(findItems(items, '押金将在三十天内退还。')).toEqual([4, 5]);
  expect(findItems(items, 'Rent')).toEqual([]);
  expect(findItems([], 'The deposit is paid')).toEqual([]);
});
