import { type Kysely, sql } from 'kysely';

/** What a cluster of PostgreSQL servers with Citus has to repeat on its nodes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await setTenantByStatements(db);
  await makePoliciesPermissive(db);
}

/** Citus repeats on other nodes what is set by statements, and not what is set by set_config(). */
async function setTenantByStatements(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace procedure become_tenant(tenant text) language plpgsql as $$
    begin
      -- Each a statement of its own, since its text is what is repeated.
      execute format('set local role %I', tenant_role());
      execute format('set local lectern.tenant_id = %L', tenant);
    end $$;
  `.execute(db);
}

/**
 * Citus makes all policies of a shard permissive, and a row is seen where one of them lets it pass: so the one for other
 * roles must not be true for the role of tenants.
 */
async function makePoliciesPermissive(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    declare
      one record;
    begin
      for one in
        select schemaname, tablename, qual, with_check from pg_policies
        where schemaname = current_schema() and policyname = 'one_tenant' and permissive = 'RESTRICTIVE'
      loop
        execute format('drop policy one_tenant on %I.%I', one.schemaname, one.tablename);
        execute format('create policy one_tenant on %I.%I to %I using (%s) with check (%s)',
          one.schemaname, one.tablename, tenant_role(), one.qual, one.with_check);
        execute format('alter policy by_grants on %I.%I using (current_user <> %L) with check (current_user <> %L)',
          one.schemaname, one.tablename, tenant_role(), tenant_role());
      end loop;
    end $$;

    create or replace function add_audit_partition(partition_name text, similar_to text, from_bound text, to_bound text)
    returns void language plpgsql as $$
    begin
      execute format('create table %I (like %I including defaults including storage including indexes including comments)',
        partition_name, similar_to);
      execute format('revoke update, truncate on %I from %I', partition_name, current_user);
      execute format('alter table %I enable row level security', partition_name);
      execute format('create policy by_grants on %I using (current_user <> %L) with check (current_user <> %L)',
        partition_name, tenant_role(), tenant_role());
      execute format(
        'create policy one_tenant on %I to %I
         using (tenant_id = current_setting(''lectern.tenant_id'', true))
         with check (tenant_id = current_setting(''lectern.tenant_id'', true))', partition_name, tenant_role());
      execute format('alter table audit_events attach partition %I for values from (%s) to (%s)',
        partition_name, from_bound, to_bound);
    end $$;
  `.execute(db);
}
