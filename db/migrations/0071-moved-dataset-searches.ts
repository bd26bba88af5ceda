import { type Kysely, sql } from 'kysely';

/** Counts of searches follow the documents of a dataset to another one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ role: string }>`select tenant_role() as role`.execute(db);
  await sql`grant insert on dataset_searches to ${sql.id(rows[0]?.role ?? '')}`.execute(db);
}
