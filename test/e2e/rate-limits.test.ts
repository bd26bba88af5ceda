import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';

const LISTS = '/admin/api/v2/conversations?tenant_id=acme';

let folder: Awaited<ReturnType<typeof makeDataDir>>;
let database: TestDatabase;
const servers: ServerProcess[] = [];

beforeAll(async () => {
  [folder, database] = await Promise.all([makeDataDir('server'), createTestDatabase()]);
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.end('SIGTERM')));
  await database?.drop();
  await folder?.remove();
});

/** Starts a server process; gives its address. */
async function start(env: Record<string, string>): Promise<string> {
  const server = await startServerProcess({ DATA_DIR: folder.dataDir, DATABASE_URL: database.url, ...env });
  servers.push(server);
  return server.address;
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
