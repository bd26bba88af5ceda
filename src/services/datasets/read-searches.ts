import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { type TenantScope, unitsOf } from '../shared/tenant-scope.js';

const DAYS = 30;
const DAY_MS = 86_400_000;

/** How often datasets were searched in the last 30 days: of a scope with units, by searches of one of these alone. */
export async function readSearches(
  db: Database,
  scope: TenantScope & { tenantId: string },
  datasetIds: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  const units = unitsOf(scope);
  const ofUnits = units ? sql`and tenant_unit_id = any(${units})` : sql``;
  const { rows } = await sql<{ datasetId: string; searches: number }>`
    select dataset_id, sum(searches)::bigint as searches from dataset_searches
    where tenant_id = ${scope.tenantId} and dataset_id = any(${datasetIds})
      and day > ${new Date(now.getTime() - DAYS * DAY_MS)} ${ofUnits}
    group by dataset_id
  `.execute(db);
  return new Map(rows.map(({ datasetId, searches }) => [datasetId, searches]));
}
