import { sql } from 'kysely';
import type { Meilisearch } from 'meilisearch';
import type { Database, IndexRebuild } from '../../../db/schema.js';
import { findTenantsOf } from '../indexing/outbox.js';
import { BATCH_SIZE, MAX_POISON_ROWS, takeBatch } from './batch.js';
import { TaskFailedError } from './errors.js';
import type { Hasher } from './hashes.js';
import { toIndexDocument } from './index-document.js';
import { saveRebuildProgress } from './index-state.js';
import { type IndexedChunk, readIndexedChunks, readPropertyNames, selectIndexed } from './indexed-chunks.js';
import { quarantineUnqueued } from './outbox-consumer.js';
import { waitForTask } from './tasks.js';

const MAX_TASKS = 8;

export interface RebuildContext {
  db: Database;
  client: Meilisearch;
  rebuild: IndexRebuild;
  hasher: Hasher;
  signal?: AbortSignal;
}

/**
 * Copies the remaining chunks into the new index and records its progress.
 *
 * @returns how many chunks this call copied
 */
export async function copyChunks(
  { db, client, rebuild, hasher, signal }: RebuildContext,
  onProgress: (copied: number) => void,
): Promise<number> {
  const index = client.index(rebuild.uid);
  const sent: { taskUid: number; chunks: IndexedChunk[]; last: string }[] = [];
  let { copiedTo: readTo, copied } = rebuild;
  const before = copied;
  let poisonRows = 0;
  onProgress(copied);
  for (let isRead = false; !isRead || sent.length > 0; ) {
    signal?.throwIfAborted();
    if (!isRead && sent.length < MAX_TASKS) {
      const read = await readAfter(db, readTo);
      const chunks = takeBatch(read, (chunk) => chunk);
      isRead = read.length < BATCH_SIZE && chunks.length === read.length;
      const last = chunks.at(-1)?.id;
      if (last !== undefined) {
        sent.push({ taskUid: await add(chunks), chunks, last });
        readTo = last;
      }
      continue;
    }
    const first = sent.shift();
    if (!first) break;
    await finish(first.chunks, first.taskUid);
    copied += first.chunks.length;
    await saveRebuildProgress(db, { ...rebuild, copiedTo: first.last, copied });
    onProgress(copied);
  }
  return copied - before;

  async function add(chunks: IndexedChunk[]): Promise<number> {
    return (await index.addDocuments(chunks.map((chunk) => toIndexDocument(chunk, hasher)))).taskUid;
  }

  /** Bisects a failed task to find the poison row, which is quarantined. */
  async function finish(chunks: IndexedChunk[], taskUid: number): Promise<void> {
    try {
      await waitForTask(client, taskUid, signal);
    } catch (error) {
      const [only, another] = chunks;
      if (!(error instanceof TaskFailedError) || !error.mayBeCausedByDocuments || !only) throw error;
      if (!another) {
        if (++poisonRows > MAX_POISON_ROWS) throw error;
        return quarantineUnqueued(db, only, error.message);
      }
      const middle = Math.ceil(chunks.length / 2);
      for (const half of [chunks.slice(0, middle), chunks.slice(middle)]) await finish(half, await add(half));
    }
  }
}

async function readAfter(db: Database, id: string): Promise<IndexedChunk[]> {
  const quarantined = await db
    .selectFrom('searchOutbox')
    .select('chunkId')
    .where('error', 'is not', null)
    .execute();
  const { rows } = await sql<IndexedChunk>`
    ${selectIndexed(await readPropertyNames(db))} and c.id > ${id}
      and c.id <> all(${quarantined.map(({ chunkId }) => chunkId)}::text[])
    order by c.id limit ${sql.lit(BATCH_SIZE)}
  `.execute(db);
  return rows;
}

/**
 * Replays changes that reached the live index meanwhile, with the current chunks.
 *
 * @returns how many
 */
export async function replayChanges(
  { db, client, rebuild, hasher, signal }: RebuildContext,
  onProgress: (replayed: number) => void = () => {},
): Promise<number> {
  const index = client.index(rebuild.uid);
  let replayed = 0;
  for (;;) {
    signal?.throwIfAborted();
    const read = await readReplay(db);
    if (read.length === 0) return replayed;
    const rows = takeBatch(read, ({ chunk }) => chunk);
    const present = rows.flatMap(({ chunk }) => (chunk ? [toIndexDocument(chunk, hasher)] : []));
    const gone = rows.filter(({ chunk }) => !chunk).map(({ chunkId }) => chunkId);
    const tasks = [
      ...(present.length > 0 ? [await index.addDocuments(present)] : []),
      ...(gone.length > 0 ? [await index.deleteDocuments(gone)] : []),
    ];
    for (const { taskUid } of tasks) await waitForTask(client, taskUid, signal);
    await sql`
      delete from search_replay as r
      using (
        select r.tenant_id, r.chunk_id from search_replay as r
        join unnest(${rows.map(({ tenantId }) => tenantId)}::text[],
          ${rows.map(({ chunkId }) => chunkId)}::text[], ${rows.map(({ revision }) => revision)}::bigint[])
          as done (tenant_id, chunk_id, revision)
          on r.tenant_id = done.tenant_id and r.chunk_id = done.chunk_id and r.revision = done.revision
        order by r.tenant_id, r.chunk_id for update of r) as replayed
      where r.tenant_id = replayed.tenant_id and r.chunk_id = replayed.chunk_id
    `.execute(db);
    replayed += rows.length;
    onProgress(replayed);
  }
}

/** The next changes to replay, with the current chunks. */
async function readReplay(db: Database) {
  const rows = await db
    .selectFrom('searchReplay')
    .select(['tenantId', 'chunkId', 'revision'])
    .orderBy('tenantId')
    .orderBy('chunkId')
    .limit(BATCH_SIZE)
    .execute();
  const chunks = await readIndexedChunks(db, rows);
  return rows.map((row) => ({ ...row, chunk: chunks.get(row.chunkId) ?? null }));
}

/** Enqueues chunks that differ in the new index. */
export async function enqueueReplay(db: Database, chunkIds: string[]): Promise<void> {
  const found = await findTenantsOf(db, chunkIds);
  await sql`
    insert into search_replay (tenant_id, chunk_id, revision)
    select tenant_id collate "C", id collate "C", nextval('search_outbox_revision')
    from unnest(${chunkIds.map((id) => found.get(id) ?? '')}::text[], ${chunkIds}::text[]) as differing (tenant_id, id)
    order by 1, 2
    on conflict (tenant_id, chunk_id) do update set revision = excluded.revision
  `.execute(db);
}

/** Which of the chunks are pending: to be replayed, or still in the outbox. */
export async function readPendingReplay(db: Database, chunkIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ chunkId: string }>`
    select chunk_id from search_replay where chunk_id = any(${chunkIds})
    union select chunk_id from search_outbox where chunk_id = any(${chunkIds})
  `.execute(db);
  return new Set(rows.map(({ chunkId }) => chunkId));
}

export async function countReplay(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('searchReplay')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
