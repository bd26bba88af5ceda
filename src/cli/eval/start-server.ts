import { randomBytes } from 'node:crypto';
import os from 'node:os';
import type { SearchMode } from '../../search/chunk-index.js';
import { makeDataDir, startServer } from './server-process.js';

export type Engine = 'postgres' | 'meilisearch';

export interface EvalServer {
  address: string;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/** Starts a server with an empty embedded database in a temporary folder. */
export async function startEvalServer(engine: Engine, mode: SearchMode): Promise<EvalServer> {
  const { dataDir, remove } = await makeDataDir('eval');
  const { address, stop: end } = await startServer({ env: environment(engine, mode, dataDir) });
  const stop = () => end().finally(remove);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stop().finally(() => process.exit(1)));
  }
  return { address, stop };
}

/** The variables of this process, without those that would lead to another database or another engine. */
function environment(engine: Engine, mode: SearchMode, dataDir: string): NodeJS.ProcessEnv {
  const { DATABASE_URL, STORAGE_URL, SEARCH_FALLBACK, ...env } = process.env;
  const own = {
    SEARCH_MODE: mode,
    INGEST_CONCURRENCY: String(os.availableParallelism()),
    ...(mode === 'lexical' ? without('EMBEDDING_', env) : env),
    HOST: '127.0.0.1',
    AUTH_MODE: 'open',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
  };
  if (engine === 'meilisearch') {
    return { ...own, MEILI_INDEX_PREFIX: `lectern-eval-${randomBytes(4).toString('hex')}` };
  }
  return without('MEILI_', own);
}

const without = (prefix: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith(prefix)));
