import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createTRPCClient, httpLink } from '@trpc/client';
import { afterAll, beforeAll } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import type { AppRouter } from '../../src/routers/index.js';
import { connectUnscoped } from './connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';

/**
 * The built server as a process of its own, with a database that outlives it, for the tests of one file.
 *
 * @param env what it has in its environment besides
 */
export function useServerProcess(env: Record<string, string> = {}) {
  let database: TestDatabase;
  let client: DatabaseClient;
  let dataDir: string;
  let server: ChildProcess | undefined;
  let address = '';

  beforeAll(async () => {
    database = await createTestDatabase();
    client = connectUnscoped(database.url, { max: 2 });
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-process-'));
  });

  afterAll(async () => {
    await end('SIGTERM');
    await client?.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    const child = spawn(process.execPath, ['dist/src/main.js'], {
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        DATA_DIR: dataDir,
        DATABASE_URL: database.url,
        LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    server = child;
    let printed = '';
    address = await new Promise((resolve, reject) => {
      child.once('exit', () => reject(new Error(`the server did not start:\n${printed}`)));
      child.stdout.on('data', (data) => {
        printed += data;
        if (printed.includes('Stop it with')) resolve(/address\s+(\S+)/.exec(printed)?.[1] ?? '');
      });
    });
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, 'exit');
  }

  return {
    start,
    /** Asks it to end, and waits until it has. */
    stop: () => end('SIGTERM'),
    /** Ends it without any warning. */
    kill: () => end('SIGKILL'),
    get address() {
      return address;
    },
    get pool() {
      return client.pool;
    },
    get documents() {
      return createTRPCClient<AppRouter>({ links: [httpLink({ url: `${address}/trpc` })] }).documents;
    },
  };
}
