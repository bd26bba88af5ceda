import { type Kysely, sql } from 'kysely';

/** Cosines are compared after the center is taken off: what they mean is measured again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update embedding_models set cosines = null`.execute(db);
}
