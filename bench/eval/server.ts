import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type Engine = 'postgres' | 'meilisearch';

export interface Server {
  address: string;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

const SERVER = fileURLToPath(new URL('../../src/main.js', import.meta.url));

/** Starts a server with an empty embedded database in a temporary folder. */
export async function startServer(engine: Engine): Promise<Server> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'lectern-eval-'));
  // The embedded database of root runs as another account, which has to get in here.
  await chmod(dataDir, 0o755);
  const server = spawn(process.execPath, [SERVER], {
    env: environment(engine, dataDir),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
    // The database may be a moment behind the server.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stop().finally(() => process.exit(1)));
  }
  const lines = createInterface({ input: server.stdout });
  const address = await new Promise<string | undefined>((resolve) => {
    lines.on('line', (line) => {
      const found = /http:\/\/\S+$/.exec(line);
      if (found) resolve(found[0]);
    });
    ended.then(() => resolve(undefined));
  });
  if (address !== undefined) return { address, stop };
  await stop();
  throw new Error('The server did not start; what it said stands above.');
}

/** The variables of this process, without those that would lead to another database or another engine. */
function environment(engine: Engine, dataDir: string): NodeJS.ProcessEnv {
  const { DATABASE_URL, STORAGE_URL, SEARCH_FALLBACK, ...env } = process.env;
  const own = {
    INGEST_CONCURRENCY: String(os.availableParallelism()),
    ...env,
    HOST: '127.0.0.1',
    AUTH_MODE: 'open',
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
  };
  if (engine === 'meilisearch') {
    return { ...own, MEILI_INDEX_PREFIX: `lectern-eval-${randomBytes(4).toString('hex')}` };
  }
  return Object.fromEntries(Object.entries(own).filter(([name]) => !name.startsWith('MEILI_')));
}
