import { type RawBuilder, sql } from 'kysely';
import type { EntryRange } from './entry.js';

/** Rows that are looked up: one for each range and segment. */
const MAX_LOOKUPS = 8_000;
/** Two blocks that follow each other are larger than two of these. */
const LEAST_BLOCK = 500;

/**
 * The common table expressions `blocks`, with the metadata of chunks of `segments`, and `chosen`, the places of the sources of
 * which there are all blocks: of those with the fewest bytes as many as are asked for.
 *
 * @param sources ranges, of which one has to hold a chunk's value; numbered as if they were one list
 */
export function metadataBlocks(
  tenantId: string,
  sources: EntryRange[][],
  bytes: number,
): RawBuilder<unknown> {
  const ranges = sources.flatMap((source, place) => source.map((range) => ({ ...range, place })));
  return sql`ranges as materialized (
      select place, least, most, range - 1 as range
      from unnest(${ranges.map(({ place }) => place)}::integer[], ${ranges.map(({ least }) => least)}::bytea[],
        ${ranges.map(({ most }) => most)}::bytea[]) with ordinality as asked (place, least, most, range)
      where (select count(*) from segments) <= ${MAX_LOOKUPS}::integer / ${Math.max(1, ranges.length)}::integer
    ), blocks as materialized (
      select asked.place, asked.range, s.id as segment_id, block.entries
      from ranges as asked
      cross join (select id from segments where has_metadata) as s
      cross join lateral (
        select entries from posting_segment_metadata
        where tenant_id = ${tenantId} and segment_id = s.id and first_entry <= asked.most and first_entry >= coalesce((
          select first_entry from posting_segment_metadata
          where tenant_id = ${tenantId} and segment_id = s.id and first_entry <= asked.least
          order by first_entry desc limit 1), '')
        limit ${1 + Math.ceil(bytes / LEAST_BLOCK)}::integer) as block
    ), chosen as materialized (
      select place
      from (
        select place, sum(size) over (order by size, place) as size
        from (
          select ranges.place, (select coalesce(sum(octet_length(entries)), 0) from blocks where blocks.place = ranges.place) as size
          from ranges group by ranges.place) as sizes) as running
      where size <= ${bytes}::integer
    )`;
}
