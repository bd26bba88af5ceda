import { sql } from 'kysely';
import { pino } from 'pino';
import { connectDatabase } from '../../../db/client.js';
import { migrationNames } from '../../../db/migration-record.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { withTimeout } from '../../async/timeouts.js';
import { hasDatabase, startDatabase } from '../../compose/start-database.js';
import type { Config } from '../../config/config.js';
import { isTlsRefused, TLS_ADVICE } from '../shared/explain-tls.js';
import { type ExaminedDatabase, type Finding, ok, problem } from './check.js';

const START_TIMEOUT_MS = 60_000;
const CONNECTION_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT = '8s';

export interface OpenedDatabase {
  database?: ExaminedDatabase;
  /** Why there is none. */
  finding?: Finding;
  close(): Promise<void>;
}

/** Connects to the database as it is. An embedded one that does not run is started for that long, and none is made. */
export async function openDatabase(config: Config): Promise<OpenedDatabase> {
  const closed = { close: async () => {} };
  if (!hasDatabase(config)) {
    return { ...closed, finding: ok(`An embedded one is made in ${config.dataDir} when the server starts.`) };
  }
  try {
    const log = pino({ level: 'silent' });
    const message = 'The embedded database does not start within a minute.';
    const server = await withTimeout(START_TIMEOUT_MS, startDatabase(config, log), message);
    const { db, close } = connectDatabase(server.url, {
      max: 4,
      connectionTimeoutMs: CONNECTION_TIMEOUT_MS,
      settings: { statement_timeout: STATEMENT_TIMEOUT },
    });
    const closeAll = () => close().finally(server.stop);
    try {
      return { database: await examine(server.url, db), close: closeAll };
    } catch (error) {
      await closeAll();
      throw error;
    }
  } catch (error) {
    return { ...closed, finding: explain(error, config) };
  }
}

async function examine(url: string, guarded: ExaminedDatabase['db']): Promise<ExaminedDatabase> {
  const db = unscoped(guarded, 'Operators look at what waits for all tenants.');
  const migrations = await readMigrations(db);
  const isCurrent = JSON.stringify(migrations) === JSON.stringify(migrationNames());
  return { url, db, migrations, isCurrent };
}

async function readMigrations(db: ExaminedDatabase['db']): Promise<string[]> {
  const { rows } = await sql<{
    found: boolean;
  }>`select to_regclass('kysely_migration') is not null as found`.execute(db);
  if (!rows[0]?.found) return [];
  const { rows: applied } = await sql<{
    name: string;
  }>`select name from kysely_migration order by name`.execute(db);
  return applied.map(({ name }) => name);
}

function explain(error: unknown, { databaseUrl }: Config): Finding {
  const { message, code } = describe(error);
  if (!databaseUrl)
    return problem(message, 'The server would not start either: do what it says, or set DATABASE_URL.');
  const { host } = new URL(databaseUrl);
  if (code === '28P01' || code === '28000') {
    return problem(
      `PostgreSQL at ${host} refuses the user or the password (${message}).`,
      'Check both in DATABASE_URL.',
    );
  }
  if (code === '3D000') {
    return problem(
      `PostgreSQL at ${host} has no such database (${message}).`,
      'Make it with createdb, or correct DATABASE_URL.',
    );
  }
  if (isTlsRefused(error)) {
    return problem(
      `PostgreSQL at ${host} offers no TLS (${message}), and DATABASE_URL asks for it.`,
      TLS_ADVICE,
    );
  }
  return problem(
    `PostgreSQL at ${host} cannot be reached (${message}).`,
    'Check DATABASE_URL, that PostgreSQL runs, and that its port can be reached from here.',
  );
}

/** Of several addresses of a host the errors of all. */
function describe(error: unknown): { message: string; code?: string | undefined } {
  if (error instanceof AggregateError) {
    return { message: error.errors.map((one) => (one as Error).message).join(', ') };
  }
  const { message, code } = error as { message: string; code?: string };
  return { message, code };
}
