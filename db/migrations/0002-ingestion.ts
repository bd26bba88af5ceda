import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table documents
      add column chunking   jsonb,                       -- size, overlap and separators, where the document has its own
      add column new_chunks integer not null default 0;  -- made so far by the processing that is under way
    -- What is still to be processed, by tenant, for a fair order.
    create index on documents (tenant_id) where status in ('created', 'processing') and source <> 'none';
    -- Whether a page is registered already. A URL may be longer than a B-tree takes.
    create index on documents using hash (url) where url is not null;
    create index on documents (tenant_id, status, created_time desc, id desc);

    -- What the server said of the version that was processed last: asked for again only if it changed.
    alter table document_sources
      add column etag               text,
      add column http_last_modified text;
    -- Which files in storage are owned.
    create index on document_sources (file_key) where file_key is not null;
    create index on uploads (file_key);

    -- The chunks of a document while they are made: moved to chunks all at once when they are complete. What a crash
    -- of the database takes away is counted and made again, so these need no log.
    create unlogged table chunk_drafts (
      tenant_id          identifier not null,
      tenant_unit_id     identifier not null,
      document_id        identifier not null,
      run                identifier not null,   -- one worker's attempt at the document
      ordinal            integer not null,
      id                 identifier not null,
      source_hash        text collate "C" not null,
      content            text not null,
      content_complement text not null,
      keywords           json not null,
      metadata           jsonb not null,
      terms              tsvector not null,
      terms_length       integer not null,
      analyzer           integer not null,
      primary key (tenant_id, document_id, run, ordinal),
      foreign key (tenant_id, document_id) references documents (tenant_id, id) on delete cascade
    );

    -- Many new terms at once are merged several times faster than one by one; a list of this size, in kB, is short
    -- enough that searches do not feel it.
    alter index chunk_terms_terms_idx set (fastupdate = on, gin_pending_list_limit = 512);
  `.execute(db);
}
