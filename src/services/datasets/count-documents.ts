import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { type TenantScope, unitsOf } from '../shared/tenant-scope.js';

/** Entries of an index that a call reads, however many datasets it is about. */
const BUDGET = 1_000_000;
/** Small datasets leave what they do not need to larger ones. */
const ROUNDS = 3;

export interface Counted {
  documents: number;
  /** There are more. */
  isLowerBound: boolean;
}

/** Counts the documents of datasets: first each up to a small share of what may be read, then those that have more. */
export async function countDocuments(
  db: Database,
  scope: TenantScope & { tenantId: string },
  datasetIds: readonly string[],
): Promise<Map<string, Counted>> {
  const counts = new Map<string, Counted>();
  let budget = BUDGET;
  let larger = datasetIds;
  for (let round = 1; round <= ROUNDS && larger.length > 0; round += 1) {
    const share = round === ROUNDS ? budget : budget / 2;
    const counted = await countUpTo(db, scope, larger, Math.floor(share / larger.length));
    for (const [id, count] of counted) {
      counts.set(id, count);
      budget -= count.documents;
    }
    larger = larger.filter((id) => counted.get(id)?.isLowerBound);
  }
  return counts;
}

/** @param most of each */
async function countUpTo(
  db: Database,
  scope: TenantScope & { tenantId: string },
  datasetIds: readonly string[],
  most: number,
): Promise<Map<string, Counted>> {
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
