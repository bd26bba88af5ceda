import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import { type App, createApp } from '../../src/compose/compose.js';
import { readConfig } from '../../src/config/config.js';
import { startWorker, type Worker, type WorkerDependencies } from '../../src/ingestion/jobs/worker.js';
import type { ProcessTogether } from '../../src/ingestion/process-together.js';
import { createCaller } from '../../src/routers/index.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { waitFor } from '../support/wait-for.js';

/* The order in which documents are worked on. No worker of the service runs: the tests start their own. */

const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });

let database: TestDatabase;
let client: DatabaseClient;
let app: App;
let dataDir: string;
let documents: ReturnType<typeof createCaller>['documents'];

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-files-'));
  client = connectUnscoped(database.url, { max: 5 });
  app = await createApp(
    { ...readConfig({}), dataDir },
    {
      database: { url: database.url, description: 'test', stop: async () => {} },
      log,
    },
  );
  documents = createCaller({ services: app.services, actor: { userId: undefined } }).documents;
});

afterEach(async () => {
  await sql`delete from documents`.execute(client.db);
  await sql`delete from processing_jobs`.execute(client.db);
});

afterAll(async () => {
  await app?.close();
  await client?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const scopeOf = (tenantId: string) => ({ tenantId, tenantUnitId: 'unit' });

const createMany = (tenantId: string, given: { id: string; url?: string; documentContent?: string }[]) =>
  documents.createMany({ scope: scopeOf(tenantId), documents: given });

/** Larger than what is processed together. */
const SMALL = 'Small. '.repeat(2_500);
const processTogether: ProcessTogether = async (jobs) => jobs;

/** Queues documents `A0`, `A1` and so on for the tenant `A`. */
const queue = (tenantId: string, from: number, to = from) =>
  createMany(
    tenantId,
    Array.from({ length: to - from + 1 }, (_, i) => ({
      id: `${tenantId}${from + i}`,
      documentContent: SMALL,
    })),
  );

const start = (options: Pick<WorkerDependencies, 'limits' | 'processDocument'>) =>
  startWorker({ db: client.db, databaseUrl: database.url, processTogether, log, ...options });

/** Works off that many documents, one after another, and tells which. */
async function take(count: number): Promise<string[]> {
  const taken: string[] = [];
  let worker: Worker | undefined;
  let stopped: Promise<void> | undefined;
  worker = start({
    limits: { large: 1, small: 0, extraction: 0, perTenant: 1 },
    async processDocument({ tenantId, documentId }) {
      taken.push(documentId);
      await client.db
        .updateTable('documents')
        .set({ status: 'ready' })
        .where('tenantId', '=', tenantId)
        .where('id', '=', documentId)
        .execute();
      if (taken.length === count) stopped = worker?.stop();
      return 'ended';
    },
  });
  await waitFor(() => stopped !== undefined, { what: `${count} documents to be taken` });
  await stopped;
  return taken;
}

/** The ids of waiting documents with their lanes, in their order. */
const jobs = () =>
  client.pool
    .query<{ id: string; lane: string }>(
      'select document_id as id, lane from processing_jobs order by sequence',
    )
    .then(({ rows }) => rows);
const changeJob = (documentId: string, change: string) =>
  client.pool.query(`update processing_jobs set ${change} where document_id = $1`, [documentId]);

describe('the order of documents', () => {
  test('is not that of one tenant alone, however much it has queued', async () => {
    await queue('A', 0, 999);
    await queue('A', 1000, 1999);
    expect(await take(5)).toEqual(['A0', 'A1', 'A2', 'A3', 'A4']);
    await queue('B', 0);
    expect(await take(3)).toEqual(['A5', 'B0', 'A6']);
  });

  test('is round-robin by tenant; within a tenant it is the order of their coming', async () => {
    await queue('A', 0, 3);
    await queue('B', 0, 1);
    await queue('C', 0);
    expect(await take(3)).toEqual(['A0', 'B0', 'C0']);
    await queue('B', 2);
    await queue('A', 4);
    expect(await take(6)).toEqual(['A1', 'B1', 'A2', 'B2', 'A3', 'A4']);
  });

  test('stays when a document that waits is changed', async () => {
    await queue('A', 0, 2);
    const before = await jobs();
    await documents.update({ scope: { tenantId: 'A' }, documentId: 'A0', documentContent: `${SMALL}!` });
    await documents.reprocessMany({ scope: { tenantId: 'A' }, documentIds: ['A2', 'A1'] });
    expect(await jobs()).toEqual(before);
    expect(await take(3)).toEqual(['A0', 'A1', 'A2']);
  });

  test('puts a document that is tried again where it was, and nobody new beside it', async () => {
    await queue('A', 0, 9);
    await take(5);
    await changeJob('A6', `attempts = 1, next_attempt_time = now() + interval '20 min'`);
    await queue('B', 0, 2);
    expect(await take(3)).toEqual(['A5', 'B0', 'A7']);
    await changeJob('A6', 'next_attempt_time = null');
    expect(await take(5)).toEqual(['A6', 'B1', 'A8', 'B2', 'A9']);
  });

  test('passes over tenants that have no more room, however many of their jobs wait', async () => {
    for (const tenantId of ['A', 'B', 'C']) await queue(tenantId, 0, 999);
    const begun: string[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const worker = start({
      limits: { large: 1, small: 6, extraction: 0, perTenant: 2 },
      async processDocument({ documentId }) {
        begun.push(documentId);
        await held;
        return 'ended';
      },
    });
    await waitFor(() => begun.length === 6, { what: 'all tenants to have two documents under way' });
    expect(begun).toEqual(['A0', 'B0', 'C0', 'A1', 'B1', 'C1']);
    await queue('Between', 0);
    await waitFor(() => begun.length === 7, { what: 'the document of another tenant' });
    expect(begun.at(-1)).toBe('Between0');
    release();
    await worker.stop();
  });

  test('passes over a document that a transaction is changing, and comes back to it', async () => {
    await queue('A', 0);
    await queue('B', 0);
    const taken: string[] = [];
    const limits = { large: 1, small: 1, extraction: 0, perTenant: 1 };
    let worker: Worker | undefined;
    await client.db.transaction().execute(async (tx) => {
      await tx.selectFrom('processingJobs').select('lane').where('tenantId', '=', 'A').forUpdate().execute();
      worker = start({
        limits,
        async processDocument({ documentId }) {
          taken.push(documentId);
          return 'ended';
        },
      });
      await waitFor(() => taken.length === 1, { what: 'the other document' });
    });
    await waitFor(() => taken.length === 2, { what: 'both documents' });
    expect(taken).toEqual(['B0', 'A0']);
    await worker?.stop();
  });

  test('lets small documents pass large ones that wait for room, and not the reverse', async () => {
    const urls = [0, 1, 2].map((n) => ({ id: `page ${n}`, url: `https://pages.test/${n}` }));
    for (const tenantId of ['A', 'B']) {
      const documents = urls.map(({ id, url }) => ({ id: `${tenantId} ${id}`, url }));
      await createMany(tenantId, documents);
      await queue(tenantId, 0, 2);
    }
    const begun: string[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const worker = start({
      limits: { large: 2, small: 3, extraction: 0, perTenant: 2 },
      async processDocument({ documentId }) {
        begun.push(documentId);
        await held;
        return 'ended';
      },
    });
    await waitFor(() => begun.length === 5, { what: 'all room to be taken' });
    expect(begun).toEqual(['A0', 'A page 0', 'B0', 'B page 0', 'A1']);
    release();
    await worker.stop();
  });

  test('knows which documents are tiny or small', async () => {
    await documents.createMany({
      scope: scopeOf('A'),
      documents: [
        { id: 'tiny', documentContent: 'x'.repeat(16 * 1024) },
        { id: 'small', documentContent: 'x'.repeat(256 * 1024) },
        { id: 'large', documentContent: 'x'.repeat(256 * 1024 + 1) },
        { id: 'page', url: 'https://pages.test/' },
      ],
    });
    expect(await jobs()).toEqual([
      { id: 'tiny', lane: 'tiny' },
      { id: 'small', lane: 'small' },
      { id: 'large', lane: 'large' },
      { id: 'page', lane: 'large' },
    ]);
    const scope = { tenantId: 'A' };
    await documents.update({ scope, documentId: 'small', documentContent: 'x'.repeat(300_000) });
    await documents.update({ scope, documentId: 'tiny', documentContent: SMALL });
    await documents.update({ scope, documentId: 'page', documentContent: 'Tiny now.' });
    expect(await jobs()).toEqual([
      { id: 'tiny', lane: 'small' },
      { id: 'small', lane: 'large' },
      { id: 'large', lane: 'large' },
      { id: 'page', lane: 'tiny' },
    ]);
  });

  test('has room for ten thousand at once, from whoever has the longest name', async () => {
    const tenantId = 't'.repeat(255);
    const urls = Array.from({ length: 10_000 }, (_, i) => `https://pages.test/${i}`);
    const { created } = await documents.createMany({ scope: scopeOf(tenantId), urls });
    expect(created.map(({ url }) => url)).toEqual(urls);
    const documentId = 'd'.repeat(255);
    await documents.createMany({ scope: scopeOf(tenantId), documents: [{ id: documentId, url: urls[0] }] });
    const queued = await jobs();
    expect(queued.map(({ id }) => id)).toEqual([...created.map(({ id }) => id), documentId]);

    await documents.cancel({ scope: { tenantId }, documentId });
    expect(await jobs()).toHaveLength(10_000);
    await queue('B', 0);
    expect(await take(2)).toEqual(['B0', created[0]?.id]);
  });
});
