import { type RawBuilder, sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';
import { isCommitted } from '../indexing/is-committed.js';
import { findTenantsOf, onConflictRequeue } from '../indexing/outbox.js';
import {
  countIndexedChunks,
  fromSearchable,
  type IndexedChunk,
  readIndexedChunks,
} from './indexed-chunks.js';

/** An outbox row: a chunk to be written to the index, or deleted from it. */
export interface OutboxEntry {
  /** Empty where the chunk is gone. */
  outboxTenant: string;
  chunkId: string;
  /** Revision of the outbox row; if it differs when the task is done, the chunk has changed again. */
  outboxRevision: number;
}

/** With the current chunk. */
export interface OutboxItem extends OutboxEntry {
  chunk: IndexedChunk | null;
}

/** Chunks enqueued per batch of a backfill. */
const BACKFILL_BATCH_SIZE = 5_000;

/**
 * Enqueues the next batch of a backfill; batches keep row locks short.
 *
 * @returns whether there may be more
 */
export async function enqueueBackfillBatch(db: Database): Promise<boolean> {
  const filledTo = await readFilledTo(db);
  if (filledTo === null) return false;
  const { rows } = await sql<{ tenantId: string; id: string }>`
    select c.tenant_id, c.id ${fromSearchable} and c.id > ${filledTo} order by c.id limit ${sql.lit(BACKFILL_BATCH_SIZE)}
  `.execute(db);
  const last = rows.at(-1)?.id ?? null;
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into search_outbox (tenant_id, chunk_id, filling)
      select tenant_id collate "C", id collate "C", true
      from unnest(${rows.map(({ tenantId }) => tenantId)}::text[], ${rows.map(({ id }) => id)}::text[]) as part (tenant_id, id)
      order by 1, 2 ${onConflictRequeue}, filling = true
    `.execute(tx);
    await sql`update search_index set filled_to = ${last} where filled_to is not null`.execute(tx);
  });
  return last !== null;
}

/** The last chunk that a backfill has enqueued; null where none is under way. */
async function readFilledTo(db: Queryable): Promise<string | null> {
  const state = await db.selectFrom('searchIndex').select('filledTo').executeTakeFirst();
  return state?.filledTo ?? null;
}

/** The oldest unsent changes, with the current chunks. */
export const readPendingItems = (db: Queryable, limit: number): Promise<OutboxItem[]> =>
  readItems(
    db,
    sql<OutboxEntry>`select tenant_id as outbox_tenant, chunk_id, revision as outbox_revision from search_outbox
        where task_uid is null and error is null and ${isCommitted('search_outbox')} order by revision limit ${limit}`,
  );

/** The rows that have not changed since, with the current chunks. */
export const rereadUnchangedItems = (db: Queryable, rows: OutboxEntry[]): Promise<OutboxItem[]> =>
  readItems(
    db,
    sql<OutboxEntry>`select o.tenant_id as outbox_tenant, o.chunk_id, o.revision as outbox_revision from search_outbox as o
        join ${unnestEntries(rows)} as read (tenant_id, chunk_id, revision)
          on read.tenant_id = o.tenant_id and read.chunk_id = o.chunk_id and read.revision = o.revision
        order by o.revision`,
  );

/** A chunk that changes after its row was read has another revision in the outbox, and is sent again. */
async function readItems(db: Queryable, which: RawBuilder<OutboxEntry>): Promise<OutboxItem[]> {
  const { rows } = await which.execute(db);
  const chunks = await readIndexedChunks(
    db,
    rows.map(({ outboxTenant: tenantId, chunkId }) => ({ tenantId, chunkId })),
  );
  return rows.map((row) => ({ ...row, chunk: chunks.get(row.chunkId) ?? null }));
}

const unnestEntries = (rows: OutboxEntry[]) =>
  sql`unnest(${rows.map(({ outboxTenant }) => outboxTenant)}::text[], ${rows.map(({ chunkId }) => chunkId)}::text[], ${rows.map(({ outboxRevision }) => outboxRevision)}::bigint[])`;

/** Records the task of sent rows. Rows that have changed since remain unsent. */
export async function markSent(db: Queryable, rows: OutboxEntry[], taskUid: number): Promise<void> {
  await sql`
    update search_outbox as o set task_uid = ${taskUid}
    from (select o.tenant_id, o.chunk_id from search_outbox as o
          join ${unnestEntries(rows)} as sent (tenant_id, chunk_id, revision)
            on sent.tenant_id = o.tenant_id and sent.chunk_id = o.chunk_id and sent.revision = o.revision
          order by o.tenant_id, o.chunk_id for update of o skip locked) as unchanged
    where o.tenant_id = unchanged.tenant_id and o.chunk_id = unchanged.chunk_id
  `.execute(db);
}

/** Sent tasks that are not acknowledged yet, oldest first. */
export async function readSentTasks(db: Queryable): Promise<number[]> {
  const { rows } = await sql<{ taskUid: number }>`
    select distinct task_uid from search_outbox where task_uid is not null order by task_uid
  `.execute(db);
  return rows.map(({ taskUid }) => taskUid);
}

/** Deletes the rows of a successful task; during a rebuild they are moved to the replay table. */
export async function acknowledge(db: Database, taskUid: number): Promise<void> {
  // What was sent before a rebuild began is copied by that.
  const state = await db.selectFrom('searchIndex').select('rebuild').executeTakeFirst();
  if (state?.rebuild == null) await deleteTask(taskUid).execute(db);
  else await db.transaction().execute((tx) => moveToReplay(tx, taskUid));
}

const deleteTask = (taskUid: number) => sql`
  delete from search_outbox as o
  using (select tenant_id, chunk_id from search_outbox where task_uid = ${taskUid} order by tenant_id, chunk_id
         for update skip locked) as carried
  where o.tenant_id = carried.tenant_id and o.chunk_id = carried.chunk_id`;

async function moveToReplay(tx: Queryable, taskUid: number): Promise<void> {
  const { rows } = await sql<OutboxEntry>`
    ${deleteTask(taskUid)} returning o.tenant_id as outbox_tenant, o.chunk_id, o.revision as outbox_revision
  `.execute(tx);
  await sql`
    insert into search_replay (tenant_id, chunk_id, revision)
    select * from ${unnestEntries(rows)} as done (tenant_id, chunk_id, revision)
    order by tenant_id collate "C", chunk_id collate "C"
    on conflict (tenant_id, chunk_id) do update set revision = excluded.revision
  `.execute(tx);
}

/** Requeues the rows of a task. */
export async function requeueTask(db: Queryable, taskUid: number): Promise<void> {
  await requeueWhere(db, sql`task_uid = ${taskUid}`);
}

/** Requeues all rows in flight. */
export async function requeueAll(db: Queryable): Promise<void> {
  await requeueWhere(db, sql`task_uid is not null`);
}

async function requeueWhere(db: Queryable, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    update search_outbox as o set task_uid = null
    from (select tenant_id, chunk_id from search_outbox where ${which} order by tenant_id, chunk_id for update) as carried
    where o.tenant_id = carried.tenant_id and o.chunk_id = carried.chunk_id
  `.execute(db);
}

/** Quarantines a chunk that the search server rejects. Its next change requeues it. */
export async function quarantine(
  db: Queryable,
  { outboxTenant, chunkId, outboxRevision }: OutboxEntry,
  error: string,
): Promise<void> {
  await sql`
    update search_outbox set error = ${error}, task_uid = null 
    where tenant_id = ${outboxTenant} and chunk_id = ${chunkId} and revision = ${outboxRevision}
  `.execute(db);
}

/** Quarantines a chunk that is not in the outbox. */
export async function quarantineUnqueued(
  db: Queryable,
  { tenantId, id }: Pick<IndexedChunk, 'tenantId' | 'id'>,
  error: string,
): Promise<void> {
  await sql`
    insert into search_outbox (tenant_id, chunk_id, error) values (${tenantId}, ${id}, ${error}) on conflict do nothing
  `.execute(db);
}

/** Deletes quarantined chunks that no longer exist and retries the others. */
export async function retryQuarantined(db: Queryable, before: Date): Promise<void> {
  const quarantined = await db
    .selectFrom('searchOutbox')
    .select(['tenantId as outboxTenant', 'chunkId', 'revision as outboxRevision'])
    .where('error', 'is not', null)
    .execute();
  const present = await findTenantsOf(
    db,
    quarantined.map(({ chunkId }) => chunkId),
  );
  const gone = quarantined.filter(({ outboxTenant, chunkId }) => present.get(chunkId) !== outboxTenant);
  await sql`
    delete from search_outbox as o using ${unnestEntries(gone)} as gone (tenant_id, chunk_id, revision)
    where o.tenant_id = gone.tenant_id and o.chunk_id = gone.chunk_id and o.revision = gone.revision
  `.execute(db);
  await sql`
    update search_outbox as o set error = null, queued_time = now()
    from (select tenant_id, chunk_id from search_outbox where error is not null and queued_time < ${before}
          order by tenant_id, chunk_id for update) as old
    where o.tenant_id = old.tenant_id and o.chunk_id = old.chunk_id
  `.execute(db);
}

/** Chunks of a backfill that are not enqueued yet. */
async function countNotYetEnqueued(db: Queryable): Promise<number> {
  const filledTo = await readFilledTo(db);
  return filledTo === null ? 0 : countIndexedChunks(db, filledTo);
}

/** Remaining chunks of a backfill. */
export async function countBackfillRemaining(db: Queryable): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from search_outbox where filling and error is null
  `.execute(db);
  return (rows[0]?.count ?? 0) + (await countNotYetEnqueued(db));
}

export interface Backlog {
  /** Pending changes, including sent ones and the rest of a backfill. */
  waiting: number;
  sent: number;
  quarantined: number;
  oldest: Date | null;
}

export async function readBacklog(db: Queryable): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select count(*) filter (where error is null) as waiting,
      count(*) filter (where task_uid is not null) as sent,
      count(*) filter (where error is not null) as quarantined,
      min(queued_time) filter (where error is null) as oldest
    from search_outbox
  `.execute(db);
  const backlog = rows[0] as Backlog;
  return { ...backlog, waiting: backlog.waiting + (await countNotYetEnqueued(db)) };
}
