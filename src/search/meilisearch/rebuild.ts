import type { Meilisearch } from 'meilisearch';
import type { Database, IndexRebuild } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { withRebuildLock, withWriterLock } from '../indexing/session-locks.js';
import type { MeilisearchServer } from './connect.js';
import { commitRebuild, createIndex, readIndexCheckpoint } from './ensure-index.js';
import { isApiError } from './errors.js';
import { createHasher } from './hashes.js';
import { checkpointDocument, DOCUMENT_FORMAT } from './index-document.js';
import { enableOutbox, readIndexState, saveRebuildProgress, startRebuild } from './index-state.js';
import { countIndexedChunks } from './indexed-chunks.js';
import { requeueAll } from './outbox-consumer.js';
import { copyChunks, countReplay, enqueueReplay, readPendingReplay, replayChanges } from './rebuild-copy.js';
import { waitForTask } from './tasks.js';
import { verifyIndex } from './verify.js';

export interface RebuildProgress {
  phase: 'copying' | 'repeating' | 'comparing' | 'swapping';
  done: number;
  total: number;
}

export interface RebuildOptions {
  db: Database;
  server: MeilisearchServer;
  signal?: AbortSignal;
  onProgress?: (progress: RebuildProgress) => void;
}

export interface RebuildResult {
  copied: number;
  /** Changes replayed. */
  replayed: number;
  /** Whether an interrupted rebuild was resumed. */
  resumed: boolean;
}

/** Replay continues until this few changes are left for the time under the writer lock. */
const MAX_FINAL_REPLAY = 1_000;

/**
 * Rebuilds the index beside the live one and swaps the two, without downtime. Can be interrupted at any
 * moment; the next call resumes.
 *
 * Copies all chunks in order of id, replays the changes made meanwhile and verifies the result; then, under
 * the writer lock, replays the last changes and swaps the indexes.
 */
export async function rebuildIndex({ db: database, ...others }: RebuildOptions): Promise<RebuildResult> {
  const db = unscoped(database, 'The search index is rebuilt from the chunks of all tenants.');
  const options = { ...others, db };
  const { server, signal, onProgress = () => {} } = options;
  const { adminClient } = server;
  if (!adminClient) throw new Error('Rebuilding the index requires MEILI_ADMIN_KEY.');
  await enableOutbox(db);
  const result: RebuildResult = { copied: 0, replayed: 0, resumed: false };
  const isAlone = await withRebuildLock(db, async () => {
    const { rebuild, resumed } = await startOrResumeRebuild(options, adminClient);
    result.resumed = resumed;
    if (resumed && (await hasSwapped(options, adminClient, rebuild))) {
      await withWriterLock(db, { wait: true, signal }, commitRebuild);
      await deleteOldIndexes(options, adminClient, rebuild);
      return;
    }
    const hasher = createHasher((await readIndexState(db))?.hashSecret ?? '');
    const target = { db, client: adminClient, rebuild, hasher, ...(signal && { signal }) };
    if (rebuild.phase === 'copying') {
      await createIndex(adminClient, rebuild.uid, { like: server.indexUid, signal });
      const total = await countIndexedChunks(db);
      result.copied = await copyChunks(target, (done) => onProgress({ phase: 'copying', done, total }));
    }
    await replayUntilFew(target);
    await verifyIndex({
      db,
      server: { indexUid: rebuild.uid, documentClient: async () => adminClient },
      repair: (ids) => enqueueReplay(db, ids),
      readPending: (ids) => readPendingReplay(db, ids),
      onProgress: (progress) => onProgress({ phase: 'comparing', ...progress }),
      signal,
    });
    await replayUntilFew(target);
    onProgress({ phase: 'swapping', done: 0, total: 1 });
    await withWriterLock(db, { wait: true, signal }, async (lockedDb) => {
      result.replayed += await replayChanges({ ...target, db: lockedDb });
      await swap({ ...options, db: lockedDb }, adminClient, rebuild);
    });
    await deleteOldIndexes(options, adminClient, rebuild);
    onProgress({ phase: 'swapping', done: 1, total: 1 });
  });
  if (!isAlone) throw new Error('Another process is building the index already.');
  return result;

  async function replayUntilFew(target: Parameters<typeof replayChanges>[0]): Promise<void> {
    for (let left = await countReplay(db); left > MAX_FINAL_REPLAY; left = await countReplay(db)) {
      const total = left;
      result.replayed += await replayChanges(target, (done) =>
        onProgress({ phase: 'repeating', done, total }),
      );
    }
  }
}

async function startOrResumeRebuild({ db, server, signal }: RebuildOptions, admin: Meilisearch) {
  const state = await readIndexState(db);
  const begun = state?.rebuild;
  if (begun && (begun.phase === 'finishing' || begun.format === DOCUMENT_FORMAT)) {
    return { rebuild: begun, resumed: true };
  }
  const live = await readIndexCheckpoint(admin.index(server.indexUid)).catch(() => undefined);
  if (!live) await createIndex(admin, server.indexUid, { signal });
  const generation = Math.max(state?.generation ?? 0, live?.generation ?? 0, begun?.generation ?? 0) + 1;
  const rebuild: IndexRebuild = {
    generation,
    uid: rebuildUid(server.indexUid, generation),
    phase: 'copying',
    copiedTo: '',
    copied: 0,
    startedTime: new Date().toISOString(),
    format: DOCUMENT_FORMAT,
  };
  await db.transaction().execute((tx) => startRebuild(tx, rebuild, server.propertyNames));
  return { rebuild, resumed: false };
}

/** Whether an earlier rebuild was killed after the swap. */
async function hasSwapped({ server, signal }: RebuildOptions, admin: Meilisearch, rebuild: IndexRebuild) {
  if (rebuild.phase !== 'finishing') return false;
  const { results } = await admin.tasks.getTasks({
    types: ['indexSwap'],
    statuses: ['enqueued', 'processing'],
  });
  for (const { uid } of results) await waitForTask(admin, uid, signal);
  const live = await readIndexCheckpoint(admin.index(server.indexUid));
  return live?.generation === rebuild.generation;
}

/** Swaps the new index with the live one, under the writer lock. */
async function swap(
  { db: lockedDb, server, signal }: RebuildOptions,
  admin: Meilisearch,
  rebuild: IndexRebuild,
) {
  const ready = [checkpointDocument(rebuild.generation, 0)];
  await waitForTask(admin, (await admin.index(rebuild.uid).addDocuments(ready)).taskUid, signal);
  await saveRebuildProgress(lockedDb, { ...rebuild, phase: 'finishing' });
  // Tasks in flight go to the old index.
  await requeueAll(lockedDb);
  const { taskUid } = await admin.swapIndexes([{ indexes: [server.indexUid, rebuild.uid], rename: false }]);
  await waitForTask(admin, taskUid, signal);
  await commitRebuild(lockedDb);
}

/** Deletes indexes left by this or earlier rebuilds. */
async function deleteOldIndexes(
  { server: { indexUid }, signal }: RebuildOptions,
  admin: Meilisearch,
  last: IndexRebuild,
): Promise<void> {
  for (let generation = 1; generation <= last.generation; generation++) {
    const leftover = rebuildUid(indexUid, generation);
    try {
      await admin.getRawIndex(leftover);
    } catch (error) {
      if (isApiError(error, 'index_not_found')) continue;
      throw error;
    }
    await waitForTask(admin, (await admin.deleteIndex(leftover)).taskUid, signal);
  }
}

const rebuildUid = (uid: string, generation: number) => `${uid}_${generation}`;
