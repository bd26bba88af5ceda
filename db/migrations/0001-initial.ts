import { type Kysely, sql } from 'kysely';

/*
 * Identifiers are text with the "C" collation: byte order is the same on every server, and it is fast.
 * Tenant and unit stand on every tenant-owned row, also where a parent has them, so that no query needs a join
 * to be scoped.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create domain identifier as text collate "C";

    create table conversations (
      id                identifier primary key,
      tenant_id         identifier not null,
      tenant_unit_id    identifier not null,
      topic             text,
      agent_id          identifier not null,
      user_id           identifier not null,
      agent_mode        text not null,
      agent_type        text,
      extend_properties jsonb not null default '{}',
      invoke_from       text,
      inputs            jsonb,
      status            text collate "C",
      assignment_id     identifier,
      created_time      timestamptz not null,
      updated_time      timestamptz not null,
      created_by        text,
      updated_by        text,
      created_by_role   text,
      updated_by_role   text,
      created_by_name   text,
      updated_by_name   text
    );
    -- The list is ordered by creation, either way round; each index serves one way of narrowing it.
    create index on conversations (created_time desc, id desc);
    create index on conversations (tenant_id, created_time desc, id desc);
    create index on conversations (tenant_id, tenant_unit_id, created_time desc, id desc);
    create index on conversations (tenant_id, status, created_time desc, id desc);
    create index on conversations (agent_id, created_time desc, id desc);
    create index on conversations (assignment_id, created_time desc, id desc) where assignment_id is not null;

    -- Every change of a conversation's status; the first row of a conversation is its creation.
    create table conversation_status_changes (
      id              bigint generated always as identity primary key,
      tenant_id       identifier not null,
      tenant_unit_id  identifier not null,
      conversation_id identifier not null references conversations on delete cascade,
      from_status     text,
      to_status       text,
      changed_time    timestamptz not null,
      changed_by      text
    );
    create index on conversation_status_changes (conversation_id, id);

    -- Written by the agent runtime. Only read, and deleted with its conversation, here.
    create table messages (
      id              identifier primary key,
      tenant_id       identifier not null,
      tenant_unit_id  identifier not null,
      conversation_id identifier not null references conversations on delete cascade,
      agent_id        identifier not null,
      user_id         identifier not null,
      run_id          identifier not null,
      message_from    text not null,
      content         text not null,
      requested_time  timestamptz not null,
      input_tokens    double precision default 0,
      answer_tokens   double precision default 0,
      total_tokens    double precision default 0,
      feedback        text,
      metadata        jsonb,
      type            text,
      user_type       text,
      status          text,
      event_trace     text,
      created_by      text,
      updated_by      text,
      created_by_role text,
      updated_by_role text
    );
    create index on messages (conversation_id, requested_time, id);

    -- The key holds the tenant because callers may bring their own ids.
    create table documents (
      id                  identifier not null,
      tenant_id           identifier not null,
      tenant_unit_id      identifier not null,
      external_id         identifier,
      document_type       text collate "C" not null,
      document_sub_type   text,                        -- as the caller says
      sniffed_sub_type    text,                        -- as the content shows
      document_name       text,
      storage_type        text,
      storage_bucket      text,
      storage_path        text,
      url                 text,
      title               text,
      category            text,
      status              text collate "C" not null default 'created',
      processing_progress integer not null default 0,
      custom_properties   jsonb,
      enabled             boolean not null default true,
      source              text not null,               -- where the text comes from: none, content, file, storage, url
      revision            bigint not null default 1,   -- grows with every change of the source; fences late workers
      stage               text,                        -- what the worker is doing
      attempts            integer not null default 0,  -- of the present revision
      error               jsonb,                       -- code, stage, message, retryable
      chunk_count         integer not null default 0,
      created_time        timestamptz not null,
      updated_time        timestamptz not null,
      created_by          text,
      updated_by          text,
      primary key (tenant_id, id)
    );
    create unique index on documents (tenant_id, tenant_unit_id, external_id) where external_id is not null;
    create index on documents (tenant_id, created_time desc, id desc);
    create index on documents (tenant_id, tenant_unit_id, created_time desc, id desc);
    create index on documents (tenant_id, document_type, created_time desc, id desc);

    -- Inline text and the file's address, apart from documents so that lists stay lean.
    create table document_sources (
      tenant_id      identifier not null,
      tenant_unit_id identifier not null,
      document_id    identifier not null,
      content        text,
      content_hash   text,         -- SHA-256 of the inline text or of the file's bytes
      file_key       text,         -- the file's name in storage
      file_name      text,
      media_type     text,
      size_bytes     bigint,
      last_modified  timestamptz,
      primary key (tenant_id, document_id),
      foreign key (tenant_id, document_id) references documents (tenant_id, id) on delete cascade
    );

    create table document_datasets (
      tenant_id      identifier not null,
      tenant_unit_id identifier not null,
      document_id    identifier not null,
      dataset_id     identifier not null,
      primary key (tenant_id, document_id, dataset_id),
      foreign key (tenant_id, document_id) references documents (tenant_id, id) on delete cascade
    );
    create index on document_datasets (tenant_id, dataset_id, document_id);

    -- Files received and not yet claimed by a document. Knowing the random id is the right to claim it.
    create table uploads (
      id           identifier primary key,
      file_key     text not null,
      size_bytes   bigint not null,
      sha256       text not null,
      created_time timestamptz not null
    );
    create index on uploads (created_time);

    create table chunks (
      id                 identifier primary key,
      tenant_id          identifier not null,
      tenant_unit_id     identifier not null,
      document_id        identifier not null,
      ordinal            integer not null,               -- place in the document, from 0
      source_hash        text collate "C" not null,      -- of the text as split: tells unchanged chunks when split again
      content            text not null,
      content_complement text not null,
      keywords           json not null,                  -- keyword to weight; json keeps their order
      keywords_edited    boolean not null default false, -- set by hand: an edit of the text leaves them
      metadata           jsonb not null,
      status             text collate "C" not null default 'active',
      edited             boolean not null default false,
      deleted            boolean not null default false, -- kept, so that splitting the same text again does not bring it back
      revision           bigint not null default 1,
      created_time       timestamptz not null,
      updated_time       timestamptz not null,
      foreign key (tenant_id, document_id) references documents (tenant_id, id) on delete cascade
    );
    create index on chunks (tenant_id, document_id, ordinal);
    create index on chunks (document_id);

    -- The PostgreSQL search engine's view of each searchable chunk.
    create table chunk_terms (
      chunk_id       identifier primary key references chunks on delete cascade,
      tenant_id      identifier not null,
      tenant_unit_id identifier not null,
      document_id    identifier not null,
      terms          tsvector not null,   -- each lexeme begins with a mark of its tenant
      length         integer not null,    -- in terms
      analyzer       integer not null     -- version of the analysis that made the terms
    );
    create index on chunk_terms using gin (terms) with (fastupdate = off);
    create index on chunk_terms (tenant_id) include (length);
    create index on chunk_terms (analyzer);
  `.execute(db);
}
