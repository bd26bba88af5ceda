import { type Kysely, sql } from 'kysely';

/** Drops the oldest partition as before, and on a cluster too: Citus cannot read rows without columns from several nodes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function drop_audit_partition(partition_name text) returns void language plpgsql as $$
    declare
      bounds record;
      is_used boolean;
    begin
      lock table audit_events in access exclusive mode;
      bounds := audit_partition_bounds(partition_name);
      if bounds.to_bound = 'MAXVALUE' then
        raise exception '% is in use', partition_name;
      end if;
      if bounds.from_bound <> 'MINVALUE' then
        if (audit_partition_bounds('audit_events_before')).to_bound is distinct from bounds.from_bound then
          raise exception '% is not the oldest partition', partition_name;
        end if;
        select exists (select 1 from audit_events_before) into is_used;
        if is_used then
          raise exception 'audit_events_before has rows';
        end if;
        drop table audit_events_before;
      end if;
      execute format('drop table %I', partition_name);
      perform add_audit_partition('audit_events_before', 'audit_events_open', 'MINVALUE', bounds.to_bound);
    end $$;
  `.execute(db);
}
