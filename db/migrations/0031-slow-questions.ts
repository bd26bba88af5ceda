import { type Kysely, sql } from 'kysely';

/** Questions that wait for the endpoint slow down what embeds texts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- When a search last waited long for the vector of its question.
    alter table embedding_models add column slow_question_time timestamptz;
  `.execute(db);
  // What an endpoint said may repeat texts and keys: codes have taken its place.
  await sql`
    update embedding_queue set error = 'unavailable' where error is not null and error !~ '^[a-z-]+( [0-9]+)?$'
  `.execute(db);
}
