import { type Kysely, sql } from 'kysely';

/** What a cosine of a model means, by which scores are comparable. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- By script: the mean cosine of a question with its answer, and with answers to others. Null until it is measured.
    alter table embedding_models add column cosines jsonb;
    -- The mean of some vectors: what all of the model's have in common.
    alter table embedding_models add column center real[];
  `.execute(db);
}
