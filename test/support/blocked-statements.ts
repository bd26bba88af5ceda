import { sql } from 'kysely';
import type { Database } from '../../db/schema.js';

/** The statements in the database that wait for a lock. */
export async function blockedStatements(db: Database): Promise<string[]> {
  const { rows } = await sql<{ query: string }>`
    select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.execute(db);
  return rows.map(({ query }) => query);
}
