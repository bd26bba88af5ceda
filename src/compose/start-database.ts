import path from 'node:path';
import type { Logger } from 'pino';
import { findDatabaseFolder, startEmbedded } from '../../db/embedded.js';
import { assertRoleServable, type Config, ConfigError } from '../config/config.js';

export interface RunningDatabase {
  url: string;
  /** For people: which server this is. */
  description: string;
  stop(): Promise<void>;
}

/**
 * The database of a configuration: the one it names, else the embedded one, started or shared, and made where there is none.
 *
 * @throws ConfigError where the role needs a database that other processes share
 */
export async function startDatabase(config: Config, log: Logger): Promise<RunningDatabase> {
  if (config.databaseUrl) {
    const { host } = new URL(config.databaseUrl);
    return { url: config.databaseUrl, description: `PostgreSQL at ${host}`, stop: async () => {} };
  }
  assertRoleServable(config);
  const server = await startEmbedded({
    dataDir: config.dataDir,
    onLog: (line) => log.info({ component: 'postgres' }, line),
  });
  const shared = server.shared ? ', shared with another process' : '';
  const place = server.folder.startsWith(path.resolve(config.dataDir)) ? '' : ` in ${server.folder}`;
  return {
    url: server.url,
    description: `PostgreSQL ${server.version}, embedded${place}${shared}`,
    stop: () => server.stop(),
  };
}

/** Whether there is a database, as far as can be seen without connecting: a new embedded one would be made otherwise. */
export const hasDatabase = ({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): boolean =>
  Boolean(databaseUrl || findDatabaseFolder(dataDir));

/**
 * `startDatabase` for commands that make no sense on an empty database.
 *
 * @throws ConfigError where there would be a new embedded one
 */
export async function startExistingDatabase(config: Config, log: Logger): Promise<RunningDatabase> {
  if (!hasDatabase(config)) {
    throw new ConfigError(
      `There is no database in ${config.dataDir}. Set DATA_DIR, or DATABASE_URL, as the server has it.`,
    );
  }
  return startDatabase(config, log);
}
