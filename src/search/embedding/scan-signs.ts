import type { Steps } from '../../async/steps.js';
import { type SegmentOrdinals, TopChunks } from '../postgres/postings/top-chunks.js';
import type { SegmentChunk } from '../ranking/read-chunk-terms.js';
import { findAlike, VECTORS_AT_ONCE } from './compare-signs.js';
import type { CachedSegment } from './vector-cache.js';

/** Words that are compared in one step: one or two milliseconds. */
const WORDS_OF_STEP = 2_000_000;

/**
 * The chunks whose vectors have most signs in common with a question's, best first; those without a vector are left out.
 *
 * @param question as `packSigns` packs it
 * @param ordinals of the chunks that count, by segment; all if undefined
 */
export function* scanSigns(
  segments: CachedSegment[],
  question: Uint32Array,
  count: number,
  ordinals?: SegmentOrdinals,
): Steps<SegmentChunk[]> {
  const top = new TopChunks(count);
  const size = question.length;
  let compared = 0;
  for (const { id, chunks, words, found } of segments) {
    if (ordinals && !ordinals.has(id)) continue;
    const counts = ordinals ? mask(found, ordinals.get(id) as Uint32Array) : found;
    for (let first = 0; first < chunks; first += VECTORS_AT_ONCE) {
      const some = words.subarray(first * size, Math.min(first + VECTORS_AT_ONCE, chunks) * size);
      findAlike(question, some, top.threshold, (index, equal) => {
        if (counts[first + index]) top.add(id, first + index, equal);
      });
      compared += some.length;
      if (compared < WORDS_OF_STEP) continue;
      compared = 0;
      yield;
    }
  }
  return top.finish();
}

/** Of the chunks of a segment those that are found and have one of the ordinals. */
function mask(found: Uint8Array, ordinals: Uint32Array): Uint8Array {
  const kept = new Uint8Array(found.length);
  for (const ordinal of ordinals) kept[ordinal] = found[ordinal] as number;
  return kept;
}
