import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table documents
      add column datasets_revision bigint not null default 1;  -- grows when the document changes its datasets

    -- Part of the whole that a chunk belongs to: two views of all chunks can be compared part by part.
    create function chunk_bucket(id text) returns integer language sql immutable strict parallel safe
      return ('x' || left(md5(id), 3))::bit(12)::integer;
    create index chunks_bucket_idx on chunks (chunk_bucket(id));

    -- How many chunks a tenant has, and how long they are together, for the ranking. Sixteen rows a tenant, so that
    -- writers seldom wait for each other.
    create table corpus_statistics (
      tenant_id identifier not null,
      shard     integer not null,
      chunks    bigint not null,
      length    bigint not null,   -- in terms
      primary key (tenant_id, shard)
    ) with (fillfactor = 50);

    create function count_chunk_terms() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'DELETE' then
        insert into corpus_statistics as s
        select tenant_id, pg_backend_pid() % 16, count(*), sum(length) from new_rows group by tenant_id order by tenant_id
        on conflict (tenant_id, shard) do update
        set chunks = s.chunks + excluded.chunks, length = s.length + excluded.length;
      end if;
      if tg_op <> 'INSERT' then
        insert into corpus_statistics as s
        select tenant_id, pg_backend_pid() % 16, -count(*), -sum(length) from old_rows group by tenant_id order by tenant_id
        on conflict (tenant_id, shard) do update
        set chunks = s.chunks + excluded.chunks, length = s.length + excluded.length;
      end if;
      return null;
    end $$;
    create trigger chunk_terms_inserted after insert on chunk_terms
      referencing new table as new_rows for each statement execute function count_chunk_terms();
    create trigger chunk_terms_updated after update on chunk_terms
      referencing old table as old_rows new table as new_rows for each statement execute function count_chunk_terms();
    create trigger chunk_terms_deleted after delete on chunk_terms
      referencing old table as old_rows for each statement execute function count_chunk_terms();
    insert into corpus_statistics
      select tenant_id, 0, count(*), sum(length) from chunk_terms group by tenant_id;
    -- A cascade deletes, and would count, row by row; whoever deletes chunks deletes their terms with them.
    alter table chunk_terms drop constraint chunk_terms_chunk_id_fkey;
    drop index chunk_terms_tenant_id_length_idx;

    -- The search index kept outside this database: one row from the first time that there is one.
    create table search_index (
      only_row         boolean primary key default true check (only_row),
      generation       bigint not null default 0,     -- grows whenever the index is filled anew
      checkpoint       bigint not null default 0,     -- the last batch known to be in the index
      filling          boolean not null default true, -- not all chunks have reached it since
      filled_to        identifier,                    -- chunks up to this id are queued for that; null when all are
      rebuild          jsonb,                         -- a new index being built beside this one, and how far it is
      synced_time      timestamptz,
      error            text,                          -- why changes do not reach the index at present
      error_time       timestamptz
    );

    -- Chunks whose entry in that index is not, or not known to be, what this database says.
    create sequence search_outbox_revision;
    create table search_outbox (
      chunk_id    identifier primary key,
      revision    bigint not null default nextval('search_outbox_revision'),
      queued_time timestamptz not null default now(),
      filling     boolean not null default false,  -- the index is incomplete without it
      task_uid    bigint,                          -- the task of the search server that carries it
      error       text                             -- why the search server does not take this chunk; it is set aside
    );
    create index on search_outbox (revision);
    create index on search_outbox (revision) where task_uid is null and error is null;
    create index on search_outbox (task_uid) where task_uid is not null;
    create index on search_outbox (queued_time) where error is not null;
    create index on search_outbox (filling) where filling and error is null;

    -- While an index is built beside the live one: what has reached the live one since, to be repeated there.
    create table search_replay (
      chunk_id identifier primary key,
      revision bigint not null
    );
  `.execute(db);
}
