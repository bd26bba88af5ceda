import { expect, test } from 'vitest';
import { countEqualBits, countWords, packSigns } from './binary-vectors.js';

test('the equal bits of vectors with a question are counted, whatever is in the last word', () => {
  const vectors = [
    Array.from({ length: 70 }, (_, i) => (i % 2 === 0 ? 0.1 : -0.1)),
    Array.from({ length: 70 }, () => -0.2),
    Array.from({ length: 70 }, () => 0.2),
  ];
  const size = countWords(70);
  const words = new Uint32Array(3 * size);
  for (const [i, vector] of vectors.entries()) packSigns(Float32Array.from(vector), words, i * size);
  const question = new Uint32Array(size);
  packSigns(Int8Array.from(vectors[0] as number[], Math.sign), question);
  const counts = new Float32Array(3);
  countEqualBits(question, words, 0, counts);
  const unused = 96 - 70;
  expect([...counts]).toEqual([70 + unused, 35 + unused, 35 + unused]);
  const last = new Float32Array(1);
  countEqualBits(question, words, 2, last);
  expect([...last]).toEqual([35 + unused]);
});
