import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { type TenantScope, unitsOf } from '../shared/tenant-scope.js';

export interface Measured {
  /** Those that are summed up. */
  documents: number;
  chunks: number;
  bytes: number;
  updatedTime: Date;
}

/**
 * Sums up the documents of datasets, each up to a limit. Of a tenant as a whole the newest documents
 * come first, in the order of an index. There is none for units, where any are summed up.
 */
export async function measureDatasets(
  db: Database,
  scope: TenantScope & { tenantId: string },
  limits: ReadonlyMap<string, number>,
): Promise<Map<string, Measured>> {
  if (limits.size === 0) return new Map();
  const { tenantId } = scope;
  const units = unitsOf(scope);
  const [ofUnits, order] = units
    ? [sql`and m.tenant_unit_id = any(${units})`, sql``]
    : [sql``, sql`order by m.created_time desc, m.document_id desc`];
  // The limits of one prevent that the planner reads tables as a whole.
  const { rows } = await sql<Measured & { datasetId: string }>`
    select asked.dataset_id, sums.* from unnest(${[...limits.keys()]}::text[], ${[...limits.values()]}::integer[]) as asked (dataset_id, most)
    cross join lateral (
      select count(*) as documents, coalesce(sum(d.chunk_count), 0)::bigint as chunks,
        coalesce(sum(s.size_bytes), 0)::bigint as bytes, max(greatest(d.updated_time, d.processed_time)) as updated_time
      from (
        select m.document_id from document_datasets as m
        where m.tenant_id = ${tenantId} and m.dataset_id = asked.dataset_id ${ofUnits}
        ${order} limit asked.most) as taken
      cross join lateral (
        select chunk_count, updated_time, processed_time from documents
        where tenant_id = ${tenantId} and id = taken.document_id limit 1) as d
      left join lateral (
        select size_bytes from document_sources
        where tenant_id = ${tenantId} and document_id = taken.document_id limit 1) as s on true) as sums
    where sums.documents > 0
  `.execute(db);
  return new Map(rows.map(({ datasetId, ...measured }) => [datasetId, measured]));
}
