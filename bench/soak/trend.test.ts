import { expect, test } from 'vitest';
import { fitLine, isGrowing } from './trend.js';

const minutes = (count: number, value: (minute: number) => number) =>
  Array.from({ length: count }, (_, minute): [number, number] => [minute / 60, value(minute)]);
/** Between -1 and 1, of no pattern. */
const noise = (n: number) => (Math.imul(n + 1, 2_654_435_761) >>> 0) / 2 ** 31 - 1;
const tolerance = { share: 0.02, amount: 1 };

test('a line is found', () => {
  const { mean, perHour, error } = fitLine(minutes(61, (minute) => 100 + minute));
  expect([mean, perHour, error].map((value) => Math.round(value * 1e6) / 1e6)).toEqual([130, 60, 0]);
});

test('what grows slowly below noise is found in hours', () => {
  const leak = (count: number) => fitLine(minutes(count, (minute) => 100 + minute / 10 + 20 * noise(minute)));
  expect(isGrowing(leak(8 * 60), tolerance)).toBe(true);
});

test('noise, steps down and growth within the tolerance are flat', () => {
  for (const value of [
    (minute: number) => 100 + 20 * noise(minute),
    (minute: number) => (minute < 100 ? 120 : 100),
    (minute: number) => 100 + minute / 60,
  ]) {
    expect(isGrowing(fitLine(minutes(8 * 60, value)), tolerance)).toBe(false);
  }
});
