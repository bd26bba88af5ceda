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
const properties = (names: readonly string[]) => sql`(
  select jsonb_object_agg(name, d.custom_properties -> name)
  from unnest(${[...names]}::text[]) as name
  where length((d.custom_properties -> name)::text) <= ${sql.lit(MAX_PROPERTY_LENGTH)})`;
/** Without the type that processing finds: it is null meanwhile. */
const description = (names: readonly string[]) =>
  sql`row(d.document_name, d.title, d.external_id, d.document_type, d.document_sub_type, ${properties(names)})`;
const revision = (names: readonly string[]) => sql`
  concat_ws('.', t.analyzer, c.revision, d.datasets_revision, left(md5(${description(names)}::text), 12))`;
const datasets = sql`
  select s.dataset_id::text from document_datasets as s
  where s.tenant_id = c.tenant_id and s.document_id = c.document_id`;

/** Selects from the chunks that a search may return: active, of an enabled document, in a dataset. Can be extended with `and`. */
export const fromSearchable = sql`
  from chunks as c
  join chunk_terms as t on t.tenant_id = c.tenant_id and t.chunk_id = c.id
  join documents as d on d.tenant_id = c.tenant_id and d.id = c.document_id and d.enabled
  where c.status = 'active' and not c.deleted and exists (${datasets})`;

/** The chunks as they are indexed; likewise. */
export const selectIndexed = (names: readonly string[]) => sql`
  select c.id, c.tenant_id, c.tenant_unit_id, array(${datasets}) as dataset_ids,
    c.document_id, d.external_id, d.document_name, d.title, d.document_type,
    coalesce(d.document_sub_type, d.sniffed_sub_type) as document_sub_type,
    c.content, c.content_complement, c.keywords, c.metadata -> 'languages' as languages,
    ${properties(names)} as properties, c.created_time, c.updated_time,
    t.terms, ${revision(names)} as revision, chunk_bucket(c.id) as bucket
  ${fromSearchable}`;

/** Their revisions; likewise. */
export const selectRevisions = (names: readonly string[]) =>
  sql`select c.id, ${revision(names)} as revision ${fromSearchable}`;

/** Names of the custom properties that the index has. */
export async function readPropertyNames(db: Queryable): Promise<string[]> {
  const state = await db.selectFrom('searchIndex').select('propertyNames').executeTakeFirst();
  return state?.propertyNames ?? [];
}

/** The chunks of these keys that are to be indexed, by their ids. */
export async function readIndexedChunks(
  db: Queryable,
  keys: { tenantId: string; chunkId: string }[],
): Promise<Map<string, IndexedChunk>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<IndexedChunk>`
    ${selectIndexed(await readPropertyNames(db))} and (c.tenant_id, c.id) in (
      select * from unnest(${keys.map(({ tenantId }) => tenantId)}::text[], ${keys.map(({ chunkId }) => chunkId)}::text[]))
  `.execute(db);
  return new Map(rows.map((chunk) => [chunk.id, chunk]));
}

/** @param after an id; all if undefined */
export async function countIndexedChunks(db: Queryable, after?: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count ${fromSearchable} ${after === undefined ? sql`` : sql`and c.id > ${after}`}
  `.execute(db);
  return rows[0]?.count ?? 0;
}
