import { randomBytes } from 'node:crypto';
import os from 'node:os';
import type { SearchMode } from '../../search/chunk-index.js';
import { makeDataDir } from '../shared/data-dir.js';
import { type Server, startServer } from './server-process.js';

export type Engine = 'postgres' | 'meilisearch';

export interface EvalServer {
  /** Starts it, again with the same data when it runs already, and returns its address. */
  start(mode: SearchMode): Promise<string>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/**
 * A server with an embedded database of its own in a temporary folder.
 *
 * @param modes in which it will search: texts are embedded where one of them needs that
 */
export async function prepareEvalServer(engine: Engine, modes: SearchMode[]): Promise<EvalServer> {
  const { dataDir, remove } = await makeDataDir('eval');
  const env = environment(engine, dataDir, { embeds: modes.some((mode) => mode !== 'lexical') });
  let server: Server | undefined;
  const stop = () => Promise.resolve(server?.stop()).finally(remove);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stop().finally(() => process.exit(1)));
  }
  return {
    async start(mode) {
      await server?.stop();
      server = await startServer({ env: { ...env, SEARCH_MODE: mode } });
      return server.address;
    },
    stop,
  };
}

/** The variables of this process, without those that would lead to another database or another engine. */
function environment(engine: Engine, dataDir: string, { embeds }: { embeds: boolean }): NodeJS.ProcessEnv {
  const { DATABASE_URL, STORAGE_URL, SEARCH_FALLBACK, ...env } = process.env;
  const own = {
    INGEST_CONCURRENCY: String(os.availableParallelism()),
    ...(embeds ? env : without('EMBEDDING_', env)),
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
