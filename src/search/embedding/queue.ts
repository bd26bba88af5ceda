import { sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';
import { isCommitted } from '../indexing/is-committed.js';
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
  const { rows: due } = await sql<Omit<QueuedChunk, 'text'>>`
    with recursive ${tenantsInQueue}
    select q.tenant_id, q.chunk_id, q.revision, q.attempts
    from tenants as t
    cross join lateral (
      select *, row_number() over (order by retry_time) as turn
      from embedding_queue where tenant_id = t.tenant_id and retry_time <= now() and ${isCommitted('embedding_queue')}
      order by retry_time limit ${limit}) as q
    order by turn limit ${limit}
  `.execute(db);
  if (due.length === 0) return [];
  const texts = await readTexts(db, due);
  return due.map((chunk) => ({ ...chunk, text: texts.get(keyOf(chunk)) ?? null }));
}

async function readTexts(db: Queryable, due: ChunkKey[]): Promise<Map<string, string>> {
  const { rows } = await sql<ChunkKey & { text: string }>`
    select c.tenant_id, c.id as chunk_id,
      left(concat_ws(E'\n', nullif(content_complement, ''), nullif(content, '')), ${MAX_TEXT_LENGTH}) as text
    from unnest(${due.map(({ tenantId }) => tenantId)}::text[], ${due.map(({ chunkId }) => chunkId)}::text[])
      as due (tenant_id, chunk_id)
    join chunks as c on c.tenant_id = due.tenant_id and c.id = due.chunk_id
    where not c.deleted
  `.execute(db);
  return new Map(rows.map((row) => [keyOf(row), row.text]));
}

type ChunkKey = Pick<QueuedChunk, 'tenantId' | 'chunkId'>;

const keyOf = ({ tenantId, chunkId }: ChunkKey): string => JSON.stringify([tenantId, chunkId]);

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
  const retryTime =
    retryMs === undefined ? sql`'infinity'` : sql`now() + make_interval(secs => ${retryMs / 1000}::float8)`;
  await sql`
    update embedding_queue as q set error = ${error}, attempts = q.attempts + ${Number(isAttempt)}::smallint,
      retry_time = ${retryTime}
    from ${unnestChunks(chunks)} as late (tenant_id, chunk_id, revision)
    where q.tenant_id = late.tenant_id and q.chunk_id = late.chunk_id and q.revision = late.revision
  `.execute(db);
}

/** The keys of chunks in the queue with their revisions. */
const unnestChunks = (chunks: QueuedChunk[]) => sql`unnest(
  ${chunks.map(({ tenantId }) => tenantId)}::text[], ${chunks.map(({ chunkId }) => chunkId)}::text[],
  ${chunks.map(({ revision }) => revision)}::bigint[])`;

/**
 * Queues the next of the chunks that were there before the model.
 *
 * @param db without the query guard
 * @returns whether all are queued
 */
export async function backfill(db: Database, { id }: Pick<EmbeddingModel, 'id'>): Promise<boolean> {
  const model = await db
    .selectFrom('embeddingModels')
    .select(['filledTenantId', 'filledChunkId'])
    .where('id', '=', id)
    .where('isFilled', '=', false)
    .executeTakeFirst();
  if (!model) return true;
  const { rows: next } = await sql<{ tenantId: string; id: string }>`
    select tenant_id, id from chunks
    where (tenant_id, id) > (${model.filledTenantId}, ${model.filledChunkId})
    order by tenant_id, id limit ${BACKFILL_BATCH}
  `.execute(db);
  const last = next.at(-1);
  if (!last) return true;
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into embedding_queue (tenant_id, chunk_id)
      select * from unnest(${next.map(({ tenantId }) => tenantId)}::text[], ${next.map(({ id }) => id)}::text[])
      on conflict do nothing
    `.execute(tx);
    await tx
      .updateTable('embeddingModels')
      .set({ filledTenantId: last.tenantId, filledChunkId: last.id })
      .where('id', '=', id)
      .execute();
  });
  return false;
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
