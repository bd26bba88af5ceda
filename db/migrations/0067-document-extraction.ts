import { type Kysely, sql } from 'kysely';

/** Who reads a document, where it is not left to the configuration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table documents add column extraction text not null default 'auto'`.execute(db);
}
