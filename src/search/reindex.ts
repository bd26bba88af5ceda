import type { Meilisearch } from 'meilisearch';
import type { Database, IndexRebuild } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-wall/unscoped.js';
import { adoptRebuild, createIndex, readCheckpointOf } from './keeping/ensure-index.js';
import { beginKeeping, readIndexState, saveRebuild, startRebuild } from './keeping/index-state.js';
import { countIndexedChunks } from './keeping/indexed-chunks.js';
import { takeBackAll } from './keeping/outbox.js';
import { copyChunks, countReplay, queueReplay, readUnrepeated, replayChanges } from './keeping/rebuild.js';
import { asOnlyBuilder, asOnlyWriter } from './keeping/sync-lock.js';
import type { SearchServer } from './meilisearch/connect.js';
import { isApiError } from './meilisearch/errors.js';
import { checkpointDocument } from './meilisearch/index-document.js';
import { waitForTask } from './meilisearch/tasks.js';
import { verifyIndex } from './verify.js';

export interface RebuildProgress {
  phase: 'copying' | 'repeating' | 'comparing' | 'swapping';
  done: number;
  total: number;
}

export interface ReindexOptions {
  db: Database;
  server: SearchServer;
  signal?: AbortSignal;
  onProgress?: (progress: RebuildProgress) => void;
}

export interface Reindexed {
  copied: number;
  /** Changes that were made meanwhile. */
  replayed: number;
  /** Whether an earlier run had begun it. */
  resumed: boolean;
}

/** So few changes are left to the moment in which nothing else is written. */
const FEW = 1_000;

/**
 * Builds the index anew beside the live one and puts it in its place. Searches go on all the while, and find what they
 * found before. It may be stopped or killed at any moment; the next call goes on where it stopped.
 *
 * All chunks are copied in the order of their ids. What reaches the live index meanwhile is noted, and repeated. Both
 * are compared; then, with nobody else writing, the last changes are repeated and the two change places.
 */
export async function reindex(given: ReindexOptions): Promise<Reindexed> {
  const options = {
    ...given,
    db: unscoped(given.db, 'A search index is built anew from the chunks of all tenants.'),
  };
  const { db, server, signal, onProgress = () => {} } = options;
  const { admin } = server;
  if (!admin) throw new Error('Building an index needs MEILI_ADMIN_KEY.');
  await beginKeeping(db);
  const result: Reindexed = { copied: 0, replayed: 0, resumed: false };
  const isAlone = await asOnlyBuilder(db, async () => {
    const { rebuild, resumed } = await beginRebuild(options, admin);
    result.resumed = resumed;
    if (resumed && (await hasChangedPlaces(options, admin, rebuild))) {
      await asOnlyWriter(db, { wait: true, signal }, adoptRebuild);
      await dropLeftovers(options, admin, rebuild);
      return;
    }
    const target = { db, client: admin, rebuild, ...(signal && { signal }) };
    if (rebuild.phase === 'copying') {
      await createIndex(admin, rebuild.uid, signal);
      const total = await countIndexedChunks(db);
      result.copied = await copyChunks(target, (done) => onProgress({ phase: 'copying', done, total }));
    }
    await repeat(target);
    await verifyIndex({
      db,
      server: { uid: rebuild.uid, working: async () => admin },
      repair: (ids) => queueReplay(db, ids),
      onTheirWay: (ids) => readUnrepeated(db, ids),
      onProgress: (progress) => onProgress({ phase: 'comparing', ...progress }),
      signal,
    });
    await repeat(target);
    onProgress({ phase: 'swapping', done: 0, total: 1 });
    await asOnlyWriter(db, { wait: true, signal }, async (session) => {
      result.replayed += await replayChanges({ ...target, db: session });
      await swap({ ...options, db: session }, admin, rebuild);
    });
    await dropLeftovers(options, admin, rebuild);
    onProgress({ phase: 'swapping', done: 1, total: 1 });
  });
  if (!isAlone) throw new Error('Another process is building the index already.');
  return result;

  async function repeat(target: Parameters<typeof replayChanges>[0]): Promise<void> {
    for (let left = await countReplay(db); left > FEW; left = await countReplay(db)) {
      const total = left;
      result.replayed += await replayChanges(target, (done) =>
        onProgress({ phase: 'repeating', done, total }),
      );
    }
  }
}

async function beginRebuild({ db, server, signal }: ReindexOptions, admin: Meilisearch) {
  const state = await readIndexState(db);
  if (state?.rebuild) return { rebuild: state.rebuild, resumed: true };
  const live = await readCheckpointOf(admin.index(server.uid)).catch(() => undefined);
  if (!live) await createIndex(admin, server.uid, signal);
  const generation = Math.max(state?.generation ?? 0, live?.generation ?? 0) + 1;
  const rebuild: IndexRebuild = {
    generation,
    uid: rebuildUid(server.uid, generation),
    phase: 'copying',
    copiedTo: '',
    copied: 0,
    startedTime: new Date().toISOString(),
  };
  await db.transaction().execute((tx) => startRebuild(tx, rebuild));
  return { rebuild, resumed: false };
}

/** Whether an earlier run was killed after the two changed places. */
async function hasChangedPlaces(
  { server, signal }: ReindexOptions,
  admin: Meilisearch,
  rebuild: IndexRebuild,
) {
  if (rebuild.phase !== 'finishing') return false;
  const { results } = await admin.tasks.getTasks({
    types: ['indexSwap'],
    statuses: ['enqueued', 'processing'],
  });
  for (const { uid } of results) await waitForTask(admin, uid, signal);
  const live = await readCheckpointOf(admin.index(server.uid));
  return live?.generation === rebuild.generation;
}

/** Puts the new index in the place of the live one. Nobody else writes into either. */
async function swap(
  { db: session, server, signal }: ReindexOptions,
  admin: Meilisearch,
  rebuild: IndexRebuild,
) {
  const ready = [checkpointDocument(rebuild.generation, 0)];
  await waitForTask(admin, (await admin.index(rebuild.uid).addDocuments(ready)).taskUid, signal);
  await saveRebuild(session, { ...rebuild, phase: 'finishing' });
  // What is on its way goes into the index that leaves.
  await takeBackAll(session);
  const { taskUid } = await admin.swapIndexes([{ indexes: [server.uid, rebuild.uid], rename: false }]);
  await waitForTask(admin, taskUid, signal);
  await adoptRebuild(session);
}

/** Indexes that were built, or replaced, by this or an earlier run. */
async function dropLeftovers(
  { server: { uid }, signal }: ReindexOptions,
  admin: Meilisearch,
  last: IndexRebuild,
): Promise<void> {
  for (let generation = 1; generation <= last.generation; generation++) {
    const leftover = rebuildUid(uid, generation);
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
