import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { QueryScope } from '../chunk-index.js';
import type { QueryTerms } from '../ranking/bm25.js';
import type { Place } from '../ranking/choices.js';
import type { CountedChunk } from '../ranking/count-terms.js';

/** Adds where chunks are, if a synonym of the query counts in some of the searched datasets only. */
export async function locateChunks<T extends CountedChunk>(
  db: Database,
  { tenantId, datasetIds }: QueryScope,
  { choices = [] }: QueryTerms,
  chunks: T[],
): Promise<T[]> {
  const isNeeded = choices.some((options) => options.some(({ within }) => within));
  if (!isNeeded || chunks.length === 0) return chunks;
  const { rows } = await sql<Place & { chunkId: string }>`
    select asked.id as chunk_id, c.tenant_unit_id, d.dataset_id
    from unnest(${chunks.map(({ chunkId }) => chunkId)}::text[]) as asked (id)
    cross join lateral (
      select document_id, tenant_unit_id from chunks where tenant_id = ${tenantId} and id = asked.id limit 1) as c
    cross join lateral (
      select dataset_id from document_datasets
      where tenant_id = ${tenantId} and document_id = c.document_id and dataset_id = any(${datasetIds}) offset 0) as d
  `.execute(db);
  const places = new Map<string, Place[]>();
  for (const { chunkId, ...place } of rows) places.set(chunkId, [...(places.get(chunkId) ?? []), place]);
  return chunks.map((chunk) => ({ ...chunk, places: places.get(chunk.chunkId) ?? [] }));
}
