import { type Kysely, sql } from 'kysely';

/** API keys say whether anybody could make them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Made by a request in open mode, or with a key that was.
    alter table api_keys add column made_in_open_mode boolean not null default false;
  `.execute(db);
}
