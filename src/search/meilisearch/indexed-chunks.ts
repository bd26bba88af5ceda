import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';

/** A chunk as it should be indexed. */
export interface IndexedChunk {
  id: string;
  tenantId: string;
  tenantUnitId: string;
  datasetIds: string[];
  /** Its tokens, separated by spaces. */
  terms: string;
  /** Changes whenever anything of the above does. */
  revision: string;
  bucket: number;
}

/** Number of buckets; the SQL function `chunk_bucket` assigns chunks to them. */
export const BUCKET_COUNT = 4096;

const revision = sql`concat_ws('.', t.analyzer, c.revision, d.datasets_revision)`;
const datasets = sql`
  select s.dataset_id::text from document_datasets as s
  where s.tenant_id = c.tenant_id and s.document_id = c.document_id`;
/** Chunks that a search may return: active, of an enabled document, in a dataset. */
const searchable = sql`
  from chunks as c
  join chunk_terms as t on t.tenant_id = c.tenant_id and t.chunk_id = c.id
  join documents as d on d.tenant_id = c.tenant_id and d.id = c.document_id and d.enabled
  where c.status = 'active' and not c.deleted and exists (${datasets})`;

/**
 * Queries for the chunks to be indexed; each ends in a `where` clause that can be extended with `and`; `c` is
 * the chunk.
 */
export const indexedChunksQuery = {
  selectRows: sql`
    select c.id, c.tenant_id, c.tenant_unit_id, array(${datasets}) as dataset_ids,
      t.terms, ${revision} as revision,
      chunk_bucket(c.id) as bucket
    ${searchable}`,
  selectKeys: sql`select c.tenant_id, c.id, ${revision} as revision, chunk_bucket(c.id) as bucket ${searchable}`,
};

export async function countIndexedChunks(db: Queryable): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${indexedChunksQuery.selectKeys}) as indexed
  `.execute(db);
  return rows[0]?.count ?? 0;
}
