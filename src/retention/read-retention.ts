import { sql } from 'kysely';
import type { Queryable } from '../../db/schema.js';
import type { RetentionRule } from './expired-rows.js';

export interface RetentionState {
  /** For how long the oldest row of each table should have been gone, in seconds. */
  overdue: { table: string; seconds: number }[];
  /** Seconds until events go to the open partition of the audit log, for which none of its own is made yet. */
  auditPartitionsAhead: number;
}

/** Whether what expires is deleted in time. Needs a database without the query guard. */
export async function readRetention(db: Queryable, rules: RetentionRule[]): Promise<RetentionState> {
  const selects = rules.map(
    ({ table, column, keepMs }) => sql`
      select ${table} as "table", coalesce(greatest(0, extract(epoch from now() - (select min(${sql.ref(column)})
        from ${sql.table(table)})) - ${keepMs / 1000}), 0)::float as seconds`,
  );
  const overdue = await sql<RetentionState['overdue'][number]>`
    ${sql.join(selects, sql` union all `)}
  `.execute(db);
  const ahead = await sql<{ seconds: number }>`
    select case from_bound when 'MINVALUE' then 0
      else extract(epoch from trim('''' from from_bound)::timestamptz - now())::float end as seconds
    from audit_partition_bounds('audit_events_open')
  `.execute(db);
  return { overdue: overdue.rows, auditPartitionsAhead: ahead.rows[0]?.seconds ?? 0 };
}
