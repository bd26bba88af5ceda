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
