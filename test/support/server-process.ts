import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createTRPCClient, httpLink } from '@trpc/client';
import { afterAll, beforeAll } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import type { AppRouter } from '../../src/routers/index.js';
import { connectUnscoped } from './connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';
import { readyAddress } from './ready-address.js';
import { LECTERN } from './run-command.js';

export interface ServerProcess {
  address: string;
  /** All that was printed so far. */
  printed: { stdout: string; stderr: string };
  /** @throws Error with what it printed, where it has ended */
  assertAlive(): void;
  /** Sends it a signal that it lives on with. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it, and waits until it has ended; gives its status. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/**
 * Starts the built server as a process of its own, with nothing in its environment but this and what is given.
 *
 * @param program of another version
 */
export async function startServerProcess(
  env: Record<string, string> & { DATA_DIR: string },
  program = LECTERN,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'warn',
      EXTRACTION_API: 'none',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  child.stderr.on('data', (data) => {
    printed.stderr += data;
  });
  const all = () => `${printed.stdout}\n${printed.stderr}`;
  const address = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the server did not start:\n${all()}`)));
    child.stdout.on('data', (data) => {
      printed.stdout += data;
      const found = readyAddress(printed.stdout);
      if (found) resolve(found);
    });
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    address,
    printed,
    assertAlive() {
      if (hasEnded()) throw new Error(`the server ended (${child.exitCode ?? child.signalCode}):\n${all()}`);
    },
    signal: (signal) => void child.kill(signal),
    async end(signal) {
      if (!hasEnded() && child.kill(signal)) await once(child, 'exit');
      return child.exitCode;
    },
  };
}

/**
 * The built server as a process of its own, with a database and a data folder that outlive it, for the tests of one
 * file.
 *
 * @param env what it has in its environment besides
 */
export function useServerProcess(env: Record<string, string> = {}) {
  let database: TestDatabase;
  let client: DatabaseClient;
  let folder: Awaited<ReturnType<typeof makeDataDir>>;
  let server: ServerProcess | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = connectUnscoped(database.url, { max: 2 });
    folder = await makeDataDir('server');
  });

  afterAll(async () => {
    await server?.end('SIGTERM');
    await client?.close();
    await database?.drop();
    await folder?.remove();
  });

  const address = () => server?.address ?? '';
  return {
    async start(): Promise<void> {
      server = await startServerProcess({ DATA_DIR: folder.dataDir, DATABASE_URL: database.url, ...env });
    },
    /** Asks it to end, and waits until it has. */
    stop: async () => void (await server?.end('SIGTERM')),
    /** Ends it without any warning. */
    kill: async () => void (await server?.end('SIGKILL')),
    assertAlive: () => server?.assertAlive(),
    get address() {
      return address();
    },
    get printed() {
      return server?.printed.stdout ?? '';
    },
    get db() {
      return client.db;
    },
    get pool() {
      return client.pool;
    },
    get trpc() {
      return createTRPCClient<AppRouter>({ links: [httpLink({ url: `${address()}/trpc` })] });
    },
  };
}
