import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../../../db/schema.js';
import {
  all,
  filterConditions,
  hasCounter,
  isOfTenant,
  type ListConditions,
  type ListFilter,
  type TenantConditions,
  toConditions,
  toCounterColumns,
} from './list-filter.js';
import { selectLabelledCount, selectPageKeys } from './page-keys.js';

/*
 * The total of a filter is the sum of its counter's ranges and of the changes that are not in them yet. A filter without a
 * counter is counted up to a limit. If it has more entries, a counter is asked for, and built in the background; until then
 * all of them are counted. So there are counters for nothing that few entries match, and none for several tenants.
 */

/** Up to so many entries are counted each time. */
export const MAX_COUNTED = 1_000;
/** Most counters of a tenant; further filters are counted. */
const MAX_COUNTERS = 1_000;

/** `missing`: none; `asked`: not built yet; `stale`: not asked for since a day. */
export type CounterState = 'missing' | 'asked' | 'built' | 'stale';

/** What selectTotal selects. */
export interface ListTotal {
  /** Null: there is no counter, and more than are counted each time. */
  totalCount: number | null;
  counterState: CounterState;
}

/** Selects the total, for a statement that also reads a page: both see the same entries. The offset keeps it one row. */
export function selectTotal(filter: ListConditions): RawBuilder<ListTotal> {
  if (!hasCounter(filter)) {
    return sql<ListTotal>`select (${selectCount(filter)}) as total_count, 'built' as counter_state`;
  }
  return sql<ListTotal>`
    select
      case when c.is_built then
        (select sum(r.count) from list_counter_ranges as r where r.tenant_id = ${filter.tenantId} and r.counter_id = c.id)::bigint
        + (select coalesce(sum(change.count), 0) from ${pendingChanges(filter)})::bigint
      else ${count(filter)} end as total_count,
      case when c.id is null then 'missing' when not c.is_built then 'asked'
        when c.asked_time < now() - interval '1 day' then 'stale' else 'built' end as counter_state
    from (select) as one left join list_counters as c on ${isCounterOf(filter)}
    offset 0`;
}

/** The entries are read as a page is, whatever the planner takes them for. */
const count = (filter: TenantConditions) => sql`(
  select case when few.count <= ${sql.lit(MAX_COUNTED)} then few.count end
  from (
    select count(*) from (
      ${selectPageKeys(filter, { direction: 'desc', offset: 0, limit: MAX_COUNTED + 1 })}) as entry
  ) as few)`;

/** Counts all entries, however long that takes. */
export async function countAll(db: Queryable, filter: ListConditions): Promise<number> {
  const { rows } = await selectCount(filter).execute(db);
  return rows[0]?.count ?? 0;
}

const selectCount = (filter: ListConditions) =>
  isOfTenant(filter) && filter.labels
    ? selectLabelledCount({ ...filter, labels: filter.labels })
    : sql<{ count: number }>`
  select count(*) from ${sql.table(filter.list)} where ${all(filterConditions(filter, filter.list))}`;

export const counterId = (filter: TenantConditions): RawBuilder<number> =>
  sql`(select c.id from list_counters as c where ${isCounterOf(filter)} and c.is_built)`;

/** Changes of a filter that its counter does not have yet. */
export const pendingChanges = (filter: TenantConditions): RawBuilder<unknown> =>
  sql`list_changes as change where change.list = ${filter.list} and ${all(filterConditions(filter, 'change'))}`;

const isCounterOf = (filter: TenantConditions) =>
  sql`c.tenant_id = ${filter.tenantId} and c.list = ${filter.list} and c.filter = ${filter.counter}`;

/** Asks for a counter of a tenant, or says that it is still of use. */
export async function askForCounter(db: Queryable, filter: ListFilter): Promise<void> {
  const { tenantId, list } = filter;
  if (tenantId === undefined) return;
  const { counters } = await db
    .selectFrom('listCounters')
    .where('tenantId', '=', tenantId)
    .select((eb) => eb.fn.countAll<number>().as('counters'))
    .executeTakeFirstOrThrow();
  if (counters >= MAX_COUNTERS) return;
  await db
    .insertInto('listCounters')
    .values({ tenantId, list, filter: toConditions(filter).counter, ...toCounterColumns(filter) })
    .onConflict((known) =>
      known
        .columns(['tenantId', 'list', 'filter'])
        .doUpdateSet((eb) => ({ askedTime: eb.ref('excluded.askedTime') })),
    )
    .execute();
}
