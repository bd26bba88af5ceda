import type { Logger } from 'pino';
import type { Database } from '../../db/schema.js';
import type { Config } from '../config.js';
import type { ChunkIndex } from '../search/chunk-index.js';
import { withMeaning } from '../search/embedding/hybrid.js';
import { createLiveModel } from '../search/embedding/live-model.js';
import { createQuestionEmbedder } from '../search/embedding/question-embedder.js';
import { createVectorCache } from '../search/embedding/vector-cache.js';
import { createCircuitBreaker } from '../search/model-endpoint/circuit-breaker.js';

/** Most chunks whose vectors a search of a server waits for, while they are read into memory. */
const MAX_CHUNKS_AWAITED = 2_000;

interface MeaningDependencies {
  searchDb: Database;
  stopping: AbortSignal;
  log: Logger;
  maxAwaited?: number;
}

/** An index that searches by meaning, too, where embeddings are configured. */
export function addMeaning(
  index: ChunkIndex,
  { embedding, searchMode }: Pick<Config, 'embedding' | 'searchMode'>,
  { searchDb: db, stopping, log, maxAwaited = MAX_CHUNKS_AWAITED }: MeaningDependencies,
): ChunkIndex {
  if (!embedding) return index;
  const { endpoint, searchTimeoutMs: timeoutMs, cacheBytes } = embedding;
  const messages = {
    opened: 'questions are not embedded; searches go by words alone',
    closed: 'questions are embedded again',
  };
  const breaker = createCircuitBreaker({ timeoutMs, messages, stopping, log });
  return withMeaning(index, {
    db,
    liveModel: createLiveModel(db),
    embedder: createQuestionEmbedder({ apiKey: endpoint.apiKey, breaker }),
    cache: createVectorCache({ db, maxBytes: cacheBytes, maxAwaited, stopping, log }),
    defaultMode: searchMode,
  });
}
