import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { type TenantScope, unitsOf } from '../shared/tenant-scope.js';

/** Entries of an index that a call reads, however many datasets it is about. */
const BUDGET = 1_000_000;

export interface Counted {
  documents: number;
  /** There are more. */
  isLowerBound: boolean;
}

/** Counts the documents of datasets, each up to its share of what may be read. */
export async function countDocuments(
  db: Database,
  scope: TenantScope & { tenantId: string },
  datasetIds: readonly string[],
): Promise<Map<string, Counted>> {
  if (datasetIds.length === 0) return new Map();
  const most = Math.floor(BUDGET / datasetIds.length);
  const units = unitsOf(scope);
  const ofUnits = units ? sql`and m.tenant_unit_id = any(${units})` : sql``;
  const { rows } = await sql<{ datasetId: string; documents: number }>`
    select asked.dataset_id, (
      select count(*) from (
        select from document_datasets as m
        where m.tenant_id = ${scope.tenantId} and m.dataset_id = asked.dataset_id ${ofUnits}
        limit ${most + 1}) as few) as documents
    from unnest(${datasetIds}::text[]) as asked (dataset_id)
  `.execute(db);
  return new Map(
    rows.map(({ datasetId, documents }) => [
      datasetId,
      { documents: Math.min(documents, most), isLowerBound: documents > most },
    ]),
  );
}
