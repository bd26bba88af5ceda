import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/**
 * Writes append what they change to the usage of a tenant, so that none of them waits for another one. The changes are
 * rolled up into one row a tenant in the background.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await mergeShards(db);
  await createTable(db);
  await protectUsage(db);
  await replaceTriggerFunctions(db);
}

async function mergeShards(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Waits for the writes that still add to a shard.
    lock table tenant_usage in access exclusive mode;
    insert into tenant_usage (tenant_id, shard, documents, chunks, bytes)
      select tenant_id, -1, sum(documents), sum(chunks), sum(bytes) from tenant_usage group by tenant_id;
    delete from tenant_usage where shard <> -1;
    alter table tenant_usage drop column shard, add primary key (tenant_id);
  `.execute(db);
}

async function createTable(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What writes have added to the usage of a tenant, or taken from it, and is not in tenant_usage yet.
    create table tenant_usage_changes (
      tenant_id identifier not null,
      id        bigint generated always as identity,
      documents bigint not null default 0,
      chunks    bigint not null default 0,
      bytes     bigint not null default 0,
      primary key (tenant_id, id)
    ) with (
      -- Its rows come and go all the time. Truncating it would lock writers out.
      autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, vacuum_truncate = off
    );
  `.execute(db);
}

/** Tenants append changes and read; only the rollup, which runs as the owner, writes tenant_usage. */
async function protectUsage(db: Kysely<unknown>): Promise<void> {
  await protectTables(db, { tenant_usage_changes: 'select, insert' });
  await sql`
    do $$ begin
      execute format('revoke insert, update on tenant_usage from %I', tenant_role());
    end $$;
  `.execute(db);
}

async function replaceTriggerFunctions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function count_usage() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'documents' then
        if tg_op = 'INSERT' then
          insert into tenant_usage_changes (tenant_id, documents)
            select tenant_id, count(*) from new_rows group by tenant_id;
        else
          insert into tenant_usage_changes (tenant_id, documents)
            select tenant_id, -count(*) from old_rows group by tenant_id;
        end if;
      elsif tg_table_name = 'chunks' then
        if tg_op = 'INSERT' then
          insert into tenant_usage_changes (tenant_id, chunks)
            select tenant_id, count(*) from new_rows group by tenant_id;
        else
          insert into tenant_usage_changes (tenant_id, chunks)
            select tenant_id, -count(*) from old_rows group by tenant_id;
        end if;
      elsif tg_op = 'INSERT' then
        insert into tenant_usage_changes (tenant_id, bytes)
          select tenant_id, sum(size_bytes) from new_rows group by tenant_id having sum(size_bytes) <> 0;
      elsif tg_op = 'DELETE' then
        insert into tenant_usage_changes (tenant_id, bytes)
          select tenant_id, -sum(size_bytes) from old_rows group by tenant_id having sum(size_bytes) <> 0;
      else
        insert into tenant_usage_changes (tenant_id, bytes)
          select tenant_id, sum(bytes)
          from (select tenant_id, size_bytes as bytes from new_rows
                union all select tenant_id, -size_bytes from old_rows) as changed
          group by tenant_id having sum(bytes) <> 0;
      end if;
      return null;
    end $$;

    create or replace function count_uploads() returns trigger language plpgsql security definer as $$
    begin
      if tg_op = 'INSERT' then
        insert into tenant_usage_changes (tenant_id, bytes)
          select tenant_id, sum(size_bytes) from new_rows group by tenant_id having sum(size_bytes) <> 0;
      else
        insert into tenant_usage_changes (tenant_id, bytes)
          select tenant_id, -sum(size_bytes) from old_rows group by tenant_id having sum(size_bytes) <> 0;
      end if;
      return null;
    end $$;
    do $$
    begin
      -- Replacing it has removed this.
      execute format('alter function count_uploads() set search_path = %I, pg_temp', current_schema());
    end $$;

    drop function add_usage(identifier, bigint, bigint, bigint);
  `.execute(db);
}
