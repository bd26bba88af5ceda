import type { CorpusStatistics, QueryWeights } from '../ranking/bm25.js';
import { lengthNorm } from '../ranking/bm25.js';
import type { SegmentChunk } from '../ranking/read-chunk-terms.js';
import { addScores, type ChunkNorms, mapLengths } from './posting-format.js';
import type { FoundPostings } from './read-postings.js';

/** Reused by all searches: nothing waits between filling and reading them. */
let ofChunks: ChunkNorms = { norms: new Float32Array(0), single: new Float32Array(0) };
let scores = new Float32Array(0);

/**
 * The chunks of some segments with the highest BM25 scores without pairs, best first: exact, but for frequencies above
 * 255. Of equal ones in a segment the shortest, which come first there.
 */
export function findBestChunks(
  { segments }: Pick<FoundPostings, 'segments'>,
  weights: QueryWeights,
  corpus: Pick<CorpusStatistics, 'averageLength'>,
  count: number,
): SegmentChunk[] {
  const best = new BestChunks(count);
  for (const { id, chunks, lengths, postings } of segments) {
    if (postings.size === 0) continue;
    if (chunks > scores.length) {
      ofChunks = { norms: new Float32Array(chunks), single: new Float32Array(chunks) };
      scores = new Float32Array(chunks);
    }
    mapLengths(lengths, ofChunks.norms, (length) => lengthNorm(length, corpus));
    mapLengths(lengths, ofChunks.single, (length) => 1 / (1 + lengthNorm(length, corpus)));
    scores.fill(0, 0, chunks);
    for (const [place, list] of postings) addScores(list, weights.terms[place] ?? 0, ofChunks, scores);
    best.collect(id, scores, chunks);
  }
  return best.finish();
}

/**
 * Collects whatever beats the threshold; when twice as many are there as are wanted, the better half stays and raises
 * it.
 */
class BestChunks {
  #found: (SegmentChunk & { score: number })[] = [];
  #threshold = 0;

  constructor(readonly count: number) {}

  collect(segmentId: number, values: Float32Array, chunks: number): void {
    for (let ordinal = 0; ordinal < chunks; ordinal++) {
      const score = values[ordinal] as number;
      if (score <= this.#threshold) continue;
      this.#found.push({ segmentId, ordinal, score });
      if (this.#found.length === 2 * this.count) this.#keepBest();
    }
  }

  finish(): SegmentChunk[] {
    this.#keepBest();
    return this.#found;
  }

  #keepBest(): void {
    this.#found = this.#found.sort((a, b) => b.score - a.score || a.ordinal - b.ordinal).slice(0, this.count);
    if (this.#found.length === this.count) this.#threshold = this.#found.at(-1)?.score ?? 0;
  }
}
