import { sql } from 'kysely';
import type { Database } from '../../../../db/schema.js';
import type { QueryScope } from '../../chunk-index.js';
import type { ChangedChunk } from '../../typos/changed-words.js';
import { hashTerm } from './hash-term.js';
import type { KnownLists, PostingCache } from './posting-cache.js';
import { findInBucket, type PostingList } from './posting-format.js';

/** How much one search reads. */
export interface PostingLimits {
  /** Bytes of posting lists: of the rarest terms first. The others are only counted. */
  bytes: number;
  /** Rows of posting lists: one for each term and segment. */
  lookups: number;
  /** Changed chunks; none at 0. */
  changed: number;
  /** Segments whose posting lists are read; all if undefined. Those of the others are only counted. */
  among?: number[] | undefined;
}

export const DEFAULT_LIMITS: PostingLimits = { bytes: 3_000_000, lookups: 8_000, changed: 4_000 };

export interface FoundSegment {
  id: number;
  chunks: number;
  lengths: Buffer;
  /** By the term's place in the query. */
  postings: Map<number, PostingList>;
}

/** What the index of the query's datasets says of some terms. */
export interface FoundPostings {
  segments: FoundSegment[];
  /** Chunks that changed since the segments were written. */
  changed: ChangedChunk[];
  /** Of all chunks in the segments, in terms. */
  length: number;
  /** How many chunks in the segments hold each term. */
  frequencies: number[];
  /** Whether there is more than one search may read. */
  isTruncated: boolean;
}

type Row =
  | { kind: 'segment'; segmentId: number; chunks: number; length: number; bytes: Buffer }
  | {
      kind: 'list';
      segmentId: number;
      place: number;
      chunks: number | null;
      length: number;
      isKnown: boolean;
      bytes: Buffer | null;
    }
  | { kind: 'changed'; chunkId: string; length: number; terms: string; words: string };

const NOTHING_KNOWN: KnownLists = {
  segmentIds: [],
  places: [],
  find: () => undefined,
  keep() {},
  forget() {},
};

/**
 * Reads the postings of terms in all segments of the query's datasets, and the chunks that changed since. In one
 * statement, so that each chunk is in one or the other.
 */
export async function readPostings(
  db: Database,
  query: QueryScope,
  terms: string[],
  limits: PostingLimits,
  cache?: PostingCache,
): Promise<FoundPostings> {
  const { tenantId, datasetIds } = query;
  const units = [query.tenantUnitId].flat();
  const hashes = terms.map(hashTerm);
  const among = limits.among ?? null;
  const known = cache?.known(tenantId, hashes) ?? NOTHING_KNOWN;
  // Each part is looked up through an index, whatever the planner's statistics are: `limit` and `offset` see to that.
  const { rows } = await sql<Row>`
    with segments as materialized (
      select id, chunks, length, buckets, lengths from posting_segments
      where tenant_id = ${tenantId} and tenant_unit_id = any(${units}) and dataset_id = any(${datasetIds})
    ), lists as materialized (
      select s.id as segment_id, asked.place, list.chunks, list.postings,
        ${among}::bigint[] is null or s.id = any(${among}::bigint[]) as is_asked,
        (s.id, asked.place) in (
          select * from unnest(${known.segmentIds}::bigint[], ${known.places}::bigint[])) as is_known,
        sum(list.chunks) over (partition by asked.place) as frequency
      from segments as s
      join unnest(${hashes}::bigint[]) with ordinality as asked (hash, place)
        on asked.place <= ${limits.lookups}::integer / greatest(1, (select count(*) from segments))
      cross join lateral (
        select chunks, postings from posting_lists
        where tenant_id = ${tenantId} and segment_id = s.id and key in (asked.hash, -1 - ((asked.hash * s.buckets) >> 32))
        order by key desc limit 1) as list
    ), changes as materialized (
      select distinct p.document_id, named.chunk_id
      from (
        select p.document_id, p.chunk_ids
        from posting_changes as p
        cross join lateral (
          select from documents
          where tenant_id = ${tenantId} and id = p.document_id and enabled and tenant_unit_id = any(${units})
            and dataset_ids && ${datasetIds}::text[] limit 1) as d
        where p.tenant_id = ${tenantId}
        offset 0) as p
      left join lateral unnest(p.chunk_ids) as named (chunk_id) on true
    ), changed as materialized (
      (select c.id
       from (select document_id from changes where chunk_id is null) as whole
       cross join lateral (
         select id from chunks
         where tenant_id = ${tenantId} and document_id = whole.document_id and status = 'active' and not deleted
         offset 0) as c
       limit ${limits.changed}::integer)
      union
      (select c.id
       from (select chunk_id from changes where chunk_id is not null) as single
       cross join lateral (
         select id from chunks
         where tenant_id = ${tenantId} and id = single.chunk_id and status = 'active' and not deleted limit 1) as c
       limit ${limits.changed}::integer)
      limit ${limits.changed}::integer
    )
    select 'segment' as kind, id as segment_id, null::bigint as place, chunks, length, lengths as bytes,
      null as chunk_id, null as terms, null as words, false as is_known
    from segments
    union all
    select 'list', segment_id, place, chunks, octet_length(postings),
      case when chunks is null or (is_asked and not is_known and size <= ${limits.bytes}) then postings end,
      null, null, null, is_asked and is_known and size <= ${limits.bytes}
    from (
      select *, sum(octet_length(postings)) filter (where is_asked)
        over (order by coalesce(frequency, 0), place, segment_id) as size
      from lists) as rarest_first
    union all
    select 'changed', null, null, null, t.length, null, c.id, t.terms, t.words, false
    from changed as c
    cross join lateral (
      select length, terms, words from chunk_terms where tenant_id = ${tenantId} and chunk_id = c.id limit 1) as t
  `.execute(db);
  return collect(rows, hashes, { limits, known });
}

function collect(
  rows: Row[],
  hashes: number[],
  { limits, known }: { limits: PostingLimits; known: KnownLists },
): FoundPostings {
  const segments = new Map<number, FoundSegment>();
  const among = limits.among && new Set(limits.among);
  const found: FoundPostings = {
    segments: [],
    changed: [],
    length: 0,
    frequencies: hashes.map(() => 0),
    isTruncated: false,
  };
  for (const row of rows) {
    if (row.kind === 'segment') {
      segments.set(row.segmentId, {
        id: row.segmentId,
        chunks: row.chunks,
        lengths: row.bytes,
        postings: new Map(),
      });
      found.length += row.length;
    } else if (row.kind === 'changed') {
      found.changed.push(row);
    }
  }
  const add = (segmentId: number, place: number, list: PostingList) => {
    (found.frequencies[place - 1] as number) += list.count;
    segments.get(segmentId)?.postings.set(place - 1, list);
  };
  for (const row of rows) {
    if (row.kind !== 'list') continue;
    const { segmentId, place, chunks, bytes } = row;
    if (chunks === null) {
      const list = bytes && findInBucket(bytes, hashes[place - 1] as number);
      if (list) add(segmentId, place, list);
      continue;
    }
    const cached = row.isKnown ? known.find(segmentId, place) : undefined;
    const list = bytes ? { bytes, start: 0, end: bytes.length, count: chunks } : cached;
    // Another length: a database that was restored gives the ids of segments anew.
    if (list && list.bytes.length === row.length) {
      known.keep(segmentId, place, list);
      add(segmentId, place, list);
      continue;
    }
    if (list) known.forget(segmentId, place);
    found.isTruncated ||= !among || among.has(segmentId);
    (found.frequencies[place - 1] as number) += chunks;
  }
  found.segments = [...segments.values()];
  found.isTruncated ||=
    (limits.changed > 0 && found.changed.length === limits.changed) ||
    found.segments.length * hashes.length > limits.lookups;
  return found;
}

/**
 * Adds the postings of further terms of the same query, read by a later statement.
 *
 * @returns undefined when segments were merged in between
 */
export function addPostings(found: FoundPostings, further: FoundPostings): FoundPostings | undefined {
  const byId = new Map(further.segments.map((segment) => [segment.id, segment]));
  if (byId.size !== found.segments.length) return undefined;
  const offset = found.frequencies.length;
  const segments: FoundSegment[] = [];
  for (const segment of found.segments) {
    const more = byId.get(segment.id);
    if (!more) return undefined;
    const postings = new Map(segment.postings);
    for (const [place, list] of more.postings) postings.set(offset + place, list);
    segments.push({ ...segment, postings });
  }
  return {
    ...found,
    segments,
    frequencies: [...found.frequencies, ...further.frequencies],
    isTruncated: found.isTruncated || further.isTruncated,
  };
}
