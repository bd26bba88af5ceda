import { sql } from 'kysely';
import type { Queryable } from '../../../../db/schema.js';

/** Whether a counter counts what was changed. */
const IS_COUNTED = sql`counter.list = change.list
  and (counter.tenant_unit_ids is null or change.tenant_unit_id = any (counter.tenant_unit_ids))
  and (counter.statuses is null or change.status = any (counter.statuses))
  and (counter.agent_id is null or change.agent_id = counter.agent_id)
  and (counter.assignment_id is null or change.assignment_id = counter.assignment_id)
  and (counter.document_types is null or change.document_type = any (counter.document_types))
  and (counter.dataset_ids is null or change.dataset_ids && counter.dataset_ids)
  and (counter.reached_dataset_ids is null or change.dataset_ids && counter.reached_dataset_ids)`;

/**
 * Moves the oldest changes of a tenant into its counters, in one statement. The caller holds the lock of the rollup. A change
 * that spans several ranges merges them, since nothing says how much of it belongs to each.
 *
 * @returns how many changes
 */
export async function foldChanges(db: Queryable, tenantId: string, most: number): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    with moved as (
      delete from list_changes as change
      where change.tenant_id = ${tenantId} and change.id <= (
        select max(id) from (
          select id from list_changes where tenant_id = ${tenantId} order by id limit ${most}) as oldest)
      returning list, tenant_unit_id, status, agent_id, assignment_id, document_type, dataset_ids, from_time, to_time, count
    ), counters as materialized (
      select * from list_counters where tenant_id = ${tenantId} and is_built
    ), wide as materialized (
      select * from moved where from_time < to_time
    ), merged as (
      delete from list_counter_ranges as r using counters as counter, wide as change
      where ${IS_COUNTED} and r.tenant_id = ${tenantId} and r.counter_id = counter.id
        and r.from_time > change.from_time and r.from_time <= change.to_time
      returning r.counter_id, r.from_time, r.count
    ), added as (
      select counter.id as counter_id, change.from_time, change.count
      from (
        select list, tenant_unit_id, status, agent_id, assignment_id, document_type, dataset_ids, from_time, sum(count) as count
        from moved group by 1, 2, 3, 4, 5, 6, 7, 8
      ) as change
      join counters as counter on ${IS_COUNTED}
      union all
      select counter_id, from_time, count from merged
    ), parts as materialized (
      select counter_id, from_time, sum(count) as count
      from (
        select counter_id, count, (
          -- Of the ranges that stay.
          select r.from_time from list_counter_ranges as r
          where r.tenant_id = ${tenantId} and r.counter_id = added.counter_id and r.from_time <= added.from_time
            and (r.counter_id, r.from_time) not in (select counter_id, from_time from merged)
          order by r.from_time desc limit 1
        ) as from_time
        from added) as placed
      group by 1, 2 having sum(count) <> 0
    ), counted as (
      update list_counter_ranges as r set count = r.count + parts.count
      from parts
      where r.tenant_id = ${tenantId} and r.counter_id = parts.counter_id and r.from_time = parts.from_time
    )
    select count(*) as moved from moved
  `.execute(db);
  return rows[0]?.moved ?? 0;
}
