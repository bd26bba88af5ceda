import { sql } from 'kysely';
import { PRUNE_BATCH, type Prune, pruneBatch } from '../../../db/prune.js';
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

/**
 * Deletes vectors of texts that no chunk has any more, of those made over a week ago. Most that it looks at are used: after
 * a while somebody stops it, and the next one goes on from where it was.
 */
export function createSweepUnusedVectors(database: Database): () => Prune {
  const db = unscoped(database, 'Unused vectors of all tenants are deleted after a week.');
  let from = '-infinity';
  return async function* () {
    for (;;) {
      const batch = await pruneBatch(db, (tx) => deleteUnusedFrom(tx, from));
      if (!batch) return;
      from = batch.seen < PRUNE_BATCH ? '-infinity' : batch.last;
      yield batch.deleted;
      if (batch.seen < PRUNE_BATCH) return;
    }
  };
}

async function deleteUnusedFrom(
  tx: Queryable,
  from: string,
): Promise<{ seen: number; last: string; deleted: number }> {
  const { rows } = await sql<{ seen: number; last: string; deleted: number }>`
    with seen as materialized (
      select tenant_id, model_id, hash, created_time from embeddings
      where created_time > ${from}::timestamptz and created_time < now() - ${RETENTION}::interval
      order by created_time fetch first ${PRUNE_BATCH} rows with ties
    ), deleted as (
      delete from embeddings as e using seen as s
      where e.tenant_id = s.tenant_id and e.model_id = s.model_id and e.hash = s.hash
        and not exists (select from chunk_texts as t where t.tenant_id = s.tenant_id and t.hash = s.hash)
      returning 1
    )
    select (select count(*) from seen) as seen, (select max(created_time)::text from seen) as last,
      (select count(*) from deleted) as deleted
  `.execute(tx);
  return rows[0] ?? { seen: 0, last: from, deleted: 0 };
}
