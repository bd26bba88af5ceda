import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { advisoryLockKey } from '../../../../db/advisory-locks.js';
import type { Database, Queryable } from '../../../../db/schema.js';
import {
  chooseMerge,
  FULL_SEGMENT,
  MAX_DEAD_HOURS,
  MAX_DEAD_SHARE,
  type SegmentSize,
  SMALL_SEGMENT,
} from './choose-merge.js';
import { type PostedChunk, SegmentBuilder } from './segment-builder.js';
import { type IndexedDataset, writeSegment } from './write-segment.js';

/** Chunks read at a time. */
const PAGE = 250;
/** Terms added at a time, in some 10 ms where all are words that occur nowhere else; other requests go on in between. */
const TERMS_PER_TICK = 4_096;

/** What became of the recorded changes of a tenant. */
export interface MovedChanges {
  /** Whether more are waiting; not if another process is at them. */
  hasMore: boolean;
  /** The datasets whose segments changed. */
  datasets: IndexedDataset[];
}

/** Reads those of some chunks that a search in the dataset may return; `ids` is a query for the column `id`. */
export type ReadPosted = (
  tx: Queryable,
  dataset: IndexedDataset,
  ids: RawBuilder<unknown>,
) => Promise<PostedChunk[]>;

interface Reading {
  read: ReadPosted;
  signal?: AbortSignal | undefined;
}

/**
 * Merges segments of a dataset where that is due.
 *
 * @returns 'merged': it may be due again; 'locked': another process writes segments of the tenant, nothing was done
 */
export const mergeSegments = (
  db: Database,
  dataset: IndexedDataset,
  reading: Reading,
): Promise<'merged' | 'nothing due' | 'locked'> =>
  db.transaction().execute(async (tx) => {
    if (!(await lockTenant(tx, dataset.tenantId))) return 'locked';
    const merged = chooseMerge(await readSegments(tx, dataset));
    if (merged.length === 0) return 'nothing due';
    await rewrite(tx, dataset, { ...reading, segments: merged, further: [] });
    return 'merged';
  });

/** Puts further chunks into a new segment, with those of the smallest ones. */
export async function addToSegments(
  tx: Queryable,
  dataset: IndexedDataset,
  { further, ...reading }: Reading & { further: string[] },
): Promise<void> {
  const small = (await readSegments(tx, dataset)).filter(({ length }) => length <= SMALL_SEGMENT);
  await rewrite(tx, dataset, { ...reading, segments: small, further });
}

const isOverdue = sql<boolean>`dead_since < now() - make_interval(hours => ${sql.lit(MAX_DEAD_HOURS)})`;

/**
 * Datasets of all tenants with a segment to be rewritten for its dead chunks, such as one whose chunks a process counted
 * that ended before it merged. The conditions are those of `chooseMerge`.
 */
export const findDue = (db: Database): Promise<IndexedDataset[]> =>
  db
    .selectFrom('postingSegments')
    .select(['tenantId', 'tenantUnitId', 'datasetId'])
    .distinct()
    .where('deadSince', 'is not', null)
    .where(({ or, eb }) =>
      or([
        isOverdue,
        eb('length', '<=', SMALL_SEGMENT),
        sql<boolean>`dead > chunks * ${sql.lit(MAX_DEAD_SHARE)}::float8`,
      ]),
    )
    .execute();

/** Segments of a tenant are written by one process at a time. */
export async function lockTenant(tx: Queryable, tenantId: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${advisoryLockKey('postings', [tenantId])}::bigint) as locked
  `.execute(tx);
  return rows[0]?.locked ?? false;
}

/** Chunks of a document that changed: all of them where none is named. */
export interface ChangedChunks {
  documentId: string;
  chunkIds: string[] | null;
}

/** Counts what earlier segments have of the changed chunks. Returns the datasets of these segments. */
export async function countDead(
  tx: Queryable,
  tenantId: string,
  changes: ChangedChunks[],
): Promise<IndexedDataset[]> {
  const { rows } = await sql<IndexedDataset>`
    with changed as (
      select document_id, case when bool_or(chunks is null) then null else sum(chunks) end as chunks
      from unnest(${changes.map(({ documentId }) => documentId)}::text[],
        ${changes.map(({ chunkIds }) => chunkIds?.length ?? null)}::integer[]) as c (document_id, chunks)
      group by document_id
    ), outdated as (
      select s.document_id, s.segment_id, least(s.chunks, coalesce(changed.chunks, s.chunks)) as chunks
      from posting_segment_documents as s
      join changed on changed.document_id = s.document_id
      where s.tenant_id = ${tenantId} and s.chunks > 0
    ), counted as (
      update posting_segment_documents as s set chunks = s.chunks - outdated.chunks
      from outdated
      where s.tenant_id = ${tenantId} and s.document_id = outdated.document_id and s.segment_id = outdated.segment_id
    )
    update posting_segments as s
    set dead = least(s.chunks, s.dead + by_segment.dead), dead_since = least(s.dead_since, now())
    from (select segment_id, sum(chunks) as dead from outdated group by segment_id) as by_segment
    where s.tenant_id = ${tenantId} and s.id = by_segment.segment_id
    returning s.tenant_id, s.tenant_unit_id, s.dataset_id
  `.execute(tx);
  return rows;
}

async function readSegments(
  tx: Queryable,
  { tenantId, tenantUnitId, datasetId }: IndexedDataset,
): Promise<SegmentSize[]> {
  return tx
    .selectFrom('postingSegments')
    .select(['id', 'chunks', 'dead', 'length'])
    .select(sql<boolean>`coalesce(${isOverdue}, false)`.as('isOverdue'))
    .where('tenantId', '=', tenantId)
    .where('tenantUnitId', '=', tenantUnitId)
    .where('datasetId', '=', datasetId)
    .execute();
}

/** Replaces segments by new ones of their chunks and further ones, as these are now. */
async function rewrite(
  tx: Queryable,
  dataset: IndexedDataset,
  { segments, further, read, signal }: Reading & { segments: SegmentSize[]; further: string[] },
): Promise<void> {
  const { tenantId } = dataset;
  const added = new Set<string>();
  let builder = new SegmentBuilder();
  let unyielded = 0;
  for (const ids of pagesOf(tenantId, segments, further)) {
    signal?.throwIfAborted();
    for (const chunk of await read(tx, dataset, ids)) {
      if (added.has(chunk.chunkId)) continue;
      added.add(chunk.chunkId);
      builder.add(chunk);
      unyielded += chunk.length;
      if (unyielded < TERMS_PER_TICK) continue;
      unyielded = 0;
      await setImmediate();
    }
    if (builder.length < FULL_SEGMENT) continue;
    await writeSegment(tx, dataset, await builder.finish());
    builder = new SegmentBuilder();
  }
  if (builder.chunks > 0) await writeSegment(tx, dataset, await builder.finish());
  if (segments.length === 0) return;
  await sql`
    delete from posting_segments where tenant_id = ${tenantId} and id = any(${segments.map(({ id }) => id)})
  `.execute(tx);
}

/** The ids of some chunks and of those in segments, each page as a query for the column `id`. */
function* pagesOf(
  tenantId: string,
  segments: SegmentSize[],
  further: string[],
): Generator<RawBuilder<unknown>> {
  for (let i = 0; i < further.length; i += PAGE) {
    yield sql`select unnest(${further.slice(i, i + PAGE)}::text[]) as id`;
  }
  for (const { id, chunks } of segments) {
    for (let i = 0; i < chunks; i += PAGE) {
      yield sql`
        select encode(substring(chunk_ids from 16 * place + 1 for 16), 'hex')::uuid::text as id
        from posting_segments
        cross join generate_series(${i}::integer, ${Math.min(i + PAGE, chunks) - 1}::integer) as place
        where tenant_id = ${tenantId} and posting_segments.id = ${id}`;
    }
  }
}
