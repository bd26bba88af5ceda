import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/** Vectors of chunk texts, for search by meaning. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db);
  await protectTables(db, {
    chunk_texts: 'select, delete',
    embedding_queue: 'select, insert, update',
    embedding_usage: 'select',
    embeddings: 'select',
  });
  // Models are of all tenants.
  await sql`
    do $$ begin
      execute format('grant select on embedding_models to %I', tenant_role());
    end $$;
  `.execute(db);
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What makes vectors comparable. A changed configuration makes a new one, which takes the place of the live one when
    -- all chunks have its vectors.
    create table embedding_models (
      id             bigint generated always as identity primary key,
      status         text collate "C" not null,  -- filling, live or retired
      url            text not null,
      name           text not null,
      dimensions     integer not null,
      query_prefix   text not null,
      passage_prefix text not null,
      scripts        text[] not null,            -- in which the model tells meanings apart, as measured
      is_filled      boolean not null default false,
      -- The chunk that was queued last of those that were there before the model.
      filled_tenant_id identifier not null default '',
      filled_chunk_id  identifier not null default '',
      status_time    timestamptz not null default now(),
      created_time   timestamptz not null default now()
    );
    create unique index on embedding_models (status) where status in ('filling', 'live');

    -- Chunks whose text has to be embedded.
    create table embedding_queue (
      tenant_id  identifier not null,
      chunk_id   identifier not null,
      revision   bigint generated always as identity,
      retry_time timestamptz not null default now(),
      attempts   smallint not null default 0,  -- that failed
      error      text,
      primary key (tenant_id, chunk_id)
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
    create index on embedding_queue (tenant_id, retry_time);

    -- Which text a chunk has. Missing while a changed one is in the queue.
    create table chunk_texts (
      tenant_id identifier not null,
      chunk_id  identifier not null,
      hash      bytea not null,
      primary key (tenant_id, chunk_id),
      foreign key (tenant_id, chunk_id) references chunks (tenant_id, id) on delete cascade
    );
    create index on chunk_texts (tenant_id, hash);

    -- The vector of a text, once for each tenant that has it.
    create table embeddings (
      tenant_id    identifier not null,
      model_id     bigint not null,
      hash         bytea not null,
      scale        real not null,                -- of one step of an element
      vector       bytea not null,               -- of unit length, a signed byte for each dimension
      is_cut       boolean not null,             -- whether the text was too long for the model
      created_time timestamptz not null default now(),
      primary key (tenant_id, model_id, hash)
    );
    -- Numbers of no pattern: compression would be in vain.
    alter table embeddings alter column vector set storage external;
    create index on embeddings (created_time);

    create table embedding_usage (
      tenant_id identifier primary key,
      texts     bigint not null,
      tokens    bigint not null                  -- as the endpoint counts them
    );
  `.execute(db);
}
