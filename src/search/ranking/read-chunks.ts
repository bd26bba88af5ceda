import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { ChunkQuery } from '../chunk-index.js';

/** A chunk to be ranked. */
export interface ChunkTermsRow {
  chunkId: string;
  length: number;
  terms: string;
}

/** A chunk by its id, or by its place in a segment of postings. */
export type ChunkReference = { chunkId: string } | { segmentId: number; ordinal: number };

/**
 * Reads the terms of those of the chunks that the query may find, as they are now: active chunks of enabled documents
 * in its tenant, units and datasets.
 *
 * @returns undefined when a segment is gone: it was merged into another one
 */
export async function readFindableChunks(
  db: Database,
  { tenantId, tenantUnitId, datasetIds }: Pick<ChunkQuery, 'tenantId' | 'tenantUnitId' | 'datasetIds'>,
  references: ChunkReference[],
): Promise<ChunkTermsRow[] | undefined> {
  const columns = references.map((reference) =>
    'chunkId' in reference
      ? { ...reference, segmentId: null, ordinal: null }
      : { ...reference, chunkId: null },
  );
  const { rows } = await sql<ChunkTermsRow & { isGone: boolean }>`
    with named as materialized (
      select case when asked.segment_id is null then asked.chunk_id else (
        select encode(substring(s.chunk_ids from 16 * asked.ordinal + 1 for 16), 'hex')::uuid::text
        from posting_segments as s where s.tenant_id = ${tenantId} and s.id = asked.segment_id) end as id
      from unnest(${columns.map(({ chunkId }) => chunkId)}::text[],
        ${columns.map(({ segmentId }) => segmentId)}::bigint[],
        ${columns.map(({ ordinal }) => ordinal)}::integer[]) as asked (chunk_id, segment_id, ordinal)
    )
    select c.id as chunk_id, t.length, t.terms, false as is_gone
    from (select distinct id from named) as n
    cross join lateral (
      select id, document_id from chunks
      where tenant_id = ${tenantId} and id = n.id and tenant_unit_id = any(${[tenantUnitId].flat()})
        and status = 'active' and not deleted limit 1) as c
    cross join lateral (
      select length, terms from chunk_terms where tenant_id = ${tenantId} and chunk_id = c.id limit 1) as t
    where exists (
        select from documents as d where d.tenant_id = ${tenantId} and d.id = c.document_id and d.enabled)
      and exists (
        select from document_datasets as s
        where s.tenant_id = ${tenantId} and s.document_id = c.document_id and s.dataset_id = any(${datasetIds}))
    union all
    select null, null, null, true from named where id is null
  `.execute(db);
  return rows.some(({ isGone }) => isGone) ? undefined : rows;
}
