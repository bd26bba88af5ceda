import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../../../db/schema.js';
import { all, counterTenant, filterConditions, type ListFilter, toCounterColumns } from './list-filter.js';

/*
 * The total of a filter is the sum of its counter's ranges and of the changes that are not in them yet. A filter without a
 * counter is counted; if that found many entries, a counter is asked for, and built in the background. So there are
 * counters for nothing that few entries match, and a list that has none is soon counted.
 */

/** Fewer entries than that are counted faster than a counter is kept. */
const MIN_COUNTED = 1_000;
/** Most counters of a tenant; further filters are counted. */
const MAX_COUNTERS = 1_000;

/** `missing`: none; `asked`: not built yet; `stale`: not asked for since a day. */
export type CounterState = 'missing' | 'asked' | 'built' | 'stale';

/** The total, as a column of a statement that also reads a page: both see the same entries. */
export function selectTotal(filter: ListFilter): RawBuilder<number> {
  const tenantId = counterTenant(filter);
  return sql<number>`case
    when ${counterId(filter)} is null then (select count(*) from ${sql.table(filter.list)} where ${all(filterConditions(filter, filter.list))})
    else (
      select sum(r.count) from list_counter_ranges as r
      where r.tenant_id = ${tenantId} and r.counter_id = ${counterId(filter)})::bigint
      + (select coalesce(sum(change.count), 0) from ${pendingChanges(filter)})::bigint
  end`;
}

export const selectCounterState = (
  filter: ListFilter,
): RawBuilder<CounterState> => sql<CounterState>`coalesce((
  select case when not c.is_built then 'asked' when c.asked_time < now() - interval '1 day' then 'stale' else 'built' end
  from list_counters as c where ${isCounterOf(filter)}), 'missing')`;

export const counterId = (filter: ListFilter): RawBuilder<number> =>
  sql`(select c.id from list_counters as c where ${isCounterOf(filter)} and c.is_built)`;

/** Changes of a filter that its counter does not have yet. */
export function pendingChanges(filter: ListFilter): RawBuilder<unknown> {
  const { tenantId } = filter;
  return sql`list_counters as c join list_changes as change on is_counted_by(c, change)
    where ${isCounterOf(filter)}${tenantId === undefined ? sql`` : sql` and change.tenant_id = ${tenantId}`}`;
}

const isCounterOf = (filter: ListFilter) =>
  sql`c.tenant_id = ${counterTenant(filter)} and c.list = ${filter.list} and c.filter = ${toCounterColumns(filter).filter}`;

/** Asks for a counter where one is worth while, and says once a day that it is still of use. */
export async function askForCounter(
  db: Queryable,
  filter: ListFilter,
  { total, counter }: { total: number; counter: CounterState },
): Promise<void> {
  if (counter !== 'stale' && (counter !== 'missing' || total < MIN_COUNTED)) return;
  const tenantId = counterTenant(filter);
  const columns = toCounterColumns(filter);
  await sql`
    insert into list_counters (tenant_id, list, filter, tenant_unit_ids, statuses, agent_id, assignment_id,
      document_types, dataset_ids, reached_dataset_ids)
    select ${tenantId}, ${filter.list}, ${columns.filter}, ${columns.tenantUnitIds}::text[], ${columns.statuses}::text[],
      ${columns.agentId}, ${columns.assignmentId}, ${columns.documentTypes}::text[], ${columns.datasetIds}::text[],
      ${columns.reachedDatasetIds}::text[]
    where (select count(*) from list_counters where tenant_id = ${tenantId}) < ${MAX_COUNTERS}
    on conflict (tenant_id, list, filter) do update set asked_time = excluded.asked_time
  `.execute(db);
}
