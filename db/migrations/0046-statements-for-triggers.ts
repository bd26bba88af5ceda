import { type Kysely, sql } from 'kysely';

/**
 * Triggers on tables of tenants become statements of the service: a cluster runs none on them. Servers of an earlier version
 * count and copy nothing from now on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- With their triggers.
    drop function count_usage, count_uploads, count_documents, count_conversations, set_dataset_time, copy_datasets,
      write_dataset_names, write_document_names, write_document_properties cascade;
  `.execute(db);
  await letTenantsClaimUploads(db);
  await keepAuditByGrants(db);
}

/** A tenant may claim what was received without a key, and count it so. */
async function letTenantsClaimUploads(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$ begin
      execute format(
        'alter policy one_tenant on tenant_usage_changes to %I
         with check (tenant_id in (current_setting(''lectern.tenant_id'', true), ''''))', tenant_role());
    end $$;
  `.execute(db);
}

/**
 * Tenants may read and add events, as before. Owners lose the right to change them or to empty the table, and keep that to
 * delete them, which the deletion of a tenant needs. Superusers have every right.
 */
async function keepAuditByGrants(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop function refuse_change cascade;
    do $$
    declare
      part record;
    begin
      for part in
        select c.oid::regclass as name, pg_get_userbyid(relowner) as owner from pg_class as c
        where c.oid = 'audit_events'::regclass
          or c.oid in (select inhrelid from pg_inherits where inhparent = 'audit_events'::regclass)
      loop
        execute format('revoke update, truncate on %s from %I', part.name, part.owner);
      end loop;
    end $$;

    create or replace function add_audit_partition(partition_name text, similar_to text, from_bound text, to_bound text)
    returns void language plpgsql as $$
    begin
      execute format('create table %I (like %I including defaults including storage including indexes including comments)',
        partition_name, similar_to);
      execute format('revoke update, truncate on %I from %I', partition_name, current_user);
      execute format('alter table %I enable row level security', partition_name);
      execute format('create policy by_grants on %I using (true) with check (true)', partition_name);
      execute format(
        'create policy one_tenant on %I as restrictive to %I
         using (tenant_id = current_setting(''lectern.tenant_id'', true))
         with check (tenant_id = current_setting(''lectern.tenant_id'', true))', partition_name, tenant_role());
      execute format('alter table audit_events attach partition %I for values from (%s) to (%s)',
        partition_name, from_bound, to_bound);
    end $$;
  `.execute(db);
}
