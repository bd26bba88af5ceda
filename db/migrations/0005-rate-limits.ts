import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Unlogged: a crash of the database fills all buckets again, which is no harm.
  await sql`
    create unlogged table rate_buckets (
      bucket       text collate "C" primary key,
      tokens       double precision not null,    -- below zero: a debt
      updated_time timestamptz not null
    ) with (fillfactor = 50);
    create index on rate_buckets (updated_time);
  `.execute(db);
}
