import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../../src/compose/compose.js';
import { readConfig } from '../../src/config/config.js';
import { createLog } from '../../src/logging/log.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { sandboxProgram } from '../support/sandbox-programs.js';

const FLOOD = 1_000;

const lines: { level: number; msg: string }[] = [];
let database: TestDatabase;
let cable: DatabaseProxy;
let app: App;
let address: string;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  cable = new DatabaseProxy(new URL(database.url));
  await cable.heal();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-files-'));
  app = await createApp(
    { ...readConfig({}), port: 0, dataDir },
    {
      database: { url: cable.url, description: 'test', stop: async () => {} },
      sandboxProgram,
      log: createLog({
        level: 'info',
        destination: { write: (line) => void lines.push(JSON.parse(line)) },
      }),
    },
  );
  ({ address } = await app.start());
});

afterAll(async () => {
  await app?.close();
  await cable.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function ask() {
  const answer = await fetch(`${address}/readyz`);
  return { status: answer.status, body: await answer.json() };
}

const READY = { status: 200, body: { status: 'ready', database: 'ok', search: 'ok' } };
const UNREADY = {
  status: 503,
  body: { status: 'unavailable', database: 'unavailable', reason: 'The database does not serve.' },
};
const checks = () => cable.statements.filter((text) => text.includes('transaction_read_only')).length;

async function flood(expected: unknown): Promise<void> {
  for (let left = FLOOD; left > 0; left -= 100) {
    const answers = await Promise.all(Array.from({ length: 100 }, ask));
    expect(answers).toEqual(answers.map(() => expected));
  }
}

test('a flood of requests is served from the cache and stays correct', async () => {
  await flood(READY);
  expect(checks()).toBeGreaterThan(0);
  expect(checks()).toBeLessThan(FLOOD / 10);

  await cable.close();
  await expect.poll(ask).toEqual(UNREADY);
  await flood(UNREADY);
  const front = await fetch(address);
  expect([front.status, await front.json()]).toEqual([
    200,
    expect.objectContaining({ status: 'unavailable', database: 'unavailable', search: 'unknown' }),
  ]);
  const page = await fetch(address, { headers: { accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringContaining('not serving; the log says why'),
  ]);
  await cable.heal();
  await expect.poll(ask).toEqual(READY);

  const told = lines.filter(({ msg }) => /database (does not serve|serves again)/.test(msg));
  expect(told.map(({ level, msg }) => [level, msg])).toEqual([
    [40, 'the database does not serve'],
    [30, 'the database serves again'],
  ]);
});
