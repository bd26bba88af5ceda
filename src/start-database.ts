import type { Logger } from 'pino';
import { startEmbedded } from '../db/embedded/index.js';
import type { Config } from './config.js';

export interface RunningDatabase {
  url: string;
  /** For people: which server this is. */
  description: string;
  stop(): Promise<void>;
}

/** The database of a configuration: the one it names, else the embedded one, started or shared. */
export async function startDatabase(config: Config, log: Logger): Promise<RunningDatabase> {
  if (config.databaseUrl) {
    const { host } = new URL(config.databaseUrl);
    return { url: config.databaseUrl, description: `PostgreSQL at ${host}`, stop: async () => {} };
  }
  const server = await startEmbedded({
    dataDir: config.dataDir,
    onLog: (line) => log.info({ component: 'postgres' }, line),
  });
  const shared = server.shared ? ', shared with another process' : '';
  return {
    url: server.url,
    description: `PostgreSQL ${server.version}, embedded${shared}`,
    stop: () => server.stop(),
  };
}
