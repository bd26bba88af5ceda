import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { selectDistinctIds } from '../reach/distinct-ids.js';
import { datasetLookup } from '../reach/reach.js';
import type { TenantScope } from '../shared/tenant-scope.js';

/** Each is a look-up in an index. */
export const MAX_DATASETS = 10_000;

/** The ids of the datasets that have documents in a scope, in their order. */
export async function findDatasetIds(
  db: Database,
  scope: TenantScope,
): Promise<{ ids: string[]; truncated: boolean }> {
  const { datasetIds: reached } = scope;
  const lookup = datasetLookup(scope);
  const { rows } = reached
    ? await sql<{ id: string }>`
        select reached.id from (select distinct unnest(${[...reached]}::text[]) collate "C" as id) as reached
        where exists (${lookup((column) => sql`${column} = reached.id`)})
        order by reached.id`.execute(db)
    : await selectDistinctIds([lookup], { prefix: '', limit: MAX_DATASETS + 1 }).execute(db);
  return { ids: rows.slice(0, MAX_DATASETS).map(({ id }) => id), truncated: rows.length > MAX_DATASETS };
}
