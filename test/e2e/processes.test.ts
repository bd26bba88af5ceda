import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createTRPCClient, httpLink } from '@trpc/client';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import { permissions } from '../../src/auth/permissions.js';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { version } from '../../src/config/version.js';
import type { AppRouter } from '../../src/routers/index.js';
import { createApiKeys } from '../../src/services/api-keys/api-keys.js';
import { createWriteTransaction } from '../../src/services/shared/write-transaction.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { type Environment, runForJson, startProgram } from '../support/run-command.js';
import { openSearchServer } from '../support/search-server.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { waitFor, waitToHold } from '../support/wait-for.js';

/* Three API processes and two workers on one database and one search server; some are killed under load. */

const scope = { tenantId: 'acme', tenantUnitId: 'unit' };
const DOCUMENTS = 24;
const EDITED = 8;
/** A process may lease at most a sixteenth of these requests; what a killed one has leased is lost. */
const LIMIT = 320;
const LEASE = LIMIT / 16;
const RARELY = { intervalMs: 200 };

let database: TestDatabase;
let client: DatabaseClient;
let search: Awaited<ReturnType<typeof openSearchServer>>;
let folder: Awaited<ReturnType<typeof makeDataDir>>;
let consumer: Server;
let env: Record<string, string> & { DATA_DIR: string };
const apis: ServerProcess[] = [];
const workers: ServerProcess[] = [];

beforeAll(async () => {
  [database, search, folder] = await Promise.all([
    createTestDatabase(),
    openSearchServer(),
    makeDataDir('server'),
  ]);
  client = connectUnscoped(database.url, { max: 4 });
  consumer = createServer((_request, response) => response.writeHead(204).end()).listen(0, '127.0.0.1');
  const { url, adminKey, prefix } = search.config;
  env = {
    DATA_DIR: folder.dataDir,
    DATABASE_URL: database.url,
    AUTH_MODE: 'required',
    RATE_LIMIT_KEY_REQUESTS: `${LIMIT}/86400`,
    RATE_LIMIT_TENANT_REQUESTS: 'off',
    FETCH_ALLOW_HOSTS: '127.0.0.1',
    MEILI_URL: url,
    MEILI_ADMIN_KEY: adminKey ?? '',
    MEILI_INDEX_PREFIX: prefix,
  };
  for (let i = 0; i < 4; i++) writers.push(await createKey());
  const start = (role: string) => startServerProcess({ ...env, ROLE: role });
  apis.push(...(await Promise.all(['api', 'api', 'api'].map(start))));
  workers.push(...(await Promise.all(['worker', 'worker'].map(start))));
});

afterAll(async () => {
  await Promise.all([...apis, ...workers].map((one) => one.end('SIGTERM')));
  await client?.close();
  await search?.close();
  consumer?.close();
  await database?.drop();
  await folder?.remove();
});

async function restart(processes: ServerProcess[], index: number, role: string): Promise<void> {
  await processes[index]!.end('SIGKILL');
  processes[index] = await startServerProcess({ ...env, ROLE: role });
}

async function createKey(): Promise<string> {
  const apiKeys = createApiKeys({
    db: client.db,
    writeTransaction: createWriteTransaction(client.db),
    clock: () => new Date(),
    maxPageSize: 1,
  });
  const { tenantId } = scope;
  return (
    await apiKeys.create(
      { scope: { tenantId }, scopes: [...permissions], name: 'test' },
      { userId: undefined },
    )
  ).key;
}

/** Keys of the writers, so many that no limit concerns them. */
const writers: string[] = [];

/** Calls any of the API processes until one answers. */
async function retry<T>(call: (api: ReturnType<typeof trpcOf>) => Promise<T>): Promise<T> {
  const headers = { 'x-api-key': anyOf(writers), 'idempotency-key': crypto.randomUUID() };
  return waitFor(async () => {
    return { result: await call(trpcOf(anyOf(apis), headers)) };
  }, RARELY).then(({ result }) => result);
}

const anyOf = <T>(all: T[]): T => all[Math.floor(Math.random() * all.length)]!;

const trpcOf = ({ address }: ServerProcess, headers: Record<string, string>) =>
  createTRPCClient<AppRouter>({ links: [httpLink({ url: `${address}/trpc`, headers })] });

async function select<R extends pg.QueryResultRow>(query: string): Promise<R[]> {
  return (await client.pool.query<R>(query)).rows;
}

/** Sentences of which each document has its own, in several chunks. */
const textOf = (n: number, revision: string) =>
  Array.from({ length: 60 }, (_, i) => `Sentence ${i} of document ${n} in its ${revision} revision.`).join(
    '\n\n',
  );

test('documents are processed once, changes are indexed, limits hold, though processes are killed', async () => {
  const { port } = consumer.address() as AddressInfo;
  await retry((api) =>
    api.webhooks.create.mutate({
      scope: { tenantId: scope.tenantId },
      url: `http://127.0.0.1:${port}/`,
      eventTypes: ['document.ready'],
    }),
  );
  const create = (n: number) =>
    retry((api) =>
      api.documents.create.mutate({
        scope,
        id: `document-${n}`,
        documentType: 'UnstructuredFile',
        datasetIds: ['faq'],
        documentContent: textOf(n, 'first'),
      }),
    );
  const edit = async (n: number) => {
    const documentId = `document-${n}`;
    await waitFor(
      async () =>
        (await select(`select from documents where id = '${documentId}' and status = 'ready'`)).length > 0,
      { what: `${documentId} to be ready`, ...RARELY },
    );
    await retry((api) =>
      api.documents.update.mutate({ scope, documentId, documentContent: textOf(n, 'second') }),
    );
  };

  // One key, whose requests go to all processes while they come and go.
  const limited = { headers: { 'x-api-key': await createKey() } };
  let granted = 0;
  /** Answered by 503, on a busy machine: they may have been counted, too. */
  let failed = 0;
  let isRefused = false;
  const spend = async (api: () => ServerProcess) => {
    const answer = await fetch(`${api().address}/admin/api/v2/conversations/none`, limited).catch(
      () => undefined,
    );
    if (answer?.status === 404) granted++;
    else if (answer?.status === 429) isRefused = true;
    else if (answer) failed++;
    return answer?.status;
  };
  const spendAll = async (index: number) => {
    while (!isRefused) if ((await spend(() => apis[index]!)) === undefined) await delay(20);
  };

  const loads = [
    ...Array.from({ length: DOCUMENTS }, (_, n) => create(n)),
    ...Array.from({ length: EDITED }, (_, n) => edit(n)),
    ...apis.map((_, index) => spendAll(index)),
  ];
  await waitFor(async () => (await select('select from documents limit 5')).length === 5, RARELY);
  await Promise.all([restart(apis, 0, 'api'), restart(workers, 0, 'worker')]);
  await Promise.all(loads);

  await waitToHold(async () => {
    expect(await select(`select status, count(*)::integer as count from documents group by status`)).toEqual([
      { status: 'ready', count: DOCUMENTS },
    ]);
    expect(await select('select from search_outbox')).toEqual([]);
    expect(await select('select from processing_jobs')).toEqual([]);
  });
  // Once for each revision: that is what consumers are told of.
  const ready = await select<{ count: number }>(`
    select count(*)::integer as count from webhook_deliveries group by subject_id order by count(*)
  `);
  expect(ready.map(({ count }) => count)).toEqual([
    ...Array(DOCUMENTS - EDITED).fill(1),
    ...Array(EDITED).fill(2),
  ]);
  for (let n = 0; n < DOCUMENTS; n++) {
    const chunks = await select<{ ordinal: number; content: string }>(
      `select ordinal, content from chunks where document_id = 'document-${n}' and not deleted order by ordinal`,
    );
    expect(chunks.map(({ ordinal }) => ordinal)).toEqual(chunks.map((_, i) => i));
    const sentences = chunks.flatMap(({ content }) => content.match(/Sentence \d+ of [^.]+\./g) ?? []);
    expect([...new Set(sentences)]).toEqual(textOf(n, n < EDITED ? 'second' : 'first').split('\n\n'));
  }
  const verified = await runForJson('verify', [], env as Environment);
  expect(verified).toMatchObject({
    status: 0,
    json: { missing: { count: 0 }, outdated: { count: 0 }, surplus: { count: 0 } },
  });

  // What processes had leased comes back, but for those that were killed.
  await waitToHold(async () => {
    for (const api of apis) while ((await spend(() => api)) === 404);
    expect(granted + failed).toBeGreaterThanOrEqual(LIMIT - LEASE - 2);
  });
  const refilled = 2;
  expect(granted).toBeLessThanOrEqual(LIMIT + refilled);
});

test('a worker answers health checks alone, an API process processes nothing', async () => {
  const [worker] = workers;
  const get = async (path: string) => {
    const answer = await fetch(worker!.address + path);
    return { status: answer.status, body: await answer.json() };
  };
  expect(await get('/healthz')).toEqual({ status: 200, body: { status: 'ok', version } });
  expect(await get('/readyz')).toEqual({
    status: 200,
    body: { status: 'ready', database: 'ok', search: 'ok' },
  });
  expect(await get('/admin/api/v2/conversations')).toEqual({
    status: 404,
    body: { detail: [{ type: 'not_found', loc: ['path'], msg: 'No such path.' }] },
  });

  await Promise.all(workers.map((one) => one.end('SIGTERM')));
  const { id } = await retry((api) =>
    api.documents.create.mutate({ scope, documentType: 'UnstructuredFile', documentContent: 'Waits.' }),
  );
  const statusOf = () => select(`select status from documents where id = '${id}'`);
  expect(await statusOf()).toEqual([{ status: 'created' }]);
  workers[0] = await startServerProcess({ ...env, ROLE: 'worker' });
  await expect.poll(statusOf).toEqual([{ status: 'ready' }]);
});

test('the embedded database serves no single role', async () => {
  const { status, stderr } = await startProgram(['--role', 'worker'], { DATA_DIR: folder.dataDir }).ended;
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringMatching(/^ROLE is worker, and the embedded database serves only ROLE=all: /),
  });
});
