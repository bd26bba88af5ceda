import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';

/** Rows are locked in one order, to prevent deadlocks. */
export const onConflictRequeue = sql`
  on conflict (tenant_id, chunk_id) do update
  set revision = excluded.revision, queued_time = excluded.queued_time, task_uid = null, error = null`;

/**
 * Enqueues chunks that are new, changed, deleted or differ from the index; without an external index, none. Those whose
 * text is new or changed are queued to be embedded, too, where there is a model; what was embedded is no longer theirs.
 *
 * @param texts those of the chunks
 */
export async function enqueueChunks(
  tx: Queryable,
  tenantId: string,
  chunkIds: string[],
  texts: string[],
): Promise<void> {
  if (chunkIds.length === 0) return;
  await sql`
    with outdated as (
      delete from chunk_texts where tenant_id = ${tenantId} and chunk_id = any(${texts})
    ), queued as (
      insert into embedding_queue as q (tenant_id, chunk_id)
      select distinct ${tenantId}, id collate "C" as id from unnest(${texts}::text[]) as id
      where exists (select from embedding_models) order by id
      on conflict (tenant_id, chunk_id) do update
      set revision = default, retry_time = excluded.retry_time, attempts = 0, error = null
    )
    insert into search_outbox (tenant_id, chunk_id)
    select distinct ${tenantId}, id collate "C" as id from unnest(${chunkIds}::text[]) as id
    where exists (select from search_index) order by id ${onConflictRequeue}
  `.execute(tx);
}

/** Likewise all chunks of a document. */
export async function enqueueChunksOfDocument(
  tx: Queryable,
  { tenantId, documentId }: { tenantId: string; documentId: string },
): Promise<void> {
  await sql`
    insert into search_outbox (tenant_id, chunk_id)
    select tenant_id, id from chunks
    where tenant_id = ${tenantId} and document_id = ${documentId} and not deleted
      and exists (select from search_index)
    order by id ${onConflictRequeue}
  `.execute(tx);
}

/** Likewise chunks of any tenant; those that are gone have none. Needs a database without the query guard. */
export async function enqueueChunksOfTenants(db: Queryable, chunkIds: string[]): Promise<void> {
  if (chunkIds.length === 0) return;
  await sql`
    insert into search_outbox (tenant_id, chunk_id)
    select coalesce(c.tenant_id, ''), asked.id
    from (select distinct id collate "C" as id from unnest(${chunkIds}::text[]) as id) as asked
    left join chunks as c on c.id = asked.id
    where exists (select from search_index) order by 1, 2 ${onConflictRequeue}
  `.execute(db);
}

/** Likewise chunks that are gone with their tenant, which is not named any more. */
export async function enqueueGoneChunks(tx: Queryable, chunkIds: string[]): Promise<void> {
  if (chunkIds.length === 0) return;
  await sql`
    insert into search_outbox (tenant_id, chunk_id)
    select distinct '', id collate "C" as id from unnest(${chunkIds}::text[]) as id
    where exists (select from search_index) order by id ${onConflictRequeue}
  `.execute(tx);
}
