import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { ChunkQuery } from '../chunk-index.js';
import { passing } from '../filter/condition.js';
import type { TokenizedChunk } from './count-terms.js';

/** A chunk by its place in a segment of postings. */
export interface SegmentChunk {
  segmentId: number;
  ordinal: number;
}

/** The id of the chunk at `asked (segment_id, ordinal)`; null where the segment is gone: it was merged into another one. */
export const chunkIdAt = (tenantId: string) => sql`
  select encode(substring(chunk_ids from 16 * asked.ordinal + 1 for 16), 'hex')::uuid::text
  from posting_segments where tenant_id = ${tenantId} and id = asked.segment_id`;

/** Reads the terms of those of the chunks that are still there. */
export async function readChunkTerms(
  db: Database,
  tenantId: string,
  chunkIds: string[],
): Promise<TokenizedChunk[]> {
  const { rows } = await sql<TokenizedChunk>`
    select t.chunk_id, t.length, t.terms
    from unnest(${chunkIds}::text[]) as asked (id)
    cross join lateral (
      select chunk_id, length, terms from chunk_terms
      where tenant_id = ${tenantId} and chunk_id = asked.id limit 1) as t
  `.execute(db);
  return rows;
}

/**
 * The same for chunks of segments, of those that pass the filter.
 *
 * @returns undefined when a segment is gone: it was merged into another one
 */
export async function readSegmentChunkTerms(
  db: Database,
  { tenantId, filter }: Pick<ChunkQuery, 'tenantId' | 'filter'>,
  chunks: SegmentChunk[],
): Promise<TokenizedChunk[] | undefined> {
  if (chunks.length === 0) return [];
  const segmentIds = chunks.map(({ segmentId }) => segmentId);
  const ordinals = chunks.map(({ ordinal }) => ordinal);
  // Looked up one by one through an index, whatever the planner's statistics are: `limit` sees to that.
  const { rows } = await sql<TokenizedChunk & { isGone: boolean }>`
    select t.chunk_id, t.length, t.terms, named.id is null as is_gone
    from (
      select (${chunkIdAt(tenantId)}) as id
      from unnest(${segmentIds}::bigint[], ${ordinals}::integer[]) as asked (segment_id, ordinal)
      offset 0) as named
    left join lateral (
      select chunk_id, length, terms
      from (select * from chunk_terms where tenant_id = ${tenantId} and chunk_id = named.id limit 1) as found
      ${passing({ tenantId, filter }, sql`named.id`)}) as t on true
    where t.chunk_id is not null or named.id is null
  `.execute(db);
  return rows.some(({ isGone }) => isGone) ? undefined : rows;
}
