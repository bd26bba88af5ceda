import { describe, expect, test } from 'vitest';
import { compareWith, quantize, toUnitLength } from './vectors.js';

const unit = (...values: number[]) => toUnitLength(Float32Array.from(values)) as Float32Array;

test('a vector is made one of unit length', () => {
  expect([...unit(3, 0, -4)].map((value) => value.toFixed(4))).toEqual(['0.6000', '0.0000', '-0.8000']);
});

describe('a vector without direction is none', () => {
  test.each([
    ['zeros', [0, 0]],
    ['what is not a number', [1, Number.NaN]],
    ['what is not finite', [1, Number.POSITIVE_INFINITY]],
  ])('%s', (_, values) => {
    expect(toUnitLength(Float32Array.from(values))).toBeUndefined();
  });
});

test('a quantized vector keeps its angles to a few thousandths', () => {
  let seed = 7;
  const draw = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647 - 0.5;
  };
  for (let i = 0; i < 50; i++) {
    const [a, b] = [0, 1].map(() => unit(...Array.from({ length: 384 }, draw))) as [
      Float32Array,
      Float32Array,
    ];
    const exact = a.reduce((sum, value, place) => sum + value * (b[place] as number), 0);
    expect(Math.abs(compareWith(a)(quantize(b)) - exact)).toBeLessThan(0.005);
  }
  const one = unit(0.2, -1, 0.7);
  expect(compareWith(one)(quantize(one))).toBeCloseTo(1, 2);
  expect(quantize(one).bytes).toHaveLength(3);
});

test('a text that is near all others is no nearer to a question than its answer', () => {
  // All texts have most of the first element, and the question and its answer the second.
  const center = [0.9, 0, 0];
  const [question, answer, other] = [unit(0.85, 0.5, 0), unit(0.7, 0.55, 0.42), unit(0.99, 0.14, 0)];
  const [plain, centered] = [compareWith(question), compareWith(question, center)];
  expect(plain(quantize(answer))).toBeLessThan(plain(quantize(other)));
  expect(centered(quantize(answer))).toBeGreaterThan(centered(quantize(other)));
  expect(centered(quantize(question))).toBeCloseTo(1, 2);
});
