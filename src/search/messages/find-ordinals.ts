import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { toOrdinals } from '../filter/passing.js';
import type { SegmentOrdinals } from '../postgres/postings/top-chunks.js';
import type { MessageQuery } from './message-query.js';

/** With more conversations, it takes less to look through the best messages until enough have passed. */
const MAX_CONVERSATIONS = 2_000;

/**
 * Finds by the indexes of the list where in segments the messages of conversations are that pass a filter.
 *
 * @returns undefined where there is no filter, or too many pass; 'gone' when a segment was merged into another one
 */
export async function findOrdinals(
  db: Database,
  { tenantId, conversations: { newest } }: MessageQuery,
  segmentIds: number[],
): Promise<SegmentOrdinals | undefined | 'gone'> {
  if (!newest) return undefined;
  const { rows } = await sql<{
    segmentId: number | null;
    bytes: Buffer | null;
    conversations: number;
    segments: number;
  }>`
    with found as materialized (select id from (${newest(MAX_CONVERSATIONS + 1)}) as page)
    select null::bigint as segment_id, null::bytea as bytes, (select count(*) from found) as conversations,
      (select count(*) from posting_segments where tenant_id = ${tenantId} and id = any(${segmentIds}::bigint[])) as segments
    union all
    select o.segment_id, string_agg(o.ordinals, ''), 0, 0
    from (select id from found where (select count(*) from found) <= ${sql.lit(MAX_CONVERSATIONS)} offset 0) as f
    cross join lateral (
      select segment_id, ordinals from posting_segment_documents
      where tenant_id = ${tenantId} and document_id = f.id offset 0) as o
    group by o.segment_id
  `.execute(db);
  const counts = rows.find(({ segmentId }) => segmentId === null);
  if (counts?.segments !== segmentIds.length) return 'gone';
  if (counts.conversations > MAX_CONVERSATIONS) return undefined;
  const ordinals = new Map<number, Uint32Array>();
  for (const { segmentId, bytes } of rows)
    if (segmentId !== null && bytes) ordinals.set(segmentId, toOrdinals(bytes));
  return ordinals;
}
