import { sql } from 'kysely';
import type { Database, Queryable } from '../../../../db/schema.js';
import {
  addToSegments,
  type ChangedChunks,
  countDead,
  lockTenant,
  type MovedChanges,
  type ReadPosted,
} from './merge.js';
import type { PostedChunk } from './segment-builder.js';
import type { IndexedDataset } from './write-segment.js';

/** Changes of one transaction, and chunks of these. */
const MAX_CHANGES = 500;
const MAX_CHUNKS = 10_000;

/**
 * Moves recorded changes of a tenant, the oldest first, into new segments. Searches go on: they see all of it or
 * nothing.
 *
 * @param signal ends it; nothing is changed then
 */
export const moveChanges = (db: Database, tenantId: string, signal?: AbortSignal): Promise<MovedChanges> =>
  db.transaction().execute((tx) => moveOldest(tx, tenantId, signal));

interface Change extends ChangedChunks {
  id: number;
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
    await addToSegments(tx, dataset, { further: chunkIds, read: readChunks, signal });
  }
  await sql`
    delete from posting_changes where tenant_id = ${tenantId} and id = any(${changes.map(({ id }) => id)})
  `.execute(tx);
  const datasets = new Map([...added].map(([key, { dataset }]) => [key, dataset]));
  for (const dataset of outdated) datasets.set(keyOf(dataset), dataset);
  return { hasMore, datasets: [...datasets.values()] };
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

/** Those of the chunks that a search in the dataset may return. */
export const readChunks: ReadPosted = async (tx, { tenantId, datasetId }, ids) => {
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
};

const keyOf = ({ tenantUnitId, datasetId }: IndexedDataset) => JSON.stringify([tenantUnitId, datasetId]);
