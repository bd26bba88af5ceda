import { expect, test } from 'vitest';
import { countWords, packSigns } from './binary-vectors.js';
import { findAlike } from './compare-signs.js';

test('vectors are found that equal a question in more than so many bits, whatever is in the last word', () => {
  const vectors = [
    Array.from({ length: 70 }, (_, i) => (i % 2 === 0 ? 0.1 : -0.1)),
    Array.from({ length: 70 }, () => -0.2),
    Array.from({ length: 70 }, () => 0.2),
  ];
  const size = countWords(70);
  const words = new Uint32Array(3 * size);
  for (const [i, vector] of vectors.entries())
    packSigns(Float32Array.from(vector), words, { start: i * size });
  const question = new Uint32Array(size);
  packSigns(Int8Array.from(vectors[0] as number[], Math.sign), question);
  const equal = (least: number) => {
    const found: [number, number][] = [];
    findAlike(question, words, least, (...one) => found.push(one));
    return found;
  };
  const unused = 128 - 70;
  const [all, half] = [70 + unused, 35 + unused];
  expect([equal(0), equal(half - 1), equal(half), equal(all)]).toEqual([
    [
      [0, all],
      [1, half],
      [2, half],
    ],
    [
      [0, all],
      [1, half],
      [2, half],
    ],
    [[0, all]],
    [],
  ]);
});

test('what all vectors have in common does not count', () => {
  const center = Array.from({ length: 64 }, (_, i) => (i % 3 === 0 ? 0.5 : -0.5));
  const own = (phase: number) => center.map((common, i) => common + 0.01 * Math.cos(i * phase));
  const equal = (other: number[], options: { center?: number[] }) => {
    const question = new Uint32Array(2);
    packSigns(Float32Array.from(own(1)), question, options);
    const words = new Uint32Array(2);
    packSigns(
      Int8Array.from(other, (value) => Math.round(value * 200)),
      words,
      { ...options, scale: 1 / 200 },
    );
    let found = 0;
    findAlike(question, words, 0, (_, equal) => {
      found = equal;
    });
    return found;
  };
  expect([equal(own(1), {}), equal(own(2), {})]).toEqual([64, 64]);
  expect(equal(own(1), { center })).toBeGreaterThan(equal(own(2), { center }) + 16);
});
