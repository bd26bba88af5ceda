import type { Logger } from 'pino';
import type { Database } from '../../db/schema.js';
import type { Config } from '../config.js';
import type { ChunkIndex } from '../search/chunk-index.js';
import { withMeaning } from '../search/embedding/hybrid.js';
import { createLiveModel } from '../search/embedding/live-model.js';
import { createQuestionEmbedder } from '../search/embedding/question-embedder.js';
import { createCircuitBreaker } from '../search/model-endpoint/circuit-breaker.js';

/** An index that searches by meaning, too, where embeddings are configured. */
export function addMeaning(
  index: ChunkIndex,
  { embedding, searchMode }: Pick<Config, 'embedding' | 'searchMode'>,
  { db, searchDb, stopping, log }: { db: Database; searchDb: Database; stopping: AbortSignal; log: Logger },
): ChunkIndex {
  if (!embedding) return index;
  const { endpoint, searchTimeoutMs: timeoutMs } = embedding;
  const messages = {
    opened: 'questions are not embedded; searches go by words alone',
    closed: 'questions are embedded again',
  };
  const breaker = createCircuitBreaker({ timeoutMs, messages, stopping, log });
  return withMeaning(index, {
    db: searchDb,
    liveModel: createLiveModel(db),
    embedder: createQuestionEmbedder({ apiKey: endpoint.apiKey, breaker }),
    defaultMode: searchMode,
  });
}
