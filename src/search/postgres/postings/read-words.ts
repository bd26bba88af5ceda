import { sql } from 'kysely';
import type { Database } from '../../../../db/schema.js';
import type { QueryScope } from '../../chunk-index.js';

/** A block of `posting_words`. */
export interface FoundWords {
  /** Place of the prefix that was asked for. */
  place: number;
  /** Sorted, separated by spaces; also some that begin otherwise. */
  words: string;
  /** Of each word, for `countOf`. */
  counts: Buffer;
  /** Whether no chunk that is counted has changed or gone since. */
  isCurrent: boolean;
}

export interface WordsOfSegments {
  blocks: FoundWords[];
  /** All segments of the query's datasets, also those with no such word. */
  segmentIds: ReadonlySet<number>;
}

type Row = FoundWords & { segmentId: number | null };

/**
 * Reads the words of the query's datasets that begin with some prefixes, those of the largest segments first.
 *
 * @param characters most for each prefix
 */
export async function readWords(
  db: Database,
  { tenantId, tenantUnitId, datasetIds }: QueryScope,
  prefixes: string[],
  characters: number,
): Promise<WordsOfSegments> {
  const { rows } = await sql<Row>`
    with segments as materialized (
      select id, chunks, dead_since is null and not (
        select exists (select from posting_changes where tenant_id = ${tenantId})) as is_current
      from posting_segments
      where tenant_id = ${tenantId} and tenant_unit_id = any(${[tenantUnitId].flat()}) and dataset_id = any(${datasetIds})
    ), blocks as materialized (
      select asked.place, block.words, block.counts, s.is_current,
        sum(octet_length(block.words)) over (partition by asked.place order by s.chunks desc, s.id, block.first_word) as size
      from segments as s
      cross join unnest(${prefixes}::text[]) with ordinality as asked (prefix, place)
      cross join lateral (
        select first_word, words, counts from posting_words
        where tenant_id = ${tenantId} and segment_id = s.id and first_word < asked.prefix || ${AFTER_ALL} and first_word >= coalesce((
          select first_word from posting_words
          where tenant_id = ${tenantId} and segment_id = s.id and first_word <= asked.prefix
          order by first_word desc limit 1), '')
        offset 0) as block
    )
    select place - 1 as place, words, counts, is_current, null::bigint as segment_id from blocks where size <= ${characters}
    union all
    select null, null, null, null, id from segments
  `.execute(db);
  const segmentIds = rows.flatMap(({ segmentId }) => segmentId ?? []);
  return { blocks: rows.filter(({ segmentId }) => segmentId === null), segmentIds: new Set(segmentIds) };
}

/** Follows all letters. */
const AFTER_ALL = '\uffff';
