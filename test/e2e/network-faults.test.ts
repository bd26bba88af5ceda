import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import { type App, createApp } from '../../src/compose/compose.js';
import { readConfig } from '../../src/config/config.js';
import { connectMeilisearch } from '../../src/search/meilisearch/connect.js';
import { readBacklog } from '../../src/search/meilisearch/outbox-consumer.js';
import { verifyIndex } from '../../src/search/meilisearch/verify.js';
import { CONVERSATIONS, DOCUMENTS, SEARCH, TENANT_UNIT } from '../integration/support/rest-client.js';
import { startConsumer } from '../integration/support/webhook-consumer.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { embeddingConfig, startEmbeddingServer } from '../support/embedding-server.js';
import { FaultProxy, type NetworkFault } from '../support/fault-proxy.js';
import { startMeilisearch } from '../support/meilisearch/server.js';
import { countMissingVectors } from '../support/missing-vectors.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startS3Server } from '../support/s3-server.js';
import { sandboxProgram } from '../support/sandbox-programs.js';
import { startTlsDatabase } from '../support/tls-database.js';
import { waitFor, waitToHold } from '../support/wait-for.js';

/*
 * A fault proxy stands before each server that the service depends on. What needs the server answers 503, all else goes
 * on; and when the fault is over everything is made up for, by the same process.
 */

/** Far above the time limits that are configured here, and far below any default of a system. */
const ANSWER_LIMIT_MS = 30_000;
const SECOND = 1_000;
const POOLS = { requests: 4, search: 2, background: 4 };
/** Besides the pools: of the worker. */
const SESSIONS = 1;
const CALLERS = 60;
const HERONS = 'Herons stand still in the water.';

const s3 = await startS3Server('files');
const meilisearch = await startMeilisearch();
const embedder = await startEmbeddingServer();
const consumer = await startConsumer();

const before = (url: string) => {
  const { hostname, port } = new URL(url);
  return new FaultProxy(() => ({ hostname, port: Number(port) }));
};
const peers = {
  storage: before(s3.endpoint),
  search: before(meilisearch.url),
  embedding: before(embedder.url),
  consumer: before(consumer.url),
};
const all = Object.values(peers);

let database: TestDatabase;
/** With encryption, without which nobody notices that a letter of a text was changed. */
let secured: Awaited<ReturnType<typeof startTlsDatabase>>;
let cable: DatabaseProxy;
let client: DatabaseClient;
let dataDir: string;
let app: App;
let address: string;
const direct = { apiKey: undefined, adminKey: meilisearch.masterKey, prefix: 'net_', searchTimeoutMs: 500 };

beforeAll(async () => {
  database = await createTestDatabase();
  client = connectUnscoped(database.url, { max: 2 });
  secured = await startTlsDatabase(database.url);
  cable = new DatabaseProxy(new URL(secured.url));
  await Promise.all([cable, ...all].map((proxy) => proxy.listen()));
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-files-'));
  app = await createApp(
    {
      ...readConfig({}),
      port: 0,
      dataDir,
      ingestConcurrency: 2,
      fetchAllowHosts: ['127.0.0.1'],
      databasePools: {
        ...POOLS,
        connectionTimeoutMs: 3 * SECOND,
        statementTimeoutMs: 2 * SECOND,
        backgroundStatementTimeoutMs: 2 * SECOND,
        idleTransactionTimeoutMs: 5 * SECOND,
      },
      storageUrl: 's3://files',
      s3Endpoint: `http://${peers.storage.address}`,
      storageTimeoutMs: SECOND,
      meilisearch: { ...direct, url: `http://${peers.search.address}` },
      searchFallback: true,
      embedding: embeddingConfig(
        { url: `http://${peers.embedding.address}/v1`, model: 'words' },
        { searchTimeoutMs: 500 },
      ),
    },
    {
      database: { url: cable.url, description: 'test', stop: async () => {} },
      sandboxProgram,
      log: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
    },
  );
  ({ address } = await app.start());
  const input = { scope: { tenantId: 'acme' }, eventTypes: ['document.ready'] as 'document.ready'[] };
  const url = `http://${peers.consumer.address}/events`;
  await waitFor(() =>
    app.services.webhooks.create({ ...input, url, description: null }, { userId: undefined }),
  );
  await waitFor(async () => (await createDocument(HERONS)).status === 200);
  await untilAllIsWell();
});

const healAll = () => Promise.all([cable, ...all].map((proxy) => proxy.heal()));
afterEach(healAll);

afterAll(async () => {
  await healAll();
  await app?.close();
  await Promise.all([cable, ...all].map((proxy) => proxy.close()));
  await client?.close();
  secured?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
  await Promise.all([s3.stop(), meilisearch.close(), embedder.close(), consumer.stop()]);
});

async function send(method: string, route: string, body?: FormData | object) {
  const isForm = body instanceof FormData;
  const response = await fetch(address + route, {
    method,
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
    ...(body && !isForm && { headers: { 'content-type': 'application/json' } }),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  const { status, headers } = response;
  const text = await response.text();
  return { status, headers, retryAfter: headers.get('retry-after'), body: text && JSON.parse(text) };
}

const created: string[] = [];
async function createDocument(documentContent: string) {
  const body = { ...TENANT_UNIT, documentType: 'UnstructuredFile', documentContent };
  const answer = await send(
    'POST',
    `${DOCUMENTS}?tenantId=acme&datasetIds=${encodeURIComponent('["faq"]')}`,
    body,
  );
  if (answer.status === 200) created.push(answer.body.id);
  return answer;
}

async function upload(text: string) {
  const body = new FormData();
  const fields = { ...TENANT_UNIT, documentType: 'UnstructuredFile', datasetIds: '["faq"]' };
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set('file', new File([text], 'a.txt'));
  const answer = await send('POST', `${DOCUMENTS}/upload`, body);
  if (answer.status === 200) created.push(answer.body.id);
  return answer;
}

const search = (query: string) =>
  send('POST', `${SEARCH}?tenantId=acme`, {
    tenant_id: TENANT_UNIT.tenantId,
    tenant_unit_id: TENANT_UNIT.tenantUnitId,
    dataset_ids: ['faq'],
    query,
  });
const ready = async () => (await send('GET', '/readyz')).body;

const summary = ({ status, retryAfter, headers }: Awaited<ReturnType<typeof send>>) => ({
  status,
  retryAfter,
  engine: headers.get('x-search-engine'),
});
const REFUSED = { status: 503, retryAfter: '2', engine: null };
const SERVED = { status: 200, retryAfter: null, engine: null };

const run = (statement: string) => client.pool.query(statement);

/** Retries are due at once; nobody's attempts, outages or failures are touched. */
async function hurry(): Promise<void> {
  await run('update processing_jobs set next_attempt_time = now() where lease_owner is null and outages > 0');
  await run(
    'update webhook_deliveries set next_attempt_time = now() where delivered_time is null and claim is null',
  );
  await run('update embedding_queue set retry_time = now() where retry_time <> $$infinity$$').catch(() => {});
}

async function untilAllIsWell(): Promise<void> {
  await waitToHold(async () => {
    expect(await ready()).toEqual({ status: 'ready', database: 'ok', search: 'ok' });
    await hurry();
    expect(await app.isIdle()).toBe(true);
    expect(await readBacklog(client.db)).toMatchObject({ waiting: 0, quarantined: 0 });
    expect(await countMissingVectors(client.db)).toBe(0);
    const { headers } = await search(`herons ${crypto.randomUUID()}`);
    expect([headers.get('x-search-engine'), headers.get('x-search-mode')]).toEqual(['meilisearch', 'hybrid']);
    const told = new Set(consumer.received.map(({ body }) => body.data.documentId));
    expect(created.filter((id) => !told.has(id))).toEqual([]);
  });
  const { rows } = await run(`select id from documents where status <> 'ready' or error is not null`);
  expect(rows).toEqual([]);
  const found = await verifyIndex({
    db: client.db,
    server: connectMeilisearch({ ...direct, url: meilisearch.url }),
  });
  expect([found.missing.count, found.outdated.count, found.surplus.count]).toEqual([0, 0, 0]);
}

const FAULTS: NetworkFault[] = [
  { kind: 'delay', ms: 30 },
  { kind: 'stall' },
  { kind: 'cut' },
  { kind: 'cut', afterBytes: 20 },
  { kind: 'half-close' },
  { kind: 'half-close', direction: 'to server' },
  { kind: 'corrupt', seed: 1, every: 8 },
];

test.each(FAULTS)(
  '%o before the store, the search server, the embedding endpoint and a consumer',
  async (fault) => {
    const isAway = fault.kind !== 'delay';
    const kept = await waitFor(async () => {
      const answer = await upload(`Kept in the store before ${JSON.stringify(fault)}.`);
      return answer.status === 200 && answer;
    });
    await untilAllIsWell();
    await Promise.all(all.map((proxy) => proxy.inject(fault)));

    const answers = await Promise.all([
      createDocument(`Created during ${JSON.stringify(fault)}.`),
      search('herons'),
      send('POST', `/trpc/documents.reprocess`, { scope: { tenantId: 'acme' }, documentId: kept.body.id }),
      upload('Uploaded meanwhile.'),
    ]);
    expect(answers.map(summary)).toEqual([
      SERVED,
      { ...SERVED, engine: isAway ? 'postgres' : 'meilisearch' },
      SERVED,
      isAway ? REFUSED : SERVED,
    ]);
    expect(answers[1]?.body).toContainEqual(expect.objectContaining({ content: HERONS }));
    const state = { status: 'ready', database: 'ok', search: isAway ? 'degraded' : 'ok' };
    await expect.poll(ready).toEqual(state);
    if (isAway) {
      const job = async () =>
        (await run('select attempts, outages, deaths from processing_jobs where outages > 0')).rows;
      await waitFor(async () => (await job()).length > 0, { what: 'a document to meet the outage' });
      for (const one of await job()) expect(one).toMatchObject({ attempts: 0, deaths: 0 });
    }

    await Promise.all(all.map((proxy) => proxy.heal()));
    await untilAllIsWell();
  },
);

test.each(FAULTS.map((fault) => (fault.kind === 'stall' ? { ...fault, isForGood: true } : fault)))(
  '%o before PostgreSQL',
  async (fault) => {
    await untilAllIsWell();
    const objects = async () =>
      (await s3.client.send(new ListObjectsV2Command({ Bucket: 'files' }))).Contents?.length ?? 0;
    const stored = await objects();
    // So that work is being done, and connections are open.
    await Promise.all(
      Array.from({ length: 6 }, (_, n) => createDocument(`Number ${n} before ${JSON.stringify(fault)}.`)),
    );
    await cable.inject(fault);

    const answers = await Promise.all([
      createDocument('Refused.'),
      upload('Refused.'),
      search('herons'),
      ...Array.from({ length: CALLERS }, () => send('GET', `${CONVERSATIONS}?tenant_id=acme`)),
    ]);
    const statuses = new Set(answers.map(({ status }) => status));
    // Of so many callers some wait too long for a connection.
    if (fault.kind === 'delay') expect([200, 503]).toEqual(expect.arrayContaining([...statuses]));
    else {
      expect(answers.map(summary)).toEqual(answers.map(() => REFUSED));
      await expect.poll(ready).toMatchObject({ status: 'unavailable', database: 'unavailable' });
      // A file may have been stored before its document was refused: it is removed after a day.
      expect(await objects()).toBeLessThanOrEqual(stored + 1);
    }
    const most = POOLS.requests + POOLS.search + POOLS.background + SESSIONS;
    expect(cable.connections).toBeLessThanOrEqual(most);

    await cable.heal();
    await untilAllIsWell();
  },
);
