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
  const { rows: models } = await sql<{ id: number }>`
    select id from embedding_models where status = 'retired' and status_time < now() - ${GRACE}::interval
  `.execute(db);
  if (models.length === 0) return false;
  const ids = models.map(({ id }) => id);
  const { rows } = await sql<VectorKey>`
    select tenant_id, model_id, hash from embeddings where model_id = any(${ids}::bigint[]) limit ${BATCH}
  `.execute(db);
  if (rows.length > 0) {
    await sql`
      delete from embeddings as e using ${unnestKeys(rows)} as old (tenant_id, model_id, hash)
      where e.tenant_id = old.tenant_id and e.model_id = old.model_id and e.hash = old.hash
    `.execute(db);
    return true;
  }
  await db.deleteFrom('embeddingModels').where('id', 'in', ids).execute();
  return false;
}

interface VectorKey {
  tenantId: string;
  modelId: number;
  hash: Buffer;
}

const unnestKeys = (keys: VectorKey[]) => sql`unnest(${keys.map(({ tenantId }) => tenantId)}::text[],
  ${keys.map(({ modelId }) => modelId)}::bigint[], ${keys.map(({ hash }) => hash)}::bytea[])`;

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
  const { rows: seen } = await sql<VectorKey & { time: string }>`
    select tenant_id, model_id, hash, created_time::text as time from embeddings
    where created_time > ${from}::timestamptz and created_time < now() - ${RETENTION}::interval
    order by created_time fetch first ${PRUNE_BATCH} rows with ties
  `.execute(tx);
  if (seen.length === 0) return { seen: 0, last: from, deleted: 0 };
  const { numAffectedRows: deleted } = await sql`
    delete from embeddings as e using ${unnestKeys(seen)} as seen (tenant_id, model_id, hash)
    where e.tenant_id = seen.tenant_id and e.model_id = seen.model_id and e.hash = seen.hash
      and not exists (select from chunk_texts as t where t.tenant_id = e.tenant_id and t.hash = e.hash)
  `.execute(tx);
  return { seen: seen.length, last: seen.at(-1)?.time ?? from, deleted: Number(deleted ?? 0) };
}
