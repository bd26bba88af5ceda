import { describe, expect, test } from 'vitest';
import { highest, linePath, stackBars } from './series';

test('a scale has a top, also of nothing', () => {
  expect([highest([]), highest([null, 0]), highest([3, null, 7])]).toEqual([1, 1, 7]);
});

describe('a line', () => {
  test('goes through all values, the highest at the top', () => {
    expect(linePath([0, 5, 10], 10)).toBe('M0 60h0.01L120 30L240 0');
  });

  test('is interrupted where there is no value', () => {
    expect(linePath([10, null, 10, 0], 10)).toBe('M0 0h0.01M160 0h0.01L240 60');
  });

  test('of nothing is empty', () => {
    expect(linePath([null, null], 1)).toBe('');
  });
});

test('bars stand on those below, and none is drawn for nothing', () => {
  const series = [
    { name: 'ready', tone: 'good', values: [3, 0] },
    { name: 'failed', tone: 'bad', values: [1, 2] },
  ] as const;
  expect(stackBars(series)).toEqual([
    { x: 0, y: 15, width: 96, height: 45, tone: 'good' },
    { x: 0, y: 0, width: 96, height: 15, tone: 'bad' },
    { x: 120, y: 30, width: 96, height: 30, tone: 'bad' },
  ]);
});
