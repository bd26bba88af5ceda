import { sql } from 'kysely';
import type { Queryable } from '../../../../db/schema.js';

/** In the place of partitions that were dropped. */
export const EMPTY_PARTITION = 'audit_events_before';

/** A partition of the audit log: the events from one time to before another. */
export interface AuditPartition {
  name: string;
  /** Null: from the beginning. */
  from: Date | null;
  /** Null: the open partition, which has no end. */
  to: Date | null;
}

/** The partitions of the audit log, oldest first. */
export async function readAuditPartitions(db: Queryable): Promise<AuditPartition[]> {
  const { rows } = await sql<AuditPartition>`
    select name,
      case from_bound when 'MINVALUE' then null else trim('''' from from_bound)::timestamptz end as "from",
      case to_bound when 'MAXVALUE' then null else trim('''' from to_bound)::timestamptz end as "to"
    from (
      select relname::text as name, (audit_partition_bounds(relname)).*
      from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'audit_events'::regclass) as partitions
    order by "to" nulls last
  `.execute(db);
  return rows;
}
