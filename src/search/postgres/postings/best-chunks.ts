import { setImmediate } from 'node:timers/promises';
import type { CorpusStatistics, QueryWeights } from '../../ranking/bm25.js';
import { lengthNorm } from '../../ranking/bm25.js';
import type { SegmentChunk } from '../../ranking/read-chunk-terms.js';
import { addScores, type ChunkNorms, mapLengths } from './posting-format.js';
import type { FoundPostings } from './read-postings.js';
import { keepOnly, type SegmentOrdinals, TopChunks } from './top-chunks.js';

/** Scored and collected in some milliseconds. */
const CHUNKS_OF_STEP = 1_000_000;

/** Reused by all searches: nothing waits between filling and reading them. */
let ofChunks: ChunkNorms = { norms: new Float32Array(0), single: new Float32Array(0) };
let scores = new Float32Array(0);

interface Scored {
  segments: FoundPostings['segments'];
  weights: QueryWeights;
  corpus: Pick<CorpusStatistics, 'averageLength'>;
  /** Of the chunks that count, by segment; all if undefined. */
  ordinals?: SegmentOrdinals | undefined;
}

/**
 * The chunks of some segments with the highest BM25 scores without pairs, best first: exact, but for frequencies above
 * 255. Of equal ones in a segment the shortest, which come first there. Other work of the event loop runs in between.
 */
export async function findBestChunks(asked: Scored, count: number): Promise<SegmentChunk[]> {
  const best = new TopChunks(count);
  let unyielded = 0;
  for (const { id, chunks } of scoreSegments(asked)) {
    best.collect(id, scores, chunks);
    unyielded += chunks;
    if (unyielded < CHUNKS_OF_STEP) continue;
    unyielded = 0;
    await setImmediate();
  }
  return best.finish();
}

/** All chunks that have a word of the query. */
export function findMatching(asked: Scored): SegmentOrdinals {
  const found = new Map<number, Uint32Array>();
  for (const { id, chunks } of scoreSegments(asked)) {
    const ordinals = new Uint32Array(chunks);
    let count = 0;
    for (let i = 0; i < chunks; i++) if ((scores[i] as number) > 0) ordinals[count++] = i;
    if (count > 0) found.set(id, ordinals.slice(0, count));
  }
  return found;
}

/** Fills `scores` with those of one segment after the other. */
function* scoreSegments({ segments, weights, corpus, ordinals }: Scored) {
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
    yield { id, chunks };
  }
}
