import { type Logger, pino } from 'pino';
import { connectDatabase } from '../../../db/client.js';
import { migrateToLatest } from '../../../db/migrate.js';
import type { Database } from '../../../db/schema.js';
import { startDatabase, startExistingDatabase } from '../../compose/start-database.js';
import { type Config, readConfig } from '../../config/config.js';
import { version } from '../../config/version.js';

export interface DatabaseSession {
  config: Config;
  url: string;
  db: Database;
  /** To the standard error: the standard output is the result's. */
  log: Logger;
}

interface SessionOptions {
  connections: number;
  /** Whether an embedded database is made where there is none; default: that is an error. */
  mayMake?: boolean;
}

/** Runs the work of a command on the configured database as it is, beside a running server or without one. */
export async function withDatabase<T>(
  { connections, mayMake = false }: SessionOptions,
  work: (session: DatabaseSession) => Promise<T>,
): Promise<T> {
  const config = readConfig();
  const log = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }));
  const database = await (mayMake ? startDatabase : startExistingDatabase)(config, log);
  try {
    const { url } = database;
    const { db, close } = connectDatabase(url, { max: connections });
    return await work({ config, url, db, log }).finally(close);
  } finally {
    await database.stop();
  }
}

/** Likewise, with the migrations that are missing. */
export const withMigratedDatabase = <T>(
  options: SessionOptions,
  work: (session: DatabaseSession) => Promise<T>,
): Promise<T> =>
  withDatabase(options, async (session) => {
    const { url, log } = session;
    await migrateToLatest(url, { version, onWaiting: (what) => log.warn(what) });
    return work(session);
  });
