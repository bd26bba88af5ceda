import { type Kysely, sql } from 'kysely';

/** What writes leave behind: versions, an audit trail, answers kept for retries, and what each tenant uses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Grows with every change that a caller makes; what the service does by itself does not count.
    alter table conversations add column version bigint not null default 1;
    alter table documents add column version bigint not null default 1;

    create table audit_events (
      id             bigint generated always as identity primary key,
      tenant_id      identifier not null,
      tenant_unit_id identifier,
      time           timestamptz not null default now(),
      action         text not null,            -- such as documents.update
      subject_type   text not null,
      subject_id     text not null,
      key_id         text,                     -- null: without a key, or the command line
      user_id        text,                     -- as the caller says in X-User-Id
      address        text,
      request_id     text,
      before         jsonb,                    -- small fields only, never text of documents
      after          jsonb
    );
    create index on audit_events (tenant_id, id desc);
    create index on audit_events (tenant_id, subject_id, id desc);
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% only grows', tg_table_name;
    end $$;
    create trigger audit_events_stay before update or delete or truncate on audit_events
      for each statement execute function refuse_change();

    -- The results of writes that may be sent again. Written in the transaction of the write itself.
    create table idempotency_keys (
      tenant_id    identifier not null,
      caller       text collate "C" not null,   -- the id of the key, empty without one
      key          text collate "C" not null,   -- as the caller chose it
      fingerprint  bytea not null,              -- of the operation and its input
      result       bytea not null,
      created_time timestamptz not null,
      primary key (tenant_id, caller, key)
    );
    create index on idempotency_keys (created_time);

    -- What each tenant has, for its quotas. Sixteen rows a tenant, so that writers seldom wait for each other.
    create table tenant_usage (
      tenant_id identifier not null,
      shard     integer not null,
      documents bigint not null default 0,
      chunks    bigint not null default 0,
      bytes     bigint not null default 0,      -- of files and inline text
      primary key (tenant_id, shard)
    ) with (fillfactor = 50);

    create function add_usage(tenant identifier, more_documents bigint, more_chunks bigint, more_bytes bigint)
    returns void language sql as $$
      insert into tenant_usage as u
      values (tenant, pg_backend_pid() % 16, more_documents, more_chunks, more_bytes)
      on conflict (tenant_id, shard) do update
      set documents = u.documents + excluded.documents, chunks = u.chunks + excluded.chunks,
        bytes = u.bytes + excluded.bytes
    $$;
    create function count_usage() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'documents' then
        if tg_op = 'INSERT' then
          perform add_usage(tenant_id, count(*), 0, 0) from new_rows group by tenant_id order by tenant_id;
        else
          perform add_usage(tenant_id, -count(*), 0, 0) from old_rows group by tenant_id order by tenant_id;
        end if;
      elsif tg_table_name = 'chunks' then
        if tg_op = 'INSERT' then
          perform add_usage(tenant_id, 0, count(*), 0) from new_rows group by tenant_id order by tenant_id;
        else
          perform add_usage(tenant_id, 0, -count(*), 0) from old_rows group by tenant_id order by tenant_id;
        end if;
      else
        if tg_op <> 'DELETE' then
          perform add_usage(tenant_id, 0, 0, sum(coalesce(size_bytes, 0))::bigint)
          from new_rows group by tenant_id having sum(coalesce(size_bytes, 0)) <> 0 order by tenant_id;
        end if;
        if tg_op <> 'INSERT' then
          perform add_usage(tenant_id, 0, 0, -sum(coalesce(size_bytes, 0))::bigint)
          from old_rows group by tenant_id having sum(coalesce(size_bytes, 0)) <> 0 order by tenant_id;
        end if;
      end if;
      return null;
    end $$;
    create trigger documents_inserted after insert on documents
      referencing new table as new_rows for each statement execute function count_usage();
    create trigger documents_deleted after delete on documents
      referencing old table as old_rows for each statement execute function count_usage();
    create trigger chunks_inserted after insert on chunks
      referencing new table as new_rows for each statement execute function count_usage();
    create trigger chunks_deleted after delete on chunks
      referencing old table as old_rows for each statement execute function count_usage();
    create trigger document_sources_inserted after insert on document_sources
      referencing new table as new_rows for each statement execute function count_usage();
    create trigger document_sources_updated after update on document_sources
      referencing old table as old_rows new table as new_rows for each statement execute function count_usage();
    create trigger document_sources_deleted after delete on document_sources
      referencing old table as old_rows for each statement execute function count_usage();

    insert into tenant_usage
      select tenant_id, 0, sum(documents), sum(chunks), sum(bytes)
      from (select tenant_id, count(*) as documents, 0 as chunks, 0 as bytes from documents group by tenant_id
            union all select tenant_id, 0, count(*), 0 from chunks group by tenant_id
            union all select tenant_id, 0, 0, sum(coalesce(size_bytes, 0)) from document_sources group by tenant_id) as found
      group by tenant_id;
  `.execute(db);
}
