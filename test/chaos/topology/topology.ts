import path from 'node:path';
import type { Random } from '../../../bench/support/random.js';
import { migrateToLatest } from '../../../db/migrate.js';
import { prepareCluster } from './cluster.js';
import { prepareExtractionEngine } from './extraction-engine.js';
import { type Lectern, lecternEnv, prepareLectern } from './lectern.js';
import { type Postgres, preparePostgres } from './postgres.js';
import { prepareSearchServer, type SearchServer } from './search-server.js';
import type { Supervised } from './supervised.js';

/** A supervisor's pause before it starts a program again. */
const LONGEST_PAUSE_MS = 1_500;
const APIS = 2;
const WORKERS = 2;

export interface Topology {
  postgres: Postgres;
  engine: Supervised;
  /** Undefined where PostgreSQL searches. */
  search: SearchServer | undefined;
  apis: Lectern[];
  workers: Lectern[];
  /** Of every process of Lectern. */
  env: NodeJS.ProcessEnv;
  filesFolder: string;
  dataFolder: string;
  all: Supervised[];
  start(): Promise<void>;
  untilHealthy(): Promise<void>;
  /** PostgreSQL last. */
  stop(): Promise<void>;
}

interface TopologyOptions {
  engine: 'postgres' | 'meilisearch';
  /** Starts a real search server. */
  meilisearch: string | undefined;
  /** Starts a cluster, of the programs in this folder. */
  citus: string | undefined;
  folder: string;
  random: Random;
}

/** A deployment: PostgreSQL, a search server, an extraction engine, two API processes and two workers, which share a folder of files. */
export async function prepareTopology(options: TopologyOptions): Promise<Topology> {
  const { engine, meilisearch, citus, folder, random } = options;
  const place = { folder, logs: folder, pauseMs: () => random.below(LONGEST_PAUSE_MS) };
  const postgres = citus ? await prepareCluster({ ...place, bin: citus }) : await preparePostgres(place);
  const search =
    engine === 'meilisearch' ? await prepareSearchServer({ ...place, command: meilisearch }) : undefined;
  const extraction = await prepareExtractionEngine(place);
  const [filesFolder, dataFolder] = [path.join(folder, 'files'), path.join(folder, 'data')];
  const env = lecternEnv({
    ...search?.env,
    ...extraction.env,
    DATABASE_URL: postgres.url,
    DATA_DIR: dataFolder,
    STORAGE_URL: `file:${filesFolder}`,
  });
  const prepare = (role: 'api' | 'worker', count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        prepareLectern({ ...place, env, role, name: `${role} ${n + 1}` }),
      ),
    );
  const [apis, workers] = [await prepare('api', APIS), await prepare('worker', WORKERS)];
  const processes = [...apis, ...workers].map(({ process }) => process);
  const databases = [postgres.server, ...postgres.workers];
  const engines = [...(search ? [search.server] : []), extraction.server];
  const all = [...databases, ...engines, ...processes];

  return {
    postgres,
    engine: extraction.server,
    search,
    apis,
    workers,
    env,
    filesFolder,
    dataFolder,
    all,
    async start() {
      for (const one of databases) one.start();
      await postgres.server.untilHealthy();
      await postgres.prepare?.();
      await migrateToLatest(postgres.url);
      for (const one of all.slice(databases.length)) one.start();
      await Promise.all(all.map((one) => one.untilHealthy()));
    },
    async untilHealthy() {
      await Promise.all(all.map((one) => one.untilHealthy()));
    },
    async stop() {
      await Promise.all(processes.map((one) => one.stop('SIGKILL')));
      await Promise.all(engines.map((one) => one.stop('SIGKILL')));
      await Promise.all(databases.map((one) => one.stop('SIGINT')));
    },
  };
}
