import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { ChunkQuery } from '../chunk-index.js';
import type { SegmentOrdinals } from '../postgres/postings/top-chunks.js';
import type { TokenizedChunk } from '../ranking/count-terms.js';
import type { SegmentChunk } from '../ranking/read-chunk-terms.js';
import { documentMatches, filteredColumns, restMatches } from './condition.js';
import { type Filter, hasRest } from './filter.js';
import { isOfChunks, isOfDocuments, sourcesOf } from './filter-sources.js';
import { metadataBlocks } from './metadata-blocks.js';
import { collectPassing, type Passing, type PassingRow, selectPassing } from './passing.js';
import { chooseSource, idsOf } from './sources.js';

/** A query with a filter. */
export type FilteredQuery = ChunkQuery & { filter: Filter };

export const isFiltered = (query: ChunkQuery): query is FilteredQuery => query.filter !== undefined;

/**
 * Documents that are looked up, at most twice the root of the number of chunks that the tenant has in all datasets, as the
 * indexes of documents are of all of them: with more, a larger part of the chunks passes, and it takes less to look through
 * the best until enough have passed. Of few chunks that are searched, all can be looked through.
 */
const LOOKED_UP = { least: 500, most: 5_000, ofChunk: 4 };
/** Segments of a tenant whose chunks are counted. */
const MAX_COUNTED_SEGMENTS = 1_000;
/** Of the best chunks, as long as it is not known which ones pass. */
const MAX_LOOKED_THROUGH = 2_500;
/** Of blocks of metadata: where more pass, enough of the best chunks do. */
const METADATA_BYTES = { usual: 200_000, thorough: 2_000_000 };
/** Chunks whose terms or vectors are read, whatever the postings say. */
export const FEW_CHUNKS = 200;

/**
 * Finds by index the chunks of a query's datasets that may pass the filter: those of documents that pass, and of these
 * those with the right metadata.
 *
 * @param options.isThorough finds more of them by their metadata
 * @returns undefined where they are too many, or no index helps
 */
export async function findPassing(
  db: Database,
  query: FilteredQuery,
  { isThorough = false }: { isThorough?: boolean } = {},
): Promise<Passing | undefined> {
  const { tenantId, datasetIds } = query;
  const units = [query.tenantUnitId].flat();
  const { least, most, ofChunk } = LOOKED_UP;
  const sources = sourcesOf(query.filter);
  const source = await chooseSource(db, query, sources.filter(isOfDocuments));
  const metadata = sources.filter(isOfChunks).map((one) => one.metadata);
  if (!source && metadata.length === 0) return undefined;
  // Each part is looked up through an index, whatever the planner's statistics are: `limit` and `offset` see to that.
  const { rows } = await sql<PassingRow>`
    with segments as materialized (
      select id, chunks, has_metadata is true as has_metadata from posting_segments
      where tenant_id = ${tenantId} and tenant_unit_id = any(${units}) and dataset_id = any(${datasetIds})
    ), bound as materialized (
      select greatest(${least}::integer, least(${most}::integer, ${ofChunk} * coalesce(sum(chunks), 0), (
        select 2 * sqrt(coalesce(sum(chunks), 0)) from (
          select chunks from posting_segments where tenant_id = ${tenantId} limit ${sql.lit(MAX_COUNTED_SEGMENTS)}) as counted
      )))::integer as most
      from segments
    ), found as materialized (
      select id from (${idsOf(query, source ? [source] : [])}) as one limit (select most + 1 from bound)
    ), passing as materialized (
      select f.id, d.chunk_count
      from (select distinct id from found where (select count(*) from found) <= (select most from bound) offset 0) as f
      cross join lateral (
        select chunk_count, ${filteredColumns} from documents
        where tenant_id = ${tenantId} and id = f.id and tenant_unit_id = any(${units}) and enabled
          and dataset_ids && ${datasetIds}::text[] limit 1) as d
      where ${documentMatches(query.filter)}
    ), total as (
      select sum(chunk_count) as chunks from passing
    ), ${metadataBlocks(tenantId, metadata, isThorough ? METADATA_BYTES.thorough : METADATA_BYTES.usual)}
    select 'documents' as kind, null::bigint as segment_id, null::bytea as bytes, false as is_partial,
      (select count(*) from found) > (select most from bound) as is_too_many,
      case when coalesce(chunks, 0) <= ${sql.lit(FEW_CHUNKS)} then array(select id::text from passing) end as ids,
      null::integer as number
    from total
    union all ${selectPassing(tenantId)}
  `.execute(db);
  return collectPassing(rows, {
    isOfDocuments: source !== undefined,
    isExact: !hasRest(query.filter),
    metadata,
  });
}

/** The terms of all chunks that pass, also of those that are not in segments yet. Undefined where they are more. */
export async function readPassing(
  db: Database,
  { tenantId, filter }: FilteredQuery,
  documentIds: string[],
): Promise<TokenizedChunk[] | undefined> {
  const most = 2 * FEW_CHUNKS;
  const { rows } = await sql<TokenizedChunk>`
    select t.chunk_id, t.length, t.terms
    from unnest(${documentIds}::text[]) as asked (id)
    cross join lateral (
      select ${filteredColumns} from documents where tenant_id = ${tenantId} and id = asked.id limit 1) as d
    cross join lateral (
      select id, metadata from chunks
      where tenant_id = ${tenantId} and document_id = d.id and status = 'active' and not deleted offset 0) as c
    cross join lateral (
      select chunk_id, length, terms from chunk_terms
      where ${restMatches(filter)} and tenant_id = ${tenantId} and chunk_id = c.id limit 1) as t
    limit ${sql.lit(most + 1)}
  `.execute(db);
  return rows.length > most ? undefined : rows;
}

/** Whether going on through the best chunks is likely more work than looking at all that may pass. */
export const isHopeless = (
  { limit, filter }: FilteredQuery,
  { depth, passed }: { depth: number; passed: number },
): boolean =>
  depth >= MAX_LOOKED_THROUGH || (!hasRest(filter) && (depth * limit) / (passed + 0.5) > MAX_LOOKED_THROUGH);

/** The chunks, if they are not more than so many. */
export function placesOf(ordinals: SegmentOrdinals, most: number): SegmentChunk[] | undefined {
  let count = 0;
  for (const { length } of ordinals.values()) count += length;
  if (count > most) return undefined;
  return [...ordinals].flatMap(([segmentId, some]) =>
    Array.from(some, (ordinal) => ({ segmentId, ordinal })),
  );
}
