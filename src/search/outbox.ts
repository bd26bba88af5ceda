import { sql } from 'kysely';
import type { Queryable } from '../../db/schema.js';

/** Rows are locked in one order, to prevent deadlocks. */
export const onConflictRequeue = sql`
  on conflict (chunk_id) do update
  set revision = excluded.revision, queued_time = excluded.queued_time, task_uid = null, error = null`;

/** Enqueues chunks that are new, changed, deleted or differ from the index; without an external index, none. */
export async function enqueueChunks(tx: Queryable, chunkIds: string[]): Promise<void> {
  if (chunkIds.length === 0) return;
  await sql`
    insert into search_outbox (chunk_id)
    select distinct id collate "C" as id from unnest(${chunkIds}::text[]) as id
    where exists (select from search_index) order by id ${onConflictRequeue}
  `.execute(tx);
}

export interface DocumentKey {
  tenantId: string;
  documentId: string;
}

/** Likewise all chunks of some documents. */
export async function enqueueChunksOfDocuments(tx: Queryable, documents: DocumentKey[]): Promise<void> {
  if (documents.length === 0) return;
  const [tenantIds, documentIds] = [
    documents.map(({ tenantId }) => tenantId),
    documents.map(({ documentId }) => documentId),
  ];
  await sql`
    insert into search_outbox (chunk_id)
    select distinct c.id
    from unnest(${tenantIds}::text[], ${documentIds}::text[]) as changed (tenant_id, document_id)
    join chunks as c on c.tenant_id = changed.tenant_id and c.document_id = changed.document_id
    where not c.deleted and exists (select from search_index)
    order by c.id ${onConflictRequeue}
  `.execute(tx);
}
