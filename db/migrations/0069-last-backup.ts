import { type Kysely, sql } from 'kysely';

/** When the last backup was complete. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table last_backup (
      only_row boolean primary key default true check (only_row),
      time     timestamptz not null               -- of the moment that it has
    )
  `.execute(db);
}
