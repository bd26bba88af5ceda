import { type Kysely, sql } from 'kysely';

/** Received files belong to a tenant and count as stored; external ids may be taken again beyond a key's datasets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Empty: received without an API key. Whoever has none may claim it for any tenant.
    alter table uploads add column tenant_id identifier not null default '';
    create index on uploads (tenant_id);

    -- As the owner of the tables: a tenant may claim what was received without a key, and counted so.
    create function count_uploads() returns trigger language plpgsql security definer as $$
    begin
      if tg_op = 'INSERT' then
        perform add_usage(tenant_id, 0, 0, sum(size_bytes)::bigint)
        from new_rows group by tenant_id order by tenant_id;
      else
        perform add_usage(tenant_id, 0, 0, -sum(size_bytes)::bigint)
        from old_rows group by tenant_id order by tenant_id;
      end if;
      return null;
    end $$;
    create trigger uploads_inserted after insert on uploads
      referencing new table as new_rows for each statement execute function count_uploads();
    create trigger uploads_deleted after delete on uploads
      referencing old table as old_rows for each statement execute function count_uploads();
    select add_usage('', 0, 0, sum(size_bytes)::bigint) from uploads having count(*) > 0;

    -- Empty, but for a document whose maker's key does not reach the one that had the external id before: its own id.
    alter table documents add column external_id_space identifier not null default '';
    drop index documents_tenant_id_tenant_unit_id_external_id_idx;
    create unique index on documents (tenant_id, tenant_unit_id, external_id, external_id_space)
      where external_id is not null;
  `.execute(db);
  await sql`
    do $$
    begin
      execute format('alter function count_uploads() set search_path = %I, pg_temp', current_schema());
      revoke execute on function count_uploads() from public;
      execute format('grant insert on uploads to %I', tenant_role());
      execute format(
        'create policy one_tenant on uploads as restrictive to %I
         using (tenant_id in (current_setting(''lectern.tenant_id'', true), ''''))
         with check (tenant_id = current_setting(''lectern.tenant_id'', true))', tenant_role());
      create policy by_grants on uploads using (true) with check (true);
      alter table uploads enable row level security;
    end $$
  `.execute(db);
}
