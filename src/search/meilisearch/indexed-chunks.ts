import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';

/** A chunk as it should be indexed. */
export interface IndexedChunk {
  id: string;
  tenantId: string;
  tenantUnitId: string;
  datasetIds: string[];
  documentId: string;
  externalId: string | null;
  documentName: string | null;
  title: string | null;
  documentType: string;
  documentSubType: string | null;
  content: string;
  contentComplement: string;
  keywords: Record<string, number>;
  languages: string[];
  /** Those of the document's custom properties that the index has. */
  properties: Record<string, unknown> | null;
  /** Its tokens, separated by spaces. */
  terms: string;
  createdTime: Date;
  updatedTime: Date;
  /** Changes whenever anything of the above does. */
  revision: string;
  bucket: number;
}

/** Number of buckets; the SQL function `chunk_bucket` assigns chunks to them. */
export const BUCKET_COUNT = 4096;

/** In characters of JSON; longer ones are left out. */
const MAX_PROPERTY_LENGTH = 1_000;
const properties = sql`(
  select jsonb_object_agg(name, d.custom_properties -> name)
  from unnest((select property_names from search_index)) as name
  where length((d.custom_properties -> name)::text) <= ${sql.lit(MAX_PROPERTY_LENGTH)})`;
/** Without the type that processing finds: it is null meanwhile. */
const description = sql`row(d.document_name, d.title, d.external_id, d.document_type, d.document_sub_type, ${properties})`;
const revision = sql`
  concat_ws('.', t.analyzer, c.revision, d.datasets_revision, left(md5(${description}::text), 12))`;
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
      c.document_id, d.external_id, d.document_name, d.title, d.document_type,
      coalesce(d.document_sub_type, d.sniffed_sub_type) as document_sub_type,
      c.content, c.content_complement, c.keywords, c.metadata -> 'languages' as languages,
      ${properties} as properties, c.created_time, c.updated_time,
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
