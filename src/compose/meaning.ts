import type { Logger } from 'pino';
import type { Database } from '../../db/schema.js';
import { linkedController } from '../async/linked-signals.js';
import type { Config } from '../config/config.js';
import { createCircuitBreaker } from '../model-endpoint/circuit-breaker.js';
import type { ChunkIndex } from '../search/chunk-index.js';
import { checkEndpoint } from '../search/embedding/check-endpoint.js';
import { findKey } from '../search/embedding/find-key.js';
import { withMeaning } from '../search/embedding/hybrid.js';
import { createLiveModel } from '../search/embedding/live-model.js';
import { findConfiguredModel } from '../search/embedding/models.js';
import { createQuestionEmbedder } from '../search/embedding/question-embedder.js';
import { createQuestionTimer } from '../search/embedding/slow-questions.js';
import { createVectorCache } from '../search/embedding/vector-cache.js';

/** Most chunks whose vectors a search of a server waits for, while they are read into memory. */
const MAX_CHUNKS_AWAITED = 2_000;

interface MeaningDependencies {
  searchDb: Database;
  stopping: AbortSignal;
  log: Logger;
  maxAwaited?: number;
}

type EmbeddingConfig = NonNullable<Config['embedding']>;

/** An index that searches by meaning, too, where embeddings are configured. */
export function addMeaning(
  index: ChunkIndex,
  { embedding, searchMode }: Pick<Config, 'embedding' | 'searchMode'>,
  { searchDb: db, stopping, log, maxAwaited = MAX_CHUNKS_AWAITED }: MeaningDependencies,
): ChunkIndex {
  if (!embedding) return index;
  const { searchTimeoutMs: timeoutMs, cacheBytes } = embedding;
  const messages = {
    opened: 'questions are not embedded; searches go by words alone',
    closed: 'questions are embedded again',
  };
  const keyFor = (url: string) => findKey(url, embedding);
  const createBreaker = (ended: AbortSignal) =>
    createCircuitBreaker({ timeoutMs, messages, stopping: linkedController(stopping, ended).signal, log });
  const timer = createQuestionTimer({ db, slowMs: timeoutMs / 2, log });
  return withMeaning(index, {
    db,
    liveModel: createLiveModel(db),
    embedder: createQuestionEmbedder({ keyFor, createBreaker, timer }),
    cache: createVectorCache({ db, maxBytes: cacheBytes, maxAwaited, stopping, log }),
    defaultMode: searchMode,
  });
}

/**
 * Says in the log how texts are sent to the configured endpoint, and what is wrong with it. Nothing waits for it: searches
 * by words do not need it.
 */
export async function logEndpointCheck(
  { embedding }: Pick<Config, 'embedding'>,
  { db, stopping, log }: { db: Database; stopping: AbortSignal; log: Logger },
): Promise<void> {
  if (!embedding) return;
  try {
    await logPrefixes(embedding, { db, log });
    const reason = await checkEndpoint(db, embedding, stopping);
    if (reason && !stopping.aborted) log.warn({ reason }, 'the embedding endpoint cannot be used');
  } catch (error) {
    if (!stopping.aborted) log.warn({ err: error }, 'the embedding endpoint could not be checked');
  }
}

/** Says what comes before questions and passages: where nobody has configured it, the name of the model decides. */
async function logPrefixes(embedding: EmbeddingConfig, { db, log }: { db: Database; log: Logger }) {
  const { endpoint, queryPrefix, passagePrefix } = embedding;
  const model = await findConfiguredModel(db, embedding);
  if (model && model.passagePrefix !== passagePrefix) {
    log.warn({ model: endpoint.model, queryPrefix, passagePrefix }, UNPREFIXED);
  } else if (queryPrefix || passagePrefix) {
    log.info({ model: endpoint.model, queryPrefix, passagePrefix }, 'the embedding model gets prefixes');
  }
}

const UNPREFIXED =
  'texts were embedded without the prefix that this model was trained with, and stay so until: lectern search embed --rebuild';
