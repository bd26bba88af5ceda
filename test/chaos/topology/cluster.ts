import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { preparePostgres } from '@lectern/embedded-postgres';
import { joinCluster } from './join-cluster.js';
import { choosePort } from './ports.js';
import { answers, type Postgres } from './postgres.js';
import { type Supervised, supervise } from './supervised.js';

const run = promisify(execFile);
const USER = 'lectern';
const WORKERS = 2;
const SETTINGS = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '300' };
const CITUS = {
  shared_preload_libraries: 'citus',
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
  const account = await prepareAccount(place.folder);
  const coordinator = await prepareNode(place, account, { name: 'postgres', settings: CITUS });
  const workers: Node[] = [];
  for (let n = 1; n <= WORKERS; n++)
    workers.push(await prepareNode(place, account, { name: `node ${n}`, settings: CITUS }));
  return {
    ...coordinator,
    workers: workers.map(({ server, url }) => Object.assign(server, { url })),
    async prepare() {
      await Promise.all(workers.map(({ server }) => server.untilHealthy()));
      await joinCluster([coordinator, ...workers].map(({ url }) => url));
    },
  };
}

/** One server of the same programs, without Citus. */
export async function prepareSingle(place: Place): Promise<Postgres> {
  const account = await prepareAccount(place.folder);
  return { ...(await prepareNode(place, account, { name: 'single', settings: {} })), workers: [] };
}

/** Whose processes the servers are, and a folder that they can be in: those of an embedded one. */
const prepareAccount = (folder: string) => preparePostgres(path.join(folder, 'database'), { name: USER });

interface Node {
  server: Supervised;
  url: string;
}

async function prepareNode(
  place: Place,
  { cluster, account, env }: Awaited<ReturnType<typeof prepareAccount>>,
  { name, settings }: { name: string; settings: Record<string, string> },
): Promise<Node> {
  const data = path.join(path.dirname(cluster), name.replace(' ', '-'));
  const args = ['-D', data, '-U', USER, '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await run(path.join(place.bin, 'initdb'), args, { ...account, env, cwd: '/' });
  const port = await choosePort();
  const url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
  const options = Object.entries({ ...SETTINGS, ...settings }).flatMap(([key, value]) => [
    '-c',
    `${key}=${value}`,
  ]);
  const server = supervise({
    ...place,
    name,
    command: [path.join(place.bin, 'postgres'), '-D', data, '-p', String(port), ...options],
    env,
    folder: data,
    account,
    isHealthy: () => answers(url),
  });
  return { server, url };
}
