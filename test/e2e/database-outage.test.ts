import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../../src/compose/compose.js';
import { readConfig } from '../../src/config/config.js';
import { version } from '../../src/config/version.js';
import { listEndpoints } from '../../src/rest-facade/find-endpoints.js';
import { restRouter } from '../../src/rest-facade/index.js';
import { chunksPath, DOCUMENTS, SEARCH, TENANT, TENANT_UNIT } from '../integration/support/rest-client.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { useHeldResponses } from '../support/held-responses.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { sandboxProgram } from '../support/sandbox-programs.js';
import { waitFor } from '../support/wait-for.js';

let database: TestDatabase;
let cable: DatabaseProxy;
let app: App;
let address: string;
let dataDir: string;
/** What the service said in its log. */
const logged: string[] = [];
const pages = useHeldResponses();

beforeAll(async () => {
  database = await createTestDatabase();
  cable = new DatabaseProxy(new URL(database.url));
  await cable.heal();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-files-'));
  app = await createApp(
    { ...readConfig({}), port: 0, dataDir, fetchAllowHosts: ['127.0.0.1'] },
    {
      database: { url: cable.url, description: 'test', stop: async () => {} },
      sandboxProgram,
      log: pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line).msg) }),
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

async function send(method: string, route: string, body?: unknown) {
  const response = await fetch(new URL(route, address), {
    method,
    ...(body instanceof FormData
      ? { body }
      : body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
  });
  const text = await response.text();
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    requestId: response.headers.get('x-request-id'),
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** A request for each endpoint, with everything in it that brings it to the database. */
function requestFor(name: string): { path?: Record<string, string>; query?: object; body?: unknown } {
  const id = '0198c7a4-5b1e-7d3a-9c55-2f4de1a6b803';
  const conversation = { path: { conversation_id: id } };
  const document = { path: { documentId: id }, query: TENANT };
  const chunk = { path: { document_id: id, chunk_id: id }, query: TENANT_UNIT };
  const upload = new FormData();
  for (const [key, value] of Object.entries({
    ...TENANT_UNIT,
    documentType: 'UnstructuredFile',
    datasetIds: 'faq',
  })) {
    upload.set(key, value);
  }
  upload.set('file', new File(['text'], 'a.txt'));
  const { tenantId: tenant_id, tenantUnitId: tenant_unit_id } = TENANT_UNIT;
  const requests: Record<string, ReturnType<typeof requestFor>> = {
    'conversations.list': {},
    'conversations.create': { body: {} },
    'conversations.get': conversation,
    'conversations.messages': conversation,
    'conversations.update': { ...conversation, body: { topic: 'x' } },
    'conversations.delete': conversation,
    'conversations.setStatus': { ...conversation, body: { status: 'failed' } },
    'documents.create': { query: TENANT, body: { ...TENANT_UNIT, documentType: 'UnstructuredFile' } },
    'documents.upload': { body: upload },
    'documents.upsert': { path: { externalId: id }, query: TENANT, body: { ...TENANT_UNIT, externalId: id } },
    'documents.get': document,
    'documents.list': { query: TENANT },
    'documents.delete': document,
    'documents.byIds': { query: { ...TENANT, documentIds: JSON.stringify([id]) } },
    'documents.update': { ...document, body: { enabled: true } },
    'documents.toggle': { ...document, body: { enabled: true } },
    'chunks.list': document,
    'chunks.search': {
      query: TENANT,
      body: { tenant_id, tenant_unit_id, dataset_ids: ['faq'], query: 'text' },
    },
    'chunks.update': { ...chunk, body: { content: 'x' } },
    'chunks.deleteMany': { ...chunk, body: { documentChunkIds: [id] } },
    'chunks.setStatusMany': { ...chunk, body: { documentChunkIds: [id], status: 'active' } },
    'chunks.setStatus': { ...chunk, body: { status: 'active' } },
  };
  const request = requests[name];
  if (!request) throw new Error(`no request for ${name}`);
  return request;
}

const callAll = () =>
  Promise.all(
    listEndpoints(restRouter).map(async ({ name, meta }) => {
      const { path: parts = {}, query, body } = requestFor(name);
      const route = meta.path.replace(/\{(\w+)\}/g, (_, key: string) => parts[key] ?? '');
      const answer = await send(
        meta.method,
        `${route}?${new URLSearchParams(query as Record<string, string>)}`,
        body,
      );
      return { name, ...answer };
    }),
  );

const createDocument = (documentContent: string) =>
  send('POST', `${DOCUMENTS}?tenantId=acme`, {
    ...TENANT_UNIT,
    documentType: 'UnstructuredFile',
    documentContent,
  });

async function storedFiles(): Promise<string[]> {
  const root = path.join(dataDir, 'files');
  const names = await readdir(root, { recursive: true }).catch(() => []);
  const stats = await Promise.all(names.map((name) => stat(path.join(root, name))));
  return names.filter((_, i) => stats[i]?.isFile());
}

/** Waits until all documents are processed; while the database is away, nobody knows. */
const settle = () => waitFor(() => app.isIdle(), { what: 'all documents to be processed' });

test('a service whose database goes away says so everywhere, and works on when it is back', async () => {
  const kept = await createDocument('Kept through the outage.');
  expect(kept.status).toBe(200);
  await settle();
  // So that work is waiting, and being done, when the database goes.
  const waiting = await Promise.all(
    Array.from({ length: 12 }, (_, i) => createDocument(`Waiting text ${i}.`)),
  );
  expect(waiting.map(({ status }) => status)).toEqual(waiting.map(() => 200));
  await cable.close();

  const unavailable = {
    status: 503,
    retryAfter: '2',
    requestId: expect.any(String),
    body: {
      detail: [{ type: 'unavailable', loc: [], msg: 'The service is unavailable at the moment; try again.' }],
    },
  };
  // Twice: with connections that broke, and without any.
  for (let round = 0; round < 2; round++) {
    for (const { name, ...answer } of await callAll()) {
      expect({ name, ...answer }).toStrictEqual({ name, ...unavailable });
    }
  }
  expect(await storedFiles()).toEqual([]);
  expect(await send('GET', '/healthz')).toMatchObject({
    status: 200,
    body: { status: 'ok', version },
  });
  await expect
    .poll(() => send('GET', '/readyz'), { timeout: 10_000 })
    .toMatchObject({
      status: 503,
      retryAfter: '2',
      body: {
        status: 'unavailable',
        database: 'unavailable',
        reason: expect.stringContaining('The database does not serve'),
      },
    });
  // What is wrong with a request is told without the database, and what is no endpoint as well.
  expect(await send('GET', DOCUMENTS)).toMatchObject({ status: 422 });
  expect(await send('GET', '/nowhere')).toMatchObject({ status: 404 });
  const procedure = await send('GET', '/trpc/conversations.list?input={}');
  expect(procedure).toMatchObject({
    status: 503,
    body: { error: { data: { code: 'SERVICE_UNAVAILABLE' } } },
  });

  await cable.heal();
  await expect
    .poll(() => send('GET', '/readyz'), { timeout: 10_000 })
    .toMatchObject({
      status: 200,
      body: { status: 'ready', database: 'ok', search: 'ok' },
    });
  for (const { name, status } of await callAll())
    expect([name, status]).toEqual([name, expect.not.toSatisfy((n) => n >= 500)]);
  const later = await createDocument('Said after the outage.');
  await settle();
  for (const { body } of [kept, ...waiting, later]) {
    const { documentContent, id } = body;
    expect(await send('GET', `${DOCUMENTS}/${id}?tenantId=acme`)).toMatchObject({
      status: 200,
      body: { documentContent, status: 'ready' },
    });
    expect((await send('GET', `${chunksPath(id)}?tenantId=acme`)).body.data).toMatchObject([
      { content: documentContent },
    ]);
  }
  expect(await send('POST', `${SEARCH}?tenantId=acme`, requestFor('chunks.search').body)).toMatchObject({
    status: 200,
  });
});

test('a transaction that the outage ends leaves nothing behind', async () => {
  const route = `${DOCUMENTS}?tenantId=acme&tenantUnitId=cut`;
  const body = {
    ...TENANT_UNIT,
    tenantUnitId: 'cut',
    documentType: 'UnstructuredFile',
    documentContent: 'Cut off.',
  };
  const answers = Promise.all(Array.from({ length: 40 }, () => send('POST', route, body)));
  await cable.close();
  const statuses = (await answers).map(({ status }) => status);
  for (const status of statuses) expect([200, 503]).toContain(status);
  await cable.heal();
  await settle();
  const { totalCount } = (await send('GET', `${route}&pageSize=100`)).body.pagination;
  // One whose answer was lost may have been stored; none that was acknowledged may be missing.
  expect(totalCount).toBeGreaterThanOrEqual(statuses.filter((status) => status === 200).length);
  expect(totalCount).toBeLessThanOrEqual(statuses.length);
});

test('however often the database goes away, no attempt of a document is used up', async () => {
  const beside = connectUnscoped(database.url, { max: 1 });
  const until = async (isSo: () => unknown) => {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const created = await send('POST', `${DOCUMENTS}?tenantId=acme`, {
    ...TENANT_UNIT,
    documentType: 'UnstructuredWebpage',
    url: pages.url('/page'),
  });
  const { id } = created.body;
  const jobOf = async () => {
    const { rows } = await beside.pool.query(
      `select outages, attempts, deaths, lease_owner is not null as "isUnderWay"
       from processing_jobs where document_id = $1`,
      [id],
    );
    return rows[0];
  };
  for (let outages = 1; outages <= 6; outages++) {
    await until(() => pages.asked().length > 0);
    await cable.close();
    logged.length = 0;
    pages.answer('/page', 'Read in the end.');
    await until(() => logged.includes('an outage interrupted a document'));
    await cable.heal();
    let job: Awaited<ReturnType<typeof jobOf>>;
    await until(async () => {
      job = await jobOf();
      return job.outages === outages;
    });
    expect(job).toEqual({ outages, attempts: 0, deaths: 0, isUnderWay: false });
    await beside.pool.query('update processing_jobs set next_attempt_time = now()');
  }
  await until(() => pages.asked().length > 0);
  pages.answer('/page', 'Read in the end.');
  await settle();
  expect(await send('GET', `${DOCUMENTS}/${id}?tenantId=acme`)).toMatchObject({ body: { status: 'ready' } });
  await beside.close();
}, 240_000);
