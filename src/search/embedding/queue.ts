import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import type { EmbeddingModel } from './models.js';

/** Chunks that were there before the model are queued in batches of this size, while fewer wait. */
const BACKFILL_BATCH = 2_000;
/** What is beyond is not embedded: no model reads that much. */
export const MAX_TEXT_LENGTH = 32_000;
/** After more, some minutes, other texts are not held up any longer. */
const FEW_ATTEMPTS = 4;

/** A chunk of the queue. */
export interface QueuedChunk {
  tenantId: string;
  chunkId: string;
  revision: number;
  /** That failed. */
  attempts: number;
  /** Headings and content; null where the chunk is gone. */
  text: string | null;
}

/** The table `tenants` of those that have texts in the queue, by one index look-up for each. */
export const tenantsInQueue = sql`tenants as (
      (select tenant_id from embedding_queue order by tenant_id limit 1)
      union all
      select (select q.tenant_id from embedding_queue as q where q.tenant_id > t.tenant_id order by q.tenant_id limit 1)
      from tenants as t where t.tenant_id is not null
    )`;

/**
 * The texts that are due, of each tenant as many as of the others.
 *
 * @param db without the query guard
 */
export async function readDueTexts(db: Queryable, limit: number): Promise<QueuedChunk[]> {
  const { rows } = await sql<QueuedChunk>`
    with recursive ${tenantsInQueue}, due as (
      select q.*
      from tenants as t
      cross join lateral (
        select tenant_id, chunk_id, revision, attempts, row_number() over (order by retry_time) as turn
        from embedding_queue where tenant_id = t.tenant_id and retry_time <= now()
        order by retry_time limit ${limit}) as q
      order by turn limit ${limit}
    )
    select due.tenant_id, due.chunk_id, due.revision, due.attempts, c.text
    from due
    left join lateral (
      select left(concat_ws(E'\n', nullif(content_complement, ''), nullif(content, '')), ${MAX_TEXT_LENGTH}) as text
      from chunks
      where tenant_id = due.tenant_id and id = due.chunk_id and not deleted limit 1) as c on true
    order by due.turn
  `.execute(db);
  return rows;
}

/** Takes chunks out of the queue, unless their texts have changed since they were read. */
export async function dequeue(db: Queryable, chunks: QueuedChunk[]): Promise<void> {
  await deleteFromQueue(chunks).execute(db);
}

/** The statement for that, which may return columns of `q`. */
export const deleteFromQueue = (chunks: QueuedChunk[]) => sql`
  delete from embedding_queue as q
  using ${unnestChunks(chunks)} as done (tenant_id, chunk_id, revision)
  where q.tenant_id = done.tenant_id and q.chunk_id = done.chunk_id and q.revision = done.revision`;

/** Tries chunks again later, or never where `retryMs` is undefined. What is not the text's fault is no attempt. */
export async function postpone(
  db: Queryable,
  chunks: QueuedChunk[],
  { error, retryMs, isAttempt }: { error: string; retryMs: number | undefined; isAttempt: boolean },
): Promise<void> {
  await sql`
    update embedding_queue as q set error = ${error}, attempts = q.attempts + ${Number(isAttempt)}::smallint,
      retry_time = coalesce(now() + make_interval(secs => ${retryMs === undefined ? null : retryMs / 1000}::float8), 'infinity')
    from ${unnestChunks(chunks)} as late (tenant_id, chunk_id, revision)
    where q.tenant_id = late.tenant_id and q.chunk_id = late.chunk_id and q.revision = late.revision
  `.execute(db);
}

/** The keys of chunks in the queue with their revisions. */
export const unnestChunks = (chunks: QueuedChunk[]) => sql`unnest(
  ${chunks.map(({ tenantId }) => tenantId)}::text[], ${chunks.map(({ chunkId }) => chunkId)}::text[],
  ${chunks.map(({ revision }) => revision)}::bigint[])`;

/**
 * Queues the next of the chunks that were there before the model.
 *
 * @param db without the query guard
 * @returns whether all are queued
 */
export async function backfill(db: Queryable, { id }: Pick<EmbeddingModel, 'id'>): Promise<boolean> {
  const { rows } = await sql<{ isDone: boolean }>`
    with model as (
      select filled_tenant_id, filled_chunk_id from embedding_models where id = ${id} and not is_filled
    ), next as materialized (
      select c.tenant_id, c.id from model
      cross join lateral (
        select tenant_id, id from chunks
        where (tenant_id, id) > (model.filled_tenant_id, model.filled_chunk_id)
        order by tenant_id, id limit ${BACKFILL_BATCH}) as c
    ), queued as (
      insert into embedding_queue (tenant_id, chunk_id) select tenant_id, id from next
      on conflict do nothing
    ), moved as (
      update embedding_models set filled_tenant_id = last.tenant_id, filled_chunk_id = last.id
      from (select tenant_id, id from next order by tenant_id desc, id desc limit 1) as last
      where embedding_models.id = ${id}
    )
    select not exists (select from next) as is_done
  `.execute(db);
  return rows[0]?.isDone ?? true;
}

/**
 * Whether nothing waits that could soon be embedded: neither what was not tried, nor what has failed a few times only.
 *
 * @param db without the query guard
 */
export async function isQueueDrained(db: Queryable): Promise<boolean> {
  const { rows } = await sql<{ isDrained: boolean }>`
    select not exists (
      select from embedding_queue
      where error is null or (attempts between 1 and ${sql.lit(FEW_ATTEMPTS)} and retry_time < 'infinity')) as is_drained
  `.execute(db);
  return rows[0]?.isDrained ?? true;
}
