import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createTRPCClient, httpLink } from '@trpc/client';
import { afterAll, beforeAll } from 'vitest';
import type { AppRouter } from '../../src/routers/index.js';

/** The built server as a process of its own, as `npm start` runs it, on a data folder of its own, for one test file. */
export function useServerProcess(env: Record<string, string> = {}) {
  let dataDir: string;
  let server: ChildProcess;
  let address = '';
  let printed = '';

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'lectern-e2e-'));
    await chmod(dataDir, 0o755); // started by root, the database runs under an account that must get in
    server = spawn(process.execPath, ['dist/src/main.js'], {
      env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    server.stderr?.on('data', (data) => {
      printed += data;
    });
    await new Promise<void>((resolve, reject) => {
      server.once('exit', () => reject(new Error(`the server did not start:\n${printed}`)));
      server.stdout?.on('data', (data) => {
        printed += data;
        address = /address\s+(\S+)/.exec(printed)?.[1] ?? '';
        if (printed.includes('Stop it with')) resolve();
      });
    });
  });

  afterAll(async () => {
    if (server.exitCode === null && server.signalCode === null && server.kill('SIGTERM')) {
      await once(server, 'exit');
    }
    await rm(dataDir, { recursive: true, force: true });
  });

  return {
    get address() {
      return address;
    },
    /** @throws Error with what the server printed, where it has ended */
    assertAlive() {
      if (server.exitCode === null && server.signalCode === null) return;
      throw new Error(`the server ended (${server.exitCode ?? server.signalCode}):\n${printed}`);
    },
    trpc: () => createTRPCClient<AppRouter>({ links: [httpLink({ url: `${address}/trpc` })] }),
  };
}
