import type { Database } from '../../../db/schema.js';
import type { CircuitBreaker } from '../../model-endpoint/circuit-breaker.js';
import { cutQuestion } from '../../model-endpoint/cut-question.js';
import type { ChunkIndex, ChunkQuery, SearchCandidates } from '../chunk-index.js';
import { orderByScores } from '../ranking/order-by-scores.js';
import { type RerankEndpoint, rerankTexts } from './endpoint.js';
import { readTexts } from './read-texts.js';

/** The best candidates, whose texts are sent. */
export const MAX_RERANKED = 50;

export interface RerankingOptions {
  db: Database;
  endpoint: RerankEndpoint;
  breaker: CircuitBreaker;
}

/**
 * Search whose best candidates a cross-encoder orders: a model that reads the question together with each text. Where it
 * does not answer in time, the order stays.
 */
export function withReranking(index: ChunkIndex, { db, endpoint, breaker }: RerankingOptions): ChunkIndex {
  return { engine: index.engine, search, status: index.status };

  async function search(query: ChunkQuery): Promise<SearchCandidates> {
    if (breaker.isOpen()) return notReranked(await index.search(query));
    const limit = Math.max(query.limit, MAX_RERANKED);
    const found = await index.search({ ...query, limit });
    const scores = await scoreBest(query, found);
    // The query's own limit: whether there are more candidates is seen by their number.
    const candidates = (scores ? orderByScores(found.candidates, scores) : found.candidates).slice(
      0,
      query.limit,
    );
    return scores ? { ...found, candidates, isReranked: true } : notReranked({ ...found, candidates });
  }

  function notReranked(found: SearchCandidates): SearchCandidates {
    const reason = breaker.lastFailure();
    const notes = [...(found.notes ?? []), ...(reason ? [`Not reranked: ${reason}`] : [])];
    return { ...found, isReranked: false, notes };
  }

  async function scoreBest(
    query: ChunkQuery,
    { candidates }: SearchCandidates,
  ): Promise<Map<string, number> | undefined> {
    if (candidates.length === 0) return undefined;
    const best = candidates.slice(0, MAX_RERANKED).map(({ chunkId }) => chunkId);
    const texts = await readTexts(db, query, best);
    const sent = best.filter((chunkId) => texts.has(chunkId));
    if (sent.length === 0) return undefined;
    const passages = sent.map((chunkId) => texts.get(chunkId) as string);
    const scores = await breaker.call(
      (signal) => rerankTexts(endpoint, cutQuestion(query.text), passages, signal),
      // As many texts: an endpoint may fail for their number.
      (signal) => rerankTexts(endpoint, '?', Array(sent.length).fill('?'), signal),
    );
    return scores && new Map(sent.map((chunkId, place) => [chunkId, scores[place] as number]));
  }
}
