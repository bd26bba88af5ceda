import { type Kysely, sql } from 'kysely';

/** The service appends messages, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ role: string }>`select tenant_role() as role`.execute(db);
  await sql`grant insert on messages to ${sql.id(rows[0]?.role ?? '')}`.execute(db);
}
