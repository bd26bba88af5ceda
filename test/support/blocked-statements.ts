import { sql } from 'kysely';
import type { Database } from '../../db/schema.js';

const BLOCKED = `
  select coalesce(json_agg(query), '[]') as queries from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'
    -- In the background, every few seconds.
    and query !~* 'where [("]*idle_check_time'`;

/** The statements in the database that wait for a lock; on a cluster also those on other nodes, for shards. */
export async function blockedStatements(db: Database): Promise<string[]> {
  if (!process.env.CITUS_URL) {
    const { rows } = await sql<{ queries: string[] }>`${sql.raw(BLOCKED)}`.execute(db);
    return rows.flatMap(({ queries }) => queries);
  }
  const { rows } = await sql<{ result: string }>`
    select result from run_command_on_all_nodes(${BLOCKED})`.execute(db);
  return rows.flatMap(({ result }) => JSON.parse(result) as string[]);
}
