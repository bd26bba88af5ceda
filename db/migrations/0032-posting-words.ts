import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/**
 * The words of each segment, for the correction of typing errors and for completions. Chunks are analyzed anew after the
 * start, in the background; then they have them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table chunk_terms add column words text not null default '';
    alter table chunk_drafts add column words text not null default '';

    -- The words of a segment in ascending order, cut into blocks, with how many chunks hold each.
    create table posting_words (
      tenant_id  identifier not null,
      segment_id bigint not null,
      first_word text collate "C" not null,
      words      text not null,   -- separated by spaces
      counts     bytea not null,  -- a byte for each word, see segment-words.ts
      primary key (tenant_id, segment_id, first_word),
      foreign key (tenant_id, segment_id) references posting_segments on delete cascade
    );
  `.execute(db);
  await protectTables(db, { posting_words: 'select' });
}
