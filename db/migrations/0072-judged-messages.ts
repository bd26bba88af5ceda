import { type Kysely, sql } from 'kysely';

/** Conversations with good or bad feedback. Other feedback is text of any length. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index messages_judged on messages (tenant_id, feedback, conversation_id) where feedback in ('up', 'down')
  `.execute(db);
}
