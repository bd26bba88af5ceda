import { sql } from 'kysely';
import type { Meilisearch } from 'meilisearch';
import type { Database, IndexRebuild } from '../../db/schema.js';
import { saveRebuild } from './index-state.js';
import { type IndexedChunk, indexedChunks } from './indexed-chunks.js';
import { toIndexDocument } from './meilisearch/index-document.js';
import { waitForTask } from './meilisearch/tasks.js';

const BATCH = 2_000;
const MAX_TASKS = 8;

export interface RebuildTarget {
  db: Database;
  client: Meilisearch;
  rebuild: IndexRebuild;
  signal?: AbortSignal;
}

/**
 * Copies all chunks that are not copied yet into the index being built, and remembers how far it came.
 *
 * @returns how many chunks this call copied
 */
export async function copyChunks(
  { db, client, rebuild, signal }: RebuildTarget,
  onProgress: (copied: number) => void,
): Promise<number> {
  const index = client.index(rebuild.uid);
  const sent: { taskUid: number; last: string; count: number }[] = [];
  let { copiedTo: readTo, copied } = rebuild;
  const before = copied;
  onProgress(copied);
  for (let isRead = false; !isRead || sent.length > 0; ) {
    signal?.throwIfAborted();
    if (!isRead && sent.length < MAX_TASKS) {
      const chunks = await readAfter(db, readTo);
      isRead = chunks.length < BATCH;
      const last = chunks.at(-1)?.id;
      if (last !== undefined) {
        const { taskUid } = await index.addDocuments(chunks.map(toIndexDocument));
        sent.push({ taskUid, last, count: chunks.length });
        readTo = last;
      }
      continue;
    }
    const first = sent.shift();
    if (!first) break;
    await waitForTask(client, first.taskUid, signal);
    copied += first.count;
    await saveRebuild(db, { ...rebuild, copiedTo: first.last, copied });
    onProgress(copied);
  }
  return copied - before;
}

async function readAfter(db: Database, id: string): Promise<IndexedChunk[]> {
  const { rows } = await sql<IndexedChunk>`
    ${indexedChunks.rows} and c.id > ${id} order by c.id limit ${sql.lit(BATCH)}
  `.execute(db);
  return rows;
}

/**
 * Brings what reached the live index meanwhile into the one being built, with the chunks as they are now.
 *
 * @returns how many
 */
export async function replayChanges({ db, client, rebuild, signal }: RebuildTarget): Promise<number> {
  const index = client.index(rebuild.uid);
  let replayed = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { rows } = await sql<{ chunkId: string; noted: number } & IndexedChunk>`
      select r.chunk_id, r.revision as noted, indexed.*
      from (select chunk_id, revision from search_replay order by chunk_id limit ${sql.lit(BATCH)}) as r
      left join lateral (${indexedChunks.rows} and c.id = r.chunk_id) as indexed on true
    `.execute(db);
    if (rows.length === 0) return replayed;
    const present = rows.filter(({ id }) => id);
    const gone = rows.filter(({ id }) => !id).map(({ chunkId }) => chunkId);
    const tasks = [
      ...(present.length > 0 ? [await index.addDocuments(present.map(toIndexDocument))] : []),
      ...(gone.length > 0 ? [await index.deleteDocuments(gone)] : []),
    ];
    for (const { taskUid } of tasks) await waitForTask(client, taskUid, signal);
    await sql`
      delete from search_replay as r
      using unnest(${rows.map(({ chunkId }) => chunkId)}::text[], ${rows.map(({ noted }) => noted)}::bigint[])
        as done (chunk_id, revision)
      where r.chunk_id = done.chunk_id and r.revision = done.revision
    `.execute(db);
    replayed += rows.length;
  }
}

/** Has chunks that differ in the index being built sent there again. */
export async function queueReplay(db: Database, chunkIds: string[]): Promise<void> {
  await sql`
    insert into search_replay select id, nextval('search_outbox_revision')
    from (select id collate "C" as id from unnest(${chunkIds}::text[]) as id order by 1) as differing
    on conflict (chunk_id) do update set revision = excluded.revision
  `.execute(db);
}

export async function countReplay(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('searchReplay')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
