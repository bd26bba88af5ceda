import { type Kysely, sql } from 'kysely';

/** Which of processes with different models embeds, and how a model is asked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table embedding_models
      add column requested_dimensions integer,  -- null where the model is asked for its own
      -- Start of the last process that was configured for the model, and when one was last at work.
      add column started_time timestamptz not null default 'epoch',
      add column seen_time    timestamptz not null default now();
  `.execute(db);
}
