import path from 'node:path';
import { prepareDataFolder } from '../../../packages/embedded-postgres/src/data-folder.js';
import { childEnv, runProgram } from '../../../packages/embedded-postgres/src/run-program.js';
import { joinCluster } from '../../support/cluster.js';
import { choosePort } from './ports.js';
import { answers, type Postgres } from './postgres.js';
import { type Supervised, supervise } from './supervised.js';

const USER = 'lectern';
const WORKERS = 2;
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_preload_libraries: 'citus',
  max_connections: '300',
  max_prepared_transactions: '300',
  wal_level: 'logical',
  'citus.shard_count': '8',
};

interface Place {
  folder: string;
  logs: string;
  pauseMs: () => number;
  /** Of a PostgreSQL that has Citus, with its programs. */
  bin: string;
}

/** A coordinator and two workers. */
export async function prepareCluster(place: Place): Promise<Postgres> {
  const { folder, account } = await prepareDataFolder(path.join(place.folder, 'database'), USER);
  const nodes: { server: Supervised; url: string }[] = [];
  for (const name of ['postgres', ...Array.from({ length: WORKERS }, (_, n) => `node ${n + 1}`)]) {
    const data = path.join(folder, name.replace(' ', '-'));
    const args = ['-D', data, '-U', USER, '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    const made = await runProgram(path.join(place.bin, 'initdb'), args, account);
    if (!made.ok) throw new Error(made.output);
    const port = await choosePort();
    const url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
    const options = Object.entries(SETTINGS).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    const server = supervise({
      ...place,
      name,
      command: [path.join(place.bin, 'postgres'), '-D', data, '-p', String(port), ...options],
      env: childEnv,
      folder: data,
      account,
      isHealthy: () => answers(url),
    });
    nodes.push({ server, url });
  }
  const [coordinator, ...workers] = nodes as [(typeof nodes)[0], ...typeof nodes];
  return {
    server: coordinator.server,
    url: coordinator.url,
    workers: workers.map(({ server }) => server),
    async prepare() {
      await Promise.all(workers.map(({ server }) => server.untilHealthy()));
      await joinCluster(nodes.map(({ url }) => url));
    },
  };
}
