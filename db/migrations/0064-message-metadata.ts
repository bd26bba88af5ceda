import { type Kysely, sql } from 'kysely';

/** Whether a segment of messages says by whom and when they are: a former release wrote none of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table posting_segments add column has_message_metadata boolean`.execute(db);
}
