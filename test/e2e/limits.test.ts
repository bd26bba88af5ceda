import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const LISTS = '/admin/api/v2/conversations?tenant_id=acme';

let dataDir: string;
const servers: ChildProcess[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'lectern-e2e-limits-'));
  await chmod(dataDir, 0o755); // started by root, the database runs under an account that must get in
});

afterAll(async () => {
  await Promise.all(
    servers.map(async (server) => {
      if (server.exitCode === null && server.kill('SIGTERM')) await once(server, 'exit');
    }),
  );
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts a server process; gives its address. */
function start(env: Record<string, string>): Promise<string> {
  const server = spawn(process.execPath, ['dist/src/main.js'], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  servers.push(server);
  let printed = '';
  server.stderr.on('data', (data) => {
    printed += data;
  });
  return new Promise((resolve, reject) => {
    server.once('exit', () => reject(new Error(`the server did not start:\n${printed}`)));
    server.stdout.on('data', (data) => {
      printed += data;
      if (printed.includes('Stop it with')) resolve(/address\s+(\S+)/.exec(printed)?.[1] ?? '');
    });
  });
}

test('two server processes count requests together, and a restart forgets none', async () => {
  const env = { RATE_LIMIT_KEY_REQUESTS: '4/86400' };
  const [one, another] = [await start(env), await start(env)];
  const left: (string | null)[] = [];
  for (const address of [one, another, one, another]) {
    const { status, headers } = await fetch(address + LISTS);
    expect(status).toBe(200);
    left.push(headers.get('ratelimit'));
  }
  expect(left.map((field) => field?.split(';t=')[0])).toEqual([
    '"address";r=3',
    '"address";r=2',
    '"address";r=1',
    '"address";r=0',
  ]);
  const third = await start(env);
  for (const address of [one, another, third]) {
    const refused = await fetch(address + LISTS);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(20_000);
  }
});
