import { sql } from 'kysely';
import { documentStatuses, runStatuses } from '../../../db/enums.js';
import type { Database } from '../../../db/schema.js';
import { countLists } from '../shared/lists/count-lists.js';
import { failureCodeOf, type ListFilter, toConditions } from '../shared/lists/list-filter.js';
import { selectPageRows } from '../shared/lists/page-keys.js';
import { type TenantScope, unitsOf } from '../shared/tenant-scope.js';
import type { Attention, Count, Overview } from './overview.schema.js';

export type OverviewScope = TenantScope & { tenantId: string };

export const documentsOf = (scope: OverviewScope) => ({
  list: 'documents' as const,
  tenantId: scope.tenantId,
  tenantUnitIds: unitsOf(scope),
  reachedDatasetIds: scope.datasetIds,
});

export async function countDocuments(db: Database, scope: OverviewScope): Promise<Overview['documents']> {
  const filter = documentsOf(scope);
  const counts = await countLists(
    db,
    documentStatuses.map((status) => ({ ...filter, statuses: [status] })),
  );
  return byName(documentStatuses, counts);
}

/** Conversations may be without status: those are what is left of all. */
export async function countConversations(
  db: Database,
  { scope, agentId }: { scope: OverviewScope; agentId?: string | undefined },
): Promise<NonNullable<Overview['conversations']>> {
  const { tenantId } = scope;
  const filter: ListFilter = { list: 'conversations', tenantId, tenantUnitIds: unitsOf(scope), agentId };
  const [all, ...counts] = await countLists(db, [
    filter,
    ...runStatuses.map((status) => ({ ...filter, statuses: [status] })),
  ]);
  const isLowerBound = [all, ...counts].some((count) => count?.isLowerBound);
  const others = counts.reduce((sum, { count }) => sum + count, 0);
  const none = { count: isLowerBound ? 0 : (all?.count ?? 0) - others, isLowerBound };
  return { ...byName(runStatuses, counts), none };
}

/** Why the newest `most` failed documents have failed. */
export async function countFailures(
  db: Database,
  scope: OverviewScope,
  most: number,
): Promise<NonNullable<Attention['documents']>['failures']> {
  const conditions = toConditions({ ...documentsOf(scope), statuses: ['failed'] });
  const newest = selectPageRows(
    { ...conditions, list: 'documents' },
    { direction: 'desc', offset: 0, limit: most },
  );
  const { rows } = await sql<{ code: string; count: number }>`
    select ${failureCodeOf('failed')} as code, count(*) as count
    from (${newest}) as failed group by 1 order by 2 desc, 1
  `.execute(db);
  return rows;
}

const byName = <Name extends string>(names: readonly Name[], counts: readonly Count[]) =>
  Object.fromEntries(names.map((name, place) => [name, counts[place]])) as Record<Name, Count>;
