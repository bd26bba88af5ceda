import type { Logger } from 'pino';
import type { Database } from '../../db/schema.js';
import type { Config } from '../config/config.js';
import { createCircuitBreaker } from '../model-endpoint/circuit-breaker.js';
import type { ChunkIndex } from '../search/chunk-index.js';
import { withReranking } from '../search/reranking/with-reranking.js';

/** An index whose best candidates a cross-encoder orders, where one is configured. */
export function addReranking(
  index: ChunkIndex,
  { reranking }: Pick<Config, 'reranking'>,
  { searchDb: db, stopping, log }: { searchDb: Database; stopping: AbortSignal; log: Logger },
): ChunkIndex {
  if (!reranking) return index;
  const { endpoint, timeoutMs } = reranking;
  const messages = {
    opened: 'searches are not reranked',
    closed: 'searches are reranked again',
  };
  const breaker = createCircuitBreaker({ timeoutMs, messages, stopping, log });
  return withReranking(index, { db, endpoint, breaker });
}
