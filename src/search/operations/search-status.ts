import type { Database } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-wall/unscoped.js';
import { isOutage } from '../../errors.js';
import type { ChunkIndex, IndexStatus } from '../chunk-index.js';
import { type IndexState, readIndexState } from '../keeping/index-state.js';
import { countIndexedChunks } from '../keeping/indexed-chunks.js';
import { countUnfilled, readBacklog } from '../keeping/outbox.js';
import type { SearchServer } from '../meilisearch/connect.js';
import { explainError } from '../meilisearch/errors.js';
import type { ChangesStatus, IndexCompleteness, SearchedIndex, SearchStatus } from '../operations.js';
import { inTime, lookAtServer } from './server-status.js';

/** Chunks named of those that are set aside. */
const NAMED = 10;

export interface StatusDependencies {
  db: Database;
  index: Pick<ChunkIndex, 'engine' | 'status'>;
  /** Absent where PostgreSQL searches. */
  server: SearchServer | undefined;
  fallback: boolean;
}

/** How the search is. Whatever is the matter with the search server is an answer, not an error. */
export async function readStatus({
  index,
  server,
  fallback,
  ...given
}: StatusDependencies): Promise<SearchStatus> {
  const db = unscoped(given.db, 'The figures of the search tell operators of all tenants together.');
  const looking = server && lookAtServer(server);
  const { engine, available: served, reason = null } = await askIndex(index);
  const chunks = await countIndexedChunks(db);
  const status = { engine, served, reason, fallback, chunks };
  if (!looking) return { ...status, server: null, index: null, changes: null };

  const state = await readIndexState(db);
  const { documents, documentBytes, settingsDifferences, isIndexMissing, ...seen } = await looking;
  const unfilled = state?.filling ? await countUnfilled(db) : 0;
  return {
    ...status,
    server: seen,
    index: {
      uid: server.uid,
      state: completeness({ served, state, isMissing: isIndexMissing, isUnseen: seen.error !== null }),
      documents,
      documentBytes,
      settingsDifferences,
      filling: state?.filling ? { done: Math.max(0, chunks - unfilled), total: chunks } : null,
      rebuild: describeRebuild(state, chunks),
    },
    changes: await readChanges(db, state),
  };
}

async function askIndex(index: StatusDependencies['index']): Promise<IndexStatus> {
  try {
    return await inTime(index.status());
  } catch (error) {
    if (isOutage(error)) throw error;
    return { engine: index.engine, available: false, reason: explainError(error) };
  }
}

interface Findings {
  served: boolean;
  state: IndexState | undefined;
  isMissing: boolean;
  isUnseen: boolean;
}

function completeness({ served, state, isMissing, isUnseen }: Findings): IndexCompleteness {
  if (isMissing) return 'missing';
  if (served) return 'complete';
  if (isUnseen) return 'unknown';
  return state?.filling ? 'filling' : 'incomplete';
}

function describeRebuild(state: IndexState | undefined, total: number): SearchedIndex['rebuild'] {
  if (!state?.rebuild) return null;
  const { uid, phase, copied, startedTime } = state.rebuild;
  return { uid, phase, copied, total, startedTime: new Date(startedTime) };
}

async function readChanges(db: Database, state: IndexState | undefined): Promise<ChangesStatus> {
  const { waiting, sent, setAside, oldest } = await readBacklog(db);
  const first = await db
    .selectFrom('searchOutbox')
    .select(['chunkId', 'error'])
    .where('error', 'is not', null)
    .orderBy('queuedTime')
    .orderBy('chunkId')
    .limit(NAMED)
    .$narrowType<{ error: string }>()
    .execute();
  return {
    waiting,
    sent,
    oldestTime: oldest,
    setAside: { count: setAside, first },
    syncedTime: state?.syncedTime ?? null,
    error: state?.error ? { message: state.error, time: state.errorTime } : null,
  };
}
