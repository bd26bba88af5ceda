import { type Kysely, sql } from 'kysely';

/** When the chunks of a document were made, for citations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table documents add column processed_time timestamptz`.execute(db);
}
