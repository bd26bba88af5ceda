import { describe, expect, test } from 'vitest';
import { highest, stackBars, sumsOf, toLine } from './series';

test('a scale has a top, also of nothing', () => {
  expect([highest([]), highest([null, 0]), highest([3, null, 7])]).toEqual([1, 1, 7]);
});

describe('a line', () => {
  test('goes through all values, the highest below the room for its number', () => {
    expect(toLine([0, 5, 10], 10)).toEqual({ path: 'M16.67 100L50 57L83.33 14', points: [] });
  });

  test('is interrupted where there is no value, and a value alone is a point', () => {
    expect(toLine([10, null, 10, 0], 10)).toEqual({
      path: 'M62.5 14L87.5 100',
      points: [{ x: 12.5, y: 14 }],
    });
    expect(toLine([null, 5, null], 10)).toEqual({ path: '', points: [{ x: 50, y: 57 }] });
  });

  test('of nothing is empty', () => {
    expect(toLine([null, null], 1)).toEqual({ path: '', points: [] });
  });
});

test('bars stand on those below, and none is drawn for nothing', () => {
  const series = [
    { name: 'ready', tone: 'good', values: [3, 0] },
    { name: 'failed', tone: 'bad', values: [1, 2] },
  ] as const;
  expect(sumsOf(series)).toEqual([4, 2]);
  expect(stackBars(series)).toEqual([
    [
      { y: 35.5, height: 64.5, tone: 'good' },
      { y: 14, height: 21.5, tone: 'bad' },
    ],
    [{ y: 57, height: 43, tone: 'bad' }],
  ]);
});
