import type { Database } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { isOutage } from '../../errors/errors.js';
import type { ChunkIndex, IndexStatus } from '../chunk-index.js';
import { readEmbeddingStatus } from '../embedding/embedding-status.js';
import type { MeilisearchServer } from '../meilisearch/connect.js';
import { toOperatorMessage } from '../meilisearch/errors.js';
import { type IndexState, readIndexState } from '../meilisearch/index-state.js';
import { countIndexedChunks } from '../meilisearch/indexed-chunks.js';
import { countBackfillRemaining, readBacklog } from '../meilisearch/outbox-consumer.js';
import { inspectServer, withStatusTimeout } from '../meilisearch/server-status.js';
import { readPostingsStatus } from '../postgres/postings/postings-status.js';
import type { IndexCompleteness, LiveIndexStatus, OutboxStatus, SearchStatus } from './search-operations.js';

/** Quarantined chunks listed by id. */
const MAX_LISTED = 10;

export interface SearchStatusDependencies {
  db: Database;
  index: Pick<ChunkIndex, 'engine' | 'status'>;
  /** Absent where PostgreSQL searches. */
  server: MeilisearchServer | undefined;
  fallback: boolean;
}

/** Status of the search. Failures of the search server are part of the result, not errors. */
export async function readSearchStatus({
  db: database,
  index,
  server,
  fallback,
}: SearchStatusDependencies): Promise<SearchStatus> {
  const db = unscoped(database, 'Search statistics cover all tenants.');
  const inspection = server && inspectServer(server);
  const { engine, available: served, reason = null } = await readIndexStatus(index);
  const chunks = await countIndexedChunks(db);
  const postings = await readPostingsStatus(db);
  const embedding = await readEmbeddingStatus(db);
  const status = { engine, served, reason, fallback, chunks, postings, embedding };
  if (!inspection) return { ...status, server: null, index: null, changes: null };

  const state = await readIndexState(db);
  const { documents, documentBytes, settingsDifferences, isIndexMissing, ...serverStatus } = await inspection;
  const unfilled = state?.filling ? await countBackfillRemaining(db) : 0;
  return {
    ...status,
    server: serverStatus,
    index: {
      uid: server.indexUid,
      state: completeness({
        served,
        state,
        isMissing: isIndexMissing,
        isUnknown: serverStatus.error !== null,
      }),
      documents,
      documentBytes,
      settingsDifferences,
      filling: state?.filling ? { done: Math.max(0, chunks - unfilled), total: chunks } : null,
      rebuild: describeRebuild(state, chunks),
    },
    changes: await readOutboxStatus(db, state),
  };
}

/** An index that fails to say so does not answer searches either. */
export async function readIndexStatus(index: SearchStatusDependencies['index']): Promise<IndexStatus> {
  try {
    return await withStatusTimeout(index.status());
  } catch (error) {
    if (isOutage(error)) throw error;
    return { engine: index.engine, available: false, reason: toOperatorMessage(error) };
  }
}

interface CompletenessInput {
  served: boolean;
  state: IndexState | undefined;
  isMissing: boolean;
  isUnknown: boolean;
}

function completeness({ served, state, isMissing, isUnknown }: CompletenessInput): IndexCompleteness {
  if (isMissing) return 'missing';
  if (served) return 'complete';
  if (isUnknown) return 'unknown';
  return state?.filling ? 'filling' : 'incomplete';
}

function describeRebuild(state: IndexState | undefined, total: number): LiveIndexStatus['rebuild'] {
  if (!state?.rebuild) return null;
  const { uid, phase, copied, startedTime } = state.rebuild;
  return { uid, phase, copied, total, startedTime: new Date(startedTime) };
}

async function readOutboxStatus(db: Database, state: IndexState | undefined): Promise<OutboxStatus> {
  const { waiting, sent, quarantined, oldest } = await readBacklog(db);
  const first = await db
    .selectFrom('searchOutbox')
    .select(['chunkId', 'error'])
    .where('error', 'is not', null)
    .orderBy('queuedTime')
    .orderBy('chunkId')
    .limit(MAX_LISTED)
    .$narrowType<{ error: string }>()
    .execute();
  return {
    waiting,
    sent,
    oldestTime: oldest,
    setAside: { count: quarantined, first },
    syncedTime: state?.syncedTime ?? null,
    error: state?.error ? { message: state.error, time: state.errorTime } : null,
  };
}
