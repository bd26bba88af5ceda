import type { CorpusStatistics, QueryWeights } from '../../ranking/bm25.js';
import { lengthNorm } from '../../ranking/bm25.js';
import type { SegmentChunk } from '../../ranking/read-chunk-terms.js';
import { addScores, type ChunkNorms, mapLengths } from './posting-format.js';
import type { FoundPostings } from './read-postings.js';
import { keepOnly, type SegmentOrdinals, TopChunks } from './top-chunks.js';

/** Reused by all searches: nothing waits between filling and reading them. */
let ofChunks: ChunkNorms = { norms: new Float32Array(0), single: new Float32Array(0) };
let scores = new Float32Array(0);

/**
 * The chunks of some segments with the highest BM25 scores without pairs, best first: exact, but for frequencies above
 * 255. Of equal ones in a segment the shortest, which come first there.
 *
 * @param ordinals of the chunks that count, by segment; all if undefined
 */
export function findBestChunks(
  { segments }: Pick<FoundPostings, 'segments'>,
  weights: QueryWeights,
  corpus: Pick<CorpusStatistics, 'averageLength'>,
  count: number,
  ordinals?: SegmentOrdinals,
): SegmentChunk[] {
  const best = new TopChunks(count);
  for (const { id, chunks, lengths, postings } of segments) {
    const counted = ordinals?.get(id);
    if (postings.size === 0 || (ordinals && !counted)) continue;
    if (chunks > scores.length) {
      ofChunks = { norms: new Float32Array(chunks), single: new Float32Array(chunks) };
      scores = new Float32Array(chunks);
    }
    mapLengths(lengths, ofChunks.norms, (length) => lengthNorm(length, corpus));
    mapLengths(lengths, ofChunks.single, (length) => 1 / (1 + lengthNorm(length, corpus)));
    scores.fill(0, 0, chunks);
    for (const [place, list] of postings) addScores(list, weights.terms[place] ?? 0, ofChunks, scores);
    if (counted) keepOnly(scores, chunks, counted);
    best.collect(id, scores, chunks);
  }
  return best.finish();
}
