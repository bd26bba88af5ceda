import { type Kysely, sql } from 'kysely';

/** Conversations that have got messages with lower numbers than those that are indexed, by an import. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table message_changes add column has_earlier boolean not null default false`.execute(db);
}
