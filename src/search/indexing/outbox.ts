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
  const { hasIndex, hasModel } = await readConsumers(tx);
  if (hasModel && texts.length > 0) await queueTexts(tx, tenantId, texts);
  if (hasIndex) await enqueue(tx, ofTenant(tenantId, chunkIds));
}

/** Likewise all chunks of a document, whose texts are unchanged. */
export async function enqueueChunksOfDocument(
  tx: Queryable,
  { tenantId, documentId }: { tenantId: string; documentId: string },
): Promise<void> {
  if (!(await readConsumers(tx)).hasIndex) return;
  const { rows } = await sql<{ id: string }>`
    select id from chunks where tenant_id = ${tenantId} and document_id = ${documentId} and not deleted
  `.execute(tx);
  await enqueue(
    tx,
    ofTenant(
      tenantId,
      rows.map(({ id }) => id),
    ),
  );
}

/** Likewise chunks of any tenant; those that are gone have none. Needs a database without the query guard. */
export async function enqueueChunksOfTenants(db: Queryable, chunkIds: string[]): Promise<void> {
  if (chunkIds.length === 0) return;
  const found = await findTenantsOf(db, chunkIds);
  await enqueue(db, new Map(chunkIds.map((id) => [id, found.get(id) ?? ''])));
}

/** The tenants of chunks that are there. Needs a database without the query guard. */
export async function findTenantsOf(db: Queryable, chunkIds: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ tenantId: string; id: string }>`
    select tenant_id, id from chunks where id = any(${chunkIds}::text[])
  `.execute(db);
  return new Map(rows.map(({ id, tenantId }) => [id, tenantId]));
}

/** Likewise chunks that are gone with their tenant, which is not named any more. */
export const enqueueGoneChunks = (tx: Queryable, chunkIds: string[]): Promise<void> =>
  enqueue(tx, ofTenant('', chunkIds));

/** Whether changes are recorded for an external index, and texts for a model. */
async function readConsumers(tx: Queryable): Promise<{ hasIndex: boolean; hasModel: boolean }> {
  const { rows } = await sql<{ hasIndex: boolean; hasModel: boolean }>`
    select exists (select from search_index) as has_index, exists (select from embedding_models) as has_model
  `.execute(tx);
  return rows[0] ?? { hasIndex: false, hasModel: false };
}

async function queueTexts(tx: Queryable, tenantId: string, chunkIds: string[]): Promise<void> {
  await sql`
    delete from chunk_texts where tenant_id = ${tenantId} and chunk_id = any(${chunkIds})
  `.execute(tx);
  await sql`
    insert into embedding_queue as q (tenant_id, chunk_id)
    select ${tenantId}, id collate "C" as id from unnest(${[...new Set(chunkIds)]}::text[]) as id order by id
    on conflict (tenant_id, chunk_id) do update
    set revision = excluded.revision, retry_time = excluded.retry_time, attempts = 0, error = null
  `.execute(tx);
}

/** @param chunks their tenants, by their ids */
async function enqueue(db: Queryable, chunks: Map<string, string>): Promise<void> {
  if (chunks.size === 0) return;
  await sql`
    insert into search_outbox (tenant_id, chunk_id)
    select tenant_id collate "C", id collate "C"
    from unnest(${[...chunks.values()]}::text[], ${[...chunks.keys()]}::text[]) as changed (tenant_id, id)
    where exists (select from search_index) order by 1, 2 ${onConflictRequeue}
  `.execute(db);
}

const ofTenant = (tenantId: string, chunkIds: string[]): Map<string, string> =>
  new Map(chunkIds.map((id) => [id, tenantId]));
