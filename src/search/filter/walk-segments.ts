import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { isCancelledStatement } from '../../errors/errors.js';
import type { SegmentOrdinals } from '../postgres/postings/top-chunks.js';
import { documentMatches, filteredColumns, matches } from './condition.js';
import {
  comparisonsOf,
  type Filter,
  hasRest,
  isOfDocument,
  readKey,
  requirementsOf,
  restOf,
} from './filter.js';
import type { FilteredQuery } from './find-passing.js';
import { type Passing, toOrdinals } from './passing.js';

/** Chunks that one statement is about: well within the second that it has. */
const STEP = 20_000;
/** Of a search; what takes longer is truncated. */
const MAX_MS = 10_000;

interface Segment {
  id: number;
  chunks: number;
}

/**
 * Finds which chunks of the query's segments pass, however many there are: looks at all their documents, and where the
 * filter is about more than these, at the chunks of those that pass. Each statement takes a part of the time that one may.
 *
 * @param db a snapshot, in which segments stay what they are
 * @param options.known what an index says
 * @param options.matching leaves of the chunks of documents that pass, or of all, those that count
 * @returns undefined where that takes too long
 */
export async function walkSegments(
  db: Database,
  query: FilteredQuery,
  {
    known,
    matching = (among) => among,
  }: {
    known?: Passing | undefined;
    matching?: (among?: SegmentOrdinals) => SegmentOrdinals | undefined;
  } = {},
): Promise<Passing | undefined> {
  const until = performance.now() + MAX_MS;
  const { tenantId, tenantUnitId, datasetIds } = query;
  const { rows: segments } = await sql<Segment>`
    select id, chunks from posting_segments
    where tenant_id = ${tenantId} and tenant_unit_id = any(${[tenantUnitId].flat()}) and dataset_id = any(${datasetIds})
  `.execute(db);
  const isOfDocuments = requirementsOf(query.filter).some(isOfDocument);
  const among = known?.ordinals ?? (isOfDocuments ? await findDocuments() : undefined);
  if (isOfDocuments && !among) return undefined;
  const unknown = known && !known.isOfDocuments ? [query.filter] : restOf(query.filter);
  const ordinals = hasRest(query.filter) ? await findChunks(matching(among)) : among;
  const segmentIds = new Set(segments.map(({ id }) => id));
  return ordinals && { ordinals, segmentIds, isExact: true, isOfDocuments: true, documentIds: undefined };

  async function findDocuments(): Promise<SegmentOrdinals | undefined> {
    const ordinals = new Map<number, Uint32Array>();
    for (const ids of inGroups(segments)) {
      if (performance.now() > until) return undefined;
      const { rows } = await sql<{ segmentId: number; ordinals: Buffer; isPartial: boolean }>`
        select p.segment_id, string_agg(p.ordinals, '') as ordinals, bool_or(p.ordinals is null) as is_partial
        from (
          select segment_id, document_id, ordinals from posting_segment_documents
          where tenant_id = ${tenantId} and segment_id = any(${ids}::bigint[]) offset 0) as p
        cross join lateral (
          select ${filteredColumns} from documents
          where tenant_id = ${tenantId} and id = p.document_id and enabled limit 1) as d
        where ${documentMatches(query.filter)}
        group by p.segment_id
      `.execute(db);
      // A former release wrote it.
      if (rows.some(({ isPartial }) => isPartial)) return undefined;
      for (const row of rows) ordinals.set(row.segmentId, toOrdinals(row.ordinals));
    }
    return ordinals;
  }

  /** The chunks that pass, whose documents do. */
  async function findChunks(among: SegmentOrdinals | undefined): Promise<SegmentOrdinals | undefined> {
    const passing = new Map<number, Uint32Array>();
    for (const { id, chunks } of segments) {
      const asked = among ? among.get(id) : Uint32Array.from({ length: chunks }, (_, ordinal) => ordinal);
      const found: number[] = [];
      for (let first = 0; asked && first < asked.length; first += STEP) {
        if (performance.now() > until) return undefined;
        for (const { ordinal } of await findOf(id, asked.subarray(first, first + STEP))) found.push(ordinal);
      }
      if (found.length > 0) passing.set(id, Uint32Array.from(found).sort());
    }
    return passing;
  }

  /** Chunks that were made together are beside each other, as their ids are. */
  async function findOf(segmentId: number, ordinals: Uint32Array): Promise<{ ordinal: number }[]> {
    const { rows } = await sql<{ ordinal: number }>`
      with segment as materialized (
        -- Unpacked once.
        select chunk_ids || ''::bytea as chunk_ids from posting_segments
        where tenant_id = ${tenantId} and id = ${segmentId}
      )
      select asked.ordinal
      from (
        select one.ordinal, encode(substring(chunk_ids from 16 * one.ordinal + 1 for 16), 'hex')::uuid::text as id
        from segment cross join lateral (
          select ordinal from unnest(${[...ordinals]}::integer[]) as ordinal where chunk_ids is not null offset 0) as one
        order by id offset 0) as asked
      cross join lateral (
        select document_id, metadata from chunks
        where tenant_id = ${tenantId} and id = asked.id and status = 'active' and not deleted limit 1) as c
      cross join lateral (${documentOf(tenantId, unknown)}) as d
      where ${matches(unknown)}
    `.execute(db);
    return rows;
  }
}

/** What filters read of a chunk's document. */
const documentOf = (tenantId: string, filters: Filter[]) =>
  filters.flatMap(comparisonsOf).every(({ key }) => readKey(key)?.of === 'metadata')
    ? sql`select null::jsonb as custom_properties`
    : sql`select ${filteredColumns} from documents where tenant_id = ${tenantId} and id = c.document_id limit 1`;

function* inGroups(segments: Segment[]): Generator<number[]> {
  let [ids, sum]: [number[], number] = [[], 0];
  for (const { id, chunks } of segments) {
    if (ids.length > 0 && sum + chunks > STEP) {
      yield ids;
      [ids, sum] = [[], 0];
    }
    ids.push(id);
    sum += chunks;
  }
  if (ids.length > 0) yield ids;
}

/** Runs something in a transaction that sees the database as it is at the beginning. @returns undefined where a statement takes too long */
export async function inSnapshot<T>(
  db: Database,
  run: (snapshot: Database) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(run);
  } catch (error) {
    if (!isCancelledStatement(error)) throw error;
    return undefined;
  }
}
