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
  const overdue: RetentionState['overdue'] = [];
  for (const rule of rules) overdue.push(await readOverdue(db, rule));
  const ahead = await sql<{ seconds: number }>`
    select case from_bound when 'MINVALUE' then 0
      else extract(epoch from trim('''' from from_bound)::timestamptz - now())::float end as seconds
    from audit_partition_bounds('audit_events_open')
  `.execute(db);
  return { overdue, auditPartitionsAhead: ahead.rows[0]?.seconds ?? 0 };
}

async function readOverdue(
  db: Queryable,
  { table, column, keepMs }: RetentionRule,
): Promise<RetentionState['overdue'][number]> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(greatest(0, extract(epoch from now() - min(${sql.ref(column)})) - ${sql.lit(keepMs / 1000)}), 0)::float as seconds
    from ${sql.table(table)}
  `.execute(db);
  return { table, seconds: rows[0]?.seconds ?? 0 };
}
