import { type Kysely, sql } from 'kysely';

/** Since when segments have chunks that have changed or gone: they are rewritten after a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table posting_segments add column dead_since timestamptz;
    update posting_segments set dead_since = now() where dead > 0;
    create index on posting_segments (dead_since) where dead_since is not null;
  `.execute(db);
}
