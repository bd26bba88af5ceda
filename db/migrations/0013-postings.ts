import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/**
 * Postings of the chunks of each dataset take the place of the GIN index and of counted statistics. The terms of all
 * chunks are computed anew after the start, in the background.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPostings(db);
  await replaceTerms(db);
  await protectTables(db, {
    chunk_terms: 'select, insert, update, delete',
    posting_changes: 'select, insert',
    posting_lists: 'select',
    posting_segment_documents: 'select',
    posting_segments: 'select',
  });
}

async function createPostings(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- An immutable part of a dataset's index. Chunks that changed since are in posting_changes as well, and what it
    -- says of them is ignored.
    create table posting_segments (
      id             bigint generated always as identity primary key,
      tenant_id      identifier not null,
      tenant_unit_id identifier not null,
      dataset_id     identifier not null,
      chunks         integer not null,
      dead           integer not null default 0,  -- of these, how many have changed or gone since, about
      length         bigint not null,             -- of all chunks, in terms
      buckets        integer not null,            -- how many rows the rare terms are spread over
      lengths        bytea not null,              -- of each chunk, in ascending order
      chunk_ids      bytea not null               -- 16 bytes each; a posting names a chunk by its place here
    );
    create index on posting_segments (tenant_id, tenant_unit_id, dataset_id);
    -- Read in slices, which compression prevents.
    alter table posting_segments alter column chunk_ids set storage external;

    -- The postings of one frequent term, or of a bucket of rare ones.
    create table posting_lists (
      tenant_id  identifier not null,
      segment_id bigint not null references posting_segments on delete cascade,
      key        bigint not null,   -- the hash of the term; of a bucket, -1 less its number
      chunks     integer,           -- how many hold the term; null for a bucket
      postings   bytea not null,
      primary key (segment_id, key)
    );
    alter table posting_lists alter column postings set storage external;

    -- How many chunks of a document a segment has.
    create table posting_segment_documents (
      tenant_id   identifier not null,
      document_id identifier not null,
      segment_id  bigint not null references posting_segments on delete cascade,
      chunks      integer not null,
      primary key (tenant_id, document_id, segment_id)
    );
    create index on posting_segment_documents (segment_id);

    -- Chunks that are searched by their terms, until the next segment has them. Only grows, so that writers never wait.
    create table posting_changes (
      id          bigint generated always as identity primary key,
      tenant_id   identifier not null,
      document_id identifier not null,
      chunk_ids   text[]                       -- null: all of the document
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
    create index on posting_changes (tenant_id, id);
  `.execute(db);
}

async function replaceTerms(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table corpus_statistics;
    drop table chunk_terms;
    drop function count_chunk_terms();
    create table chunk_terms (
      chunk_id  identifier primary key,
      tenant_id identifier not null,
      analyzer  smallint not null,  -- version of the analysis that made the terms
      length    integer not null,   -- in terms
      terms     text not null       -- words and runs of unspaced scripts as they follow each other, separated by spaces
    );
    insert into chunk_terms select id, tenant_id, 0, 0, '' from chunks where not deleted;
    create index on chunk_terms (analyzer);

    -- Drafts of an earlier version have other terms. Their documents are processed again.
    truncate chunk_drafts;
    alter table chunk_drafts alter column terms type text using '';
  `.execute(db);
}
