import { type Kysely, sql } from 'kysely';

/** A partition of the audit log gets its trigger where the log has it: on a cluster no table of tenants has any. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function add_audit_partition(partition_name text, similar_to text, from_bound text, to_bound text)
    returns void language plpgsql as $$
    begin
      execute format('create table %I (like %I including defaults including storage including indexes including comments)',
        partition_name, similar_to);
      execute format('alter table %I enable row level security', partition_name);
      execute format('create policy by_grants on %I using (true) with check (true)', partition_name);
      execute format(
        'create policy one_tenant on %I as restrictive to %I
         using (tenant_id = current_setting(''lectern.tenant_id'', true))
         with check (tenant_id = current_setting(''lectern.tenant_id'', true))', partition_name, tenant_role());
      if exists (select from pg_trigger where tgrelid = 'audit_events'::regclass and tgname = 'audit_events_stay') then
        execute format(
          'create trigger audit_events_stay before update or truncate on %I
           for each statement execute function refuse_change(''audit_events'')', partition_name);
      end if;
      execute format('alter table audit_events attach partition %I for values from (%s) to (%s)',
        partition_name, from_bound, to_bound);
    end $$;
  `.execute(db);
}
