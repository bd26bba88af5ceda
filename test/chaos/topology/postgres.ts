import path from 'node:path';
import pg from 'pg';
import { findBinaries } from '../../../db/embedded/binaries.js';
import { clusterIn, connectionUrl, ensureCluster } from '../../../db/embedded/cluster.js';
import { prepareDataFolder, SYSTEM_FOLDER } from '../../../db/embedded/data-folder.js';
import { childEnv } from '../../../db/embedded/run-program.js';
import { choosePort } from './ports.js';
import { type Supervised, supervise } from './supervised.js';

export interface Postgres {
  server: Supervised;
  url: string;
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
  const place = await prepareDataFolder(path.join(folder, 'database'));
  const binaries = await findBinaries(place.account ? SYSTEM_FOLDER : place.folder, place.account);
  await ensureCluster(place, binaries);
  const port = await choosePort();
  const url = connectionUrl(place.folder, port);
  const server = supervise({
    name: 'postgres',
    command: [binaries.postgres, '-D', clusterIn(place.folder), '-p', String(port), ...SETTINGS],
    env: childEnv,
    folder: place.folder,
    logs,
    account: place.account,
    isHealthy: () => answers(url),
    pauseMs,
  });
  return { server, url };
}

async function answers(url: string): Promise<boolean> {
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
