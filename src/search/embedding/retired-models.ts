import { sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';

const BATCH = 2_000;
/** Searches may use a model for some seconds after it was retired. */
const GRACE = '1 minute';
/** Vectors of texts that no chunk has any more, kept for documents that come back. */
const RETENTION = '7 days';

/**
 * Deletes some vectors of retired models, and then the models.
 *
 * @param db without the query guard
 * @returns whether there may be more
 */
export async function deleteRetired(db: Queryable): Promise<boolean> {
  const { rows } = await sql<{ deleted: number }>`
    with batch as (
      select e.tenant_id, e.model_id, e.hash
      from embedding_models as m
      join embeddings as e on e.model_id = m.id
      where m.status = 'retired' and m.status_time < now() - ${GRACE}::interval limit ${BATCH}
    ), gone as (
      delete from embeddings as e using batch
      where e.tenant_id = batch.tenant_id and e.model_id = batch.model_id and e.hash = batch.hash
      returning 1
    )
    select count(*) as deleted from gone
  `.execute(db);
  if ((rows[0]?.deleted ?? 0) > 0) return true;
  await sql`
    delete from embedding_models as m
    where status = 'retired' and status_time < now() - ${GRACE}::interval and not exists (select from embeddings as e where e.model_id = m.id)
  `.execute(db);
  return false;
}

/** Deletes some vectors that no chunk has had for days. */
export async function sweepUnusedVectors(database: Database): Promise<void> {
  const db = unscoped(database, 'Unused vectors of all tenants are deleted after a week.');
  await sql`
    with batch as (
      select e.tenant_id, e.model_id, e.hash
      from embeddings as e
      where e.created_time < now() - ${RETENTION}::interval
        and not exists (select from chunk_texts as t where t.tenant_id = e.tenant_id and t.hash = e.hash)
      order by e.created_time limit ${BATCH}
    )
    delete from embeddings as e using batch
    where e.tenant_id = batch.tenant_id and e.model_id = batch.model_id and e.hash = batch.hash
  `.execute(db);
}
