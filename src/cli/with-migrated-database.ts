import { type Logger, pino } from 'pino';
import { connectDatabase } from '../../db/client.js';
import { migrateToLatest } from '../../db/migrate.js';
import type { Database } from '../../db/schema.js';
import { type Config, readConfig } from '../config.js';
import { startDatabase } from '../start-database.js';

interface DatabaseSession {
  config: Config;
  db: Database;
  /** To the standard error: the standard output is the result's. */
  log: Logger;
}

/** Runs the work of a command on the configured database, beside a running server or without one. */
export async function withMigratedDatabase<T>(
  { connections }: { connections: number },
  work: (session: DatabaseSession) => Promise<T>,
): Promise<T> {
  const config = readConfig();
  const log = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }));
  const database = await startDatabase(config, log);
  try {
    await migrateToLatest(database.url);
    const { db, close } = connectDatabase(database.url, { max: connections });
    return await work({ config, db, log }).finally(close);
  } finally {
    await database.stop();
  }
}
