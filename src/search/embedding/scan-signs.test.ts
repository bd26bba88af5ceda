import { expect, test } from 'vitest';
import { createRandom } from '../../../bench/support/random.js';
import { runAtOnce } from '../../async/steps.js';
import { TopChunks } from '../postgres/postings/top-chunks.js';
import { countWords } from './binary-vectors.js';
import { VECTORS_AT_ONCE } from './compare-signs.js';
import { scanSigns } from './scan-signs.js';

const CHUNKS = [1, 700, 2 * VECTORS_AT_ONCE + 300, VECTORS_AT_ONCE];
const COUNT = 100;

test.each([1, 8, 64, 70, 96, 384, 768, 1_000, 1_024, 1_536, 8_192])(
  'of vectors of %i dimensions, those are found that have most signs in common one by one',
  (dimensions) => {
    const { next } = createRandom(dimensions);
    const size = countWords(dimensions);
    const fill = (words: Uint32Array) =>
      words.map((_, i) => {
        const used = dimensions - 32 * (i % size);
        return used < 32 ? next() * 2 ** Math.max(used, 0) : next() * 2 ** 32;
      });
    const question = fill(new Uint32Array(size));
    const countEqual = (words: Uint32Array, start: number) => {
      let equal = 0;
      for (let bit = 0; bit < 32 * size; bit++) {
        const word = bit >>> 5;
        const different = (words[start + word] as number) ^ (question[word] as number);
        if (((different >>> (bit & 31)) & 1) === 0) equal++;
      }
      return equal;
    };
    const segments = CHUNKS.map((chunks, id) => {
      const words = fill(new Uint32Array(chunks * size));
      const found = new Uint8Array(chunks).map(() => Number(next() < 0.9));
      const equal = new Float32Array(chunks).map((_, i) => countEqual(words, i * size));
      return { id, chunks, words, found, equal };
    });
    const some = new Map(
      segments.slice(1).map(({ id, chunks }) => {
        const all = Uint32Array.from({ length: chunks }, (_, ordinal) => ordinal);
        return [id, all.filter(() => next() < 0.3)];
      }),
    );
    const few = new Map([[2, Uint32Array.of(3, VECTORS_AT_ONCE, 2 * VECTORS_AT_ONCE + 299)]]);
    for (const ordinals of [undefined, some, few]) {
      const top = new TopChunks(COUNT);
      for (const { id, chunks, found, equal } of segments) {
        const counted = ordinals ? new Set(ordinals.get(id)) : undefined;
        const values = equal.map((value, i) => (found[i] && counted?.has(i) !== false ? value : 0));
        for (let ordinal = 0; ordinal < chunks; ordinal++) top.add(id, ordinal, values[ordinal] as number);
      }
      expect(runAtOnce(scanSigns(segments, question, COUNT, ordinals))).toEqual(top.finish());
    }
  },
);
