import type { Candidate } from '../chunk-index.js';
import { bm25, type CorpusStatistics, type QueryTerms, weighQuery } from './bm25.js';
import type { CountedChunk } from './count-terms.js';

/** Ranks chunks by BM25 with pairs. Best first; those without any term of the query are left out. */
export function rankChunks(terms: QueryTerms, corpus: CorpusStatistics, chunks: CountedChunk[]): Candidate[] {
  const scores = bm25(weighQuery(terms, corpus), corpus, chunks);
  return chunks
    .map(({ chunkId }, i) => ({ chunkId, score: scores[i] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort(bestFirst);
}

export const bestFirst = (a: Candidate, b: Candidate): number =>
  b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1);
