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
 * delete them, which the deletion of a tenant needs. Superusers have every right. The next migration says the same to
 * `add_audit_partition`.
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
  `.execute(db);
}
