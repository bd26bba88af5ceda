import { sql } from 'kysely';
import type { Queryable } from '../../../../db/schema.js';
import { type ListFilter, type TenantConditions, toConditions } from './list-filter.js';
import { askForCounter, type ListTotal, MAX_COUNTED, selectTotal } from './list-total.js';
import { selectPageKeys } from './page-keys.js';

export interface ListCount {
  count: number;
  /** There are more, and a counter is being built. */
  isLowerBound: boolean;
}

/** Counts the entries of several filters, in one snapshot and without reading many of them. */
export async function countLists(db: Queryable, filters: readonly ListFilter[]): Promise<ListCount[]> {
  if (filters.length === 0) return [];
  const totals = filters.map(
    (filter, place) =>
      sql`select ${sql.lit(place)} as place, total.* from (${selectTotal(toConditions(filter))}) as total`,
  );
  const { rows } = await sql<ListTotal>`
    ${sql.join(totals, sql` union all `)} order by place
  `.execute(db);
  const counts: ListCount[] = [];
  for (const [place, { totalCount, counterState }] of rows.entries()) {
    const isUnknown = totalCount === null && counterState === 'missing';
    if (isUnknown || counterState === 'stale') await askForCounter(db, filters[place] as ListFilter);
    counts.push({ count: totalCount ?? MAX_COUNTED, isLowerBound: totalCount === null });
  }
  return counts;
}

/** Counts the newest entries of a filter without a counter, up to `most`. */
export async function countUpTo(
  db: Queryable,
  filter: ListFilter & { tenantId: string },
  most: number,
): Promise<ListCount> {
  const conditions: TenantConditions = toConditions(filter);
  const newest = selectPageKeys(conditions, { direction: 'desc', offset: 0, limit: most + 1 });
  const { rows } = await sql<{ count: number }>`select count(*) from (${newest}) as entry`.execute(db);
  const count = rows[0]?.count ?? 0;
  return { count: Math.min(count, most), isLowerBound: count > most };
}
