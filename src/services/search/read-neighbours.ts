import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { type CitedRow, spanOf } from './citation.js';
import { type ContextRequest, MAX_CONTEXT_CHARACTERS } from './context.schema.js';
import type { PlacedChunk } from './passages.js';
import type { ChunkSearch } from './search.schema.js';

/** Chunks read on one side of a hit, however short they are. */
const MAX_READ = 50;
/** A chunk repeats at most half of itself: twice the characters are enough. */
const REPEATED = 2;

type NeighbourRow = Pick<CitedRow, 'ordinal' | 'edited' | 'metadata'> &
  Pick<PlacedChunk, 'id' | 'documentId' | 'content'>;

/**
 * Reads the chunks around hits that a search of the same scope could find, too, in one statement: by their places in their
 * documents, each once. Those behind a chunk that it could not find are among them.
 */
export async function readNeighbours(
  db: Database,
  { scope: { tenantId, tenantUnitId }, datasetIds }: Pick<ChunkSearch, 'scope' | 'datasetIds'>,
  hits: readonly Pick<PlacedChunk, 'documentId' | 'ordinal'>[],
  { before, after, unit }: ContextRequest,
): Promise<PlacedChunk[]> {
  if (hits.length === 0 || before + after === 0) return [];
  const [documentIds, ordinals] = [
    hits.map(({ documentId }) => documentId),
    hits.map(({ ordinal }) => ordinal),
  ];
  const isVisible = sql`tenant_id = ${tenantId} and tenant_unit_id = any(${[tenantUnitId].flat()})
    and status = 'active' and not deleted`;
  /** Ordinals of one side, the nearest first, until they have as many characters as are wanted. */
  const side = (amount: number, isBefore: boolean) => {
    const chunks = unit === 'chunks' ? amount : Math.sign(amount) * MAX_READ;
    const characters = REPEATED * (unit === 'chunks' ? MAX_CONTEXT_CHARACTERS : amount);
    const order = isBefore ? sql`ordinal desc` : sql`ordinal`;
    const isNear = isBefore
      ? sql`ordinal < asked.ordinal and ordinal >= asked.ordinal - ${chunks}::int`
      : sql`ordinal > asked.ordinal and ordinal <= asked.ordinal + ${chunks}::int`;
    return sql`
      select ordinal from (
        select ordinal, sum(length(content)) over (order by ${order}) - length(content) as nearer
        from (
          select ordinal, content from chunks
          where ${isVisible} and document_id = asked.document_id and ${isNear}
          order by ${order} limit ${chunks}::int) as read) as measured
      where nearer < ${characters}::int`;
  };
  // Looked up one by one through an index, whatever the planner's statistics are: `limit` sees to that.
  const { rows } = await sql<NeighbourRow>`
    with asked as (
      select a.document_id, a.ordinal
      from unnest(${documentIds}::text[], ${ordinals}::int[]) as a (document_id, ordinal)
      cross join lateral (
        select from documents
        where tenant_id = ${tenantId} and id = a.document_id and enabled and dataset_ids && ${datasetIds}::text[] limit 1) as d
    ), near as (
      select distinct asked.document_id, n.ordinal
      from asked cross join lateral (${side(before, true)} union all ${side(after, false)}) as n
    )
    select c.* from near cross join lateral (
      select id, document_id, ordinal, content, edited, metadata from chunks
      where ${isVisible} and document_id = near.document_id and ordinal = near.ordinal
      order by ordinal limit 1) as c
  `.execute(db);
  return rows.map(({ metadata, ...row }) => ({ ...row, span: spanOf(metadata) }));
}
