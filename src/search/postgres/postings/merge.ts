import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { advisoryLockKey } from '../../../../db/advisory-locks.js';
import type { Database, Queryable } from '../../../../db/schema.js';
import {
  chooseMerge,
  FULL_SEGMENT,
  MAX_DEAD_HOURS,
  type SegmentSize,
  SMALL_SEGMENT,
} from './choose-merge.js';
import { type PostedChunk, SegmentBuilder } from './segment-builder.js';
import { type IndexedDataset, writeSegment } from './write-segment.js';

/** Changes of one transaction, and chunks of these. */
const MAX_CHANGES = 500;
const MAX_CHUNKS = 10_000;
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

/**
 * Moves recorded changes of a tenant, the oldest first, into new segments. Searches go on: they see all of it or
 * nothing.
 *
 * @param signal ends it; nothing is changed then
 */
export const moveChanges = (db: Database, tenantId: string, signal?: AbortSignal): Promise<MovedChanges> =>
  db.transaction().execute((tx) => moveOldest(tx, tenantId, signal));

/**
 * Merges segments of a dataset where that is due.
 *
 * @returns whether it was; then it may be again
 */
export const mergeSegments = (
  db: Database,
  dataset: IndexedDataset,
  signal?: AbortSignal,
): Promise<boolean> => db.transaction().execute((tx) => mergeChosen(tx, dataset, signal));

interface Change {
  id: number;
  documentId: string;
  chunkIds: string[] | null;
  /** About. */
  chunks: number;
}

async function moveOldest(
  tx: Queryable,
  tenantId: string,
  signal: AbortSignal | undefined,
): Promise<MovedChanges> {
  if (!(await lockTenant(tx, tenantId))) return { hasMore: false, datasets: [] };
  const { changes, hasMore } = await readChanges(tx, tenantId);
  if (changes.length === 0) return { hasMore, datasets: [] };
  const outdated = await countDead(tx, tenantId, changes);
  const added = await readChangedChunks(tx, tenantId, changes);
  for (const { dataset, chunkIds } of added.values()) {
    const small = (await readSegments(tx, dataset)).filter(({ length }) => length <= SMALL_SEGMENT);
    await rewrite(tx, dataset, { segments: small, further: chunkIds, signal });
  }
  await sql`
    delete from posting_changes where tenant_id = ${tenantId} and id = any(${changes.map(({ id }) => id)})
  `.execute(tx);
  const datasets = new Map([...added].map(([key, { dataset }]) => [key, dataset]));
  for (const dataset of outdated) datasets.set(keyOf(dataset), dataset);
  return { hasMore, datasets: [...datasets.values()] };
}

async function mergeChosen(
  tx: Queryable,
  dataset: IndexedDataset,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!(await lockTenant(tx, dataset.tenantId))) return false;
  const merged = chooseMerge(await readSegments(tx, dataset));
  if (merged.length === 0) return false;
  await rewrite(tx, dataset, { segments: merged, further: [], signal });
  return true;
}

const isOverdue = sql<boolean>`dead_since < now() - make_interval(hours => ${sql.lit(MAX_DEAD_HOURS)})`;

/** Datasets of all tenants with a segment that has had dead chunks for too long. */
export const findOverdue = (db: Database): Promise<IndexedDataset[]> =>
  db
    .selectFrom('postingSegments')
    .select(['tenantId', 'tenantUnitId', 'datasetId'])
    .distinct()
    .where(isOverdue)
    .execute();

/** Segments of a tenant are written by one process at a time. */
export async function lockTenant(tx: Queryable, tenantId: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${advisoryLockKey('postings', [tenantId])}::bigint) as locked
  `.execute(tx);
  return rows[0]?.locked ?? false;
}

/** The oldest changes, as many as one transaction takes. */
async function readChanges(
  tx: Queryable,
  tenantId: string,
): Promise<{ changes: Change[]; hasMore: boolean }> {
  const { rows } = await sql<Change>`
    select p.id, p.document_id, p.chunk_ids, coalesce(cardinality(p.chunk_ids), d.chunk_count, 0) as chunks
    from posting_changes as p
    left join documents as d on d.tenant_id = p.tenant_id and d.id = p.document_id
    where p.tenant_id = ${tenantId}
    order by p.id limit ${sql.lit(MAX_CHANGES)}
  `.execute(tx);
  let sum = 0;
  const end = rows.findIndex(({ chunks }) => {
    sum += chunks;
    return sum > MAX_CHUNKS;
  });
  if (end < 0) return { changes: rows, hasMore: rows.length === MAX_CHANGES };
  const changes = rows.slice(0, Math.max(1, end));
  return { changes, hasMore: changes.length < rows.length };
}

/** Counts what earlier segments have of the changed chunks. Returns the datasets of these segments. */
async function countDead(tx: Queryable, tenantId: string, changes: Change[]): Promise<IndexedDataset[]> {
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

/** The changed chunks that a search may return, by dataset. */
async function readChangedChunks(tx: Queryable, tenantId: string, changes: Change[]) {
  const whole = [...new Set(changes.flatMap(({ documentId, chunkIds }) => (chunkIds ? [] : [documentId])))];
  const single = [...new Set(changes.flatMap(({ chunkIds }) => chunkIds ?? []))];
  const { rows } = await sql<IndexedDataset & { chunkIds: string[] }>`
    select d.tenant_id, d.tenant_unit_id, s.dataset_id, array_agg(changed.id::text) as chunk_ids
    from (
      select c.document_id, c.id
      from unnest(${whole}::text[]) as w (id)
      cross join lateral (
        select id, document_id from chunks
        where tenant_id = ${tenantId} and document_id = w.id and status = 'active' and not deleted offset 0) as c
      union
      select c.document_id, c.id
      from unnest(${single}::text[]) as w (id)
      cross join lateral (
        select id, document_id from chunks
        where tenant_id = ${tenantId} and id = w.id and status = 'active' and not deleted limit 1) as c
    ) as changed
    cross join lateral (
      select tenant_id, tenant_unit_id, dataset_ids from documents
      where tenant_id = ${tenantId} and id = changed.document_id and enabled limit 1) as d
    cross join unnest(d.dataset_ids) as s (dataset_id)
    group by d.tenant_id, d.tenant_unit_id, s.dataset_id
  `.execute(tx);
  return new Map(
    rows.map(({ chunkIds, ...dataset }) => [
      keyOf(dataset),
      { dataset: dataset as IndexedDataset, chunkIds },
    ]),
  );
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
  {
    segments,
    further,
    signal,
  }: { segments: SegmentSize[]; further: string[]; signal: AbortSignal | undefined },
): Promise<void> {
  const { tenantId } = dataset;
  const added = new Set<string>();
  let builder = new SegmentBuilder();
  let unyielded = 0;
  for (const ids of pagesOf(tenantId, segments, further)) {
    signal?.throwIfAborted();
    for (const chunk of await readChunks(tx, dataset, ids)) {
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

/** Those of the chunks that a search in the dataset may return. */
async function readChunks(
  tx: Queryable,
  { tenantId, datasetId }: IndexedDataset,
  ids: RawBuilder<unknown>,
): Promise<PostedChunk[]> {
  const { rows } = await sql<PostedChunk>`
    select c.id as chunk_id, c.document_id, c.metadata, t.terms, t.words, t.length
    from (${ids} order by id) as asked
    cross join lateral (
      select id, document_id, metadata from chunks
      where tenant_id = ${tenantId} and id = asked.id and status = 'active' and not deleted limit 1) as c
    cross join lateral (
      select terms, words, length from chunk_terms where tenant_id = ${tenantId} and chunk_id = c.id limit 1) as t
    cross join lateral (
      select from documents
      where tenant_id = ${tenantId} and id = c.document_id and enabled and ${datasetId} = any(dataset_ids) limit 1) as d
  `.execute(tx);
  return rows;
}

const keyOf = ({ tenantUnitId, datasetId }: IndexedDataset) => JSON.stringify([tenantUnitId, datasetId]);
