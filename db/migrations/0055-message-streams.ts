import { type Kysely, sql } from 'kysely';

/**
 * Messages that are still being written: `is_open` until they are closed, with the number of their parts and when the last
 * one came. The index has no column that a part changes, so that its update needs none of the indexes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table messages
      add column is_open boolean, add column written_parts integer, add column written_time timestamptz
  `.execute(db);
  await sql`create index messages_open on messages (tenant_id, conversation_id) where is_open`.execute(db);
}
