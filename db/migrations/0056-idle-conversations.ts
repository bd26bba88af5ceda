import { type Kysely, sql } from 'kysely';

/**
 * When a conversation got its last message, and when it is checked next for being idle; null where nobody wants to know. An
 * append changes the second column only where it is null, so that almost none changes an indexed column.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table conversations add column last_message_time timestamptz, add column idle_check_time timestamptz
  `.execute(db);
  await sql`
    create index conversations_idle_check on conversations (idle_check_time) where idle_check_time is not null
  `.execute(db);
}
