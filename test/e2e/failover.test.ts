import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { FaultProxy } from '../support/fault-proxy.js';
import { type PostgresPair, startPostgresPair, type TestServer } from '../support/postgres-pair.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { waitFor } from '../support/wait-for.js';

/* The address of the database leads to a standby, and to one that has taken over, as a proxy or a virtual address does. */

const DOCUMENTS = '/admin/api/v1/documents';
const UNIT = { tenantId: 'acme', tenantUnitId: 'sales' };

let pair: PostgresPair;
let current: TestServer;
let proxy: FaultProxy;
let folder: Awaited<ReturnType<typeof makeDataDir>>;
let env: Record<string, string> & { DATA_DIR: string };
let server: ServerProcess;

beforeAll(async () => {
  [pair, folder] = await Promise.all([startPostgresPair(), makeDataDir('failover')]);
  current = pair.primary;
  proxy = new FaultProxy(() => ({ hostname: '127.0.0.1', port: current.port }));
  await proxy.listen();
  env = {
    DATA_DIR: folder.dataDir,
    DATABASE_URL: `postgres://lectern@${proxy.address}/postgres`,
    DATABASE_CONNECTION_TIMEOUT_SECONDS: '1',
    DATABASE_STATEMENT_TIMEOUT_SECONDS: '2',
    DATABASE_BACKGROUND_STATEMENT_TIMEOUT_SECONDS: '5',
  };
  server = await startServerProcess(env);
});

afterAll(async () => {
  await server?.end('SIGTERM');
  await proxy?.close();
  await pair?.stop();
  await folder?.remove();
});

async function send(method: string, route: string, body?: object) {
  const response = await fetch(server.address + route, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const { status, headers } = response;
  return { status, retryAfter: headers.get('retry-after'), body: (await response.json()) as any };
}

const create = (id: string) =>
  send('POST', `${DOCUMENTS}?tenantId=acme`, {
    ...UNIT,
    id,
    documentType: 'UnstructuredFile',
    documentContent: `Text of ${id}.`,
  });
const read = (id: string) => send('GET', `${DOCUMENTS}/${id}?tenantId=acme`);
const untilReady = (id: string) =>
  waitFor(async () => (await read(id)).body.status === 'ready', { what: `${id} to be ready` });

test('while the database is read-only, reads are served and writes answer 503', async () => {
  expect((await create('before')).status).toBe(200);
  await untilReady('before');
  await pair.primary.query('select pg_switch_wal()');
  current = pair.standby;
  await proxy.inject({ kind: 'cut' });
  await proxy.heal();

  await expect
    .poll(() => send('GET', '/readyz'))
    .toMatchObject({ status: 200, body: { status: 'ready', database: 'read_only' } });
  expect(await create('refused')).toMatchObject({
    status: 503,
    retryAfter: '2',
    body: { detail: [{ type: 'unavailable' }] },
  });
  expect(await send('PATCH', `${DOCUMENTS}/before?tenantId=acme`, { enabled: false })).toMatchObject({
    status: 503,
  });
  expect(await read('before')).toMatchObject({ status: 200, body: { status: 'ready' } });
  expect(await send('GET', `${DOCUMENTS}?tenantId=acme`)).toMatchObject({ status: 200 });
  const beside = await startServerProcess(env);
  const state = await (await fetch(`${beside.address}/readyz`)).json();
  expect(state).toMatchObject({ status: 'ready', database: 'read_only' });
  await beside.end('SIGTERM');
  server.assertAlive();

  // Connections that still lead to the standby are given up as soon as they refuse a write.
  current = pair.primary;
  await waitFor(async () => (await create('after')).status === 200, { what: 'writes to be taken' });
  await untilReady('after');
  await expect.poll(() => send('GET', '/readyz')).toMatchObject({ body: { database: 'ok' } });
});

test('when a standby takes over under load, nothing acknowledged is lost', async () => {
  const acknowledged: string[] = [];
  const others = new Set<number>();
  let isOver = false;
  const write = async (writer: number) => {
    for (let n = 0; !isOver; n++) {
      const { status } = await create(`load-${writer}-${n}`);
      if (status === 200) acknowledged.push(`load-${writer}-${n}`);
      else {
        others.add(status);
        await delay(50);
      }
    }
  };
  const writing = [0, 1, 2, 3].map(write);
  await waitFor(() => acknowledged.length >= 20, { what: 'documents to be created' });
  await pair.primary.kill();
  await expect.poll(() => send('GET', '/readyz')).toMatchObject({ status: 503 });
  const before = acknowledged.length;
  await pair.promote();
  current = pair.standby;
  await waitFor(() => acknowledged.length >= before + 20, { what: 'documents to be created again' });
  isOver = true;
  await Promise.all(writing);
  expect([...others]).toEqual([503]);

  await waitFor(async () => (await pair.standby.query('select from processing_jobs')).rowCount === 0, {
    what: 'all jobs to be done',
  });
  const { rows } = await pair.standby.query(`select id, status from documents where id like 'load-%'`);
  const stored = new Map(rows.map(({ id, status }) => [id, status]));
  expect(acknowledged.filter((id) => stored.get(id) !== 'ready')).toEqual([]);
  expect(new Set(stored.values())).toEqual(new Set(['ready']));
  await expect.poll(() => send('GET', '/readyz')).toMatchObject({ status: 200, body: { database: 'ok' } });
  server.assertAlive();
});
