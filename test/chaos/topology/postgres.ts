import path from 'node:path';
import { preparePostgres as prepareFiles } from '@lectern/embedded-postgres';
import pg from 'pg';
import { choosePort } from './ports.js';
import { type Supervised, supervise } from './supervised.js';

export interface Postgres {
  server: Supervised;
  url: string;
  /** Of a cluster, beside its coordinator. */
  workers: (Supervised & { url: string })[];
  /** When all of them run, before the first migration. */
  prepare?: () => Promise<void>;
}

/** Everything else as it comes. */
const SETTINGS = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];

interface Place {
  folder: string;
  logs: string;
  pauseMs: () => number;
}

/** A PostgreSQL server as an operator would run it: the binaries of the embedded one, with a data folder of its own. */
export async function preparePostgres({ folder, logs, pauseMs }: Place): Promise<Postgres> {
  const { postgres, cluster, account, env, urlOf } = await prepareFiles(path.join(folder, 'database'), {
    name: 'lectern',
  });
  const port = await choosePort();
  const url = urlOf(port);
  const server = supervise({
    name: 'postgres',
    command: [postgres, '-D', cluster, '-p', String(port), ...SETTINGS],
    env,
    folder: cluster,
    logs,
    account,
    isHealthy: () => answers(url),
    pauseMs,
  });
  return { server, url, workers: [] };
}

/** Whether a server accepts connections. */
export async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
