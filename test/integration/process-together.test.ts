import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import { type App, createApp } from '../../src/compose/compose.js';
import { readConfig } from '../../src/config/config.js';
import { createChunkingSandbox } from '../../src/ingestion/chunking/chunking-sandbox.js';
import type { ChunkingSandbox } from '../../src/ingestion/chunking/chunking-task.js';
import { type ClaimedJob, claimJobs } from '../../src/ingestion/jobs/claim-job.js';
import { createProcessTogether } from '../../src/ingestion/process-together.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { sandboxProgram } from '../support/sandbox-programs.js';
import { UUID } from './support/rest-client.js';

/* No worker runs: the tests claim the jobs. */

const nobody = { userId: undefined };
const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });
const none = new AbortController().signal;

let database: TestDatabase;
let client: DatabaseClient;
let app: App;
let dataDir: string;
let sandbox: ChunkingSandbox;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-files-'));
  client = connectUnscoped(database.url, { max: 10 });
  app = await createApp(
    { ...readConfig({}), dataDir },
    { database: { url: database.url, description: 'test', stop: async () => {} }, log },
  );
  const limits = { memoryBytes: 2 ** 30, timeoutMs: 60_000, inactivityTimeoutMs: 60_000 };
  sandbox = createChunkingSandbox({ program: sandboxProgram, concurrency: 2, limits, log });
});
afterAll(async () => {
  await sandbox?.close();
  await app?.close();
  await client?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const scopeOf = (tenantId: string) => ({ tenantId, tenantUnitId: 'unit' });

/** Queues a document for each text, named by its place. */
async function queue(tenantId: string, texts: string[]): Promise<void> {
  for (const [place, documentContent] of texts.entries()) {
    const document = { id: `${place}`, documentType: 'UnstructuredFile' as const, datasetIds: ['set'] };
    await app.services.documents.create({ scope: scopeOf(tenantId), ...document, documentContent }, nobody);
  }
}

async function claim(tenantId: string): Promise<ClaimedJob[]> {
  const connection = await client.pool.connect();
  try {
    const session = {
      query: async (text: string, values: unknown[]) => (await connection.query(text, values)).rows,
      end: async () => {},
    };
    const lastServed = [{ lane: 'tiny' as const, tenantId: `${tenantId.slice(0, -1)}` }];
    const claimed = await claimJobs(session, { lastServed, full: [], owner: uuid() });
    expect(claimed).toMatchObject({ lane: 'tiny', tenantId });
    return claimed?.jobs.map((job) => ({ ...job, tenantId })) ?? [];
  } finally {
    connection.release();
  }
}

function processTogether(
  jobs: ClaimedJob[],
  given: { sandbox?: ChunkingSandbox; isWithinQuota?: boolean } = {},
) {
  const { isWithinQuota = true } = given;
  const run = createProcessTogether({
    db: client.db,
    isWithinQuota: async () => isWithinQuota,
    maxFile: { chunks: 1_000, processorMs: 60_000 },
    sourceOptions: { storage: undefined as never, maxBytes: 1_000_000, tempDir: dataDir },
    sandbox: given.sandbox ?? sandbox,
    chunking: {},
    clock: () => new Date(),
    log,
  });
  return run(jobs, { signal: none });
}

const documentsOf = (tenantId: string) =>
  client.db
    .selectFrom('documents')
    .select(['id', 'status', 'attempts', 'chunkCount', 'sniffedSubType'])
    .where('tenantId', '=', tenantId)
    .orderBy('id')
    .execute();
const jobsOf = async (tenantId: string) =>
  (
    await client.db
      .selectFrom('processingJobs')
      .select('documentId')
      .where('tenantId', '=', tenantId)
      .orderBy('documentId')
      .execute()
  ).map(({ documentId }) => documentId);
const search = async (tenantId: string, query: string) => {
  const found = await app.services.search.search({
    scope: scopeOf(tenantId),
    datasetIds: ['set'],
    query,
    topK: 5,
    language: 'english',
  });
  return found.hits.map(({ documentId, content }) => [documentId, content]);
};

const READY = { status: 'ready', attempts: 1, chunkCount: 1, sniffedSubType: 'txt' };
const NEW = { status: 'created', attempts: 0, chunkCount: 0, sniffedSubType: null };

test('stores the chunks of several documents, their events, and that their jobs are done', async () => {
  const webhook = { name: 'all', url: 'https://hooks.test/', eventTypes: ['document.ready' as const] };
  await client.db
    .insertInto('webhookSubscriptions')
    .values({
      id: 'hook',
      tenantId: 'together',
      url: webhook.url,
      eventTypes: webhook.eventTypes,
      secret: '',
      enabled: true,
      createdTime: new Date(),
      updatedTime: new Date(),
    } as never)
    .execute();
  await queue('together', ['Herons stand still.', 'Owls fly at night.']);
  const jobs = await claim('together');
  expect(jobs.map(({ documentId }) => documentId)).toEqual(['0', '1']);
  expect(await processTogether(jobs)).toEqual([]);
  expect(await documentsOf('together')).toEqual([
    { id: '0', ...READY },
    { id: '1', ...READY },
  ]);
  expect(await jobsOf('together')).toEqual([]);
  expect(await search('together', 'herons')).toEqual([['0', 'Herons stand still.']]);
  expect(await search('together', 'owls')).toEqual([['1', 'Owls fly at night.']]);
  const chunks = await client.db
    .selectFrom('chunks')
    .selectAll()
    .where('tenantId', '=', 'together')
    .orderBy('documentId')
    .execute();
  expect(chunks).toMatchObject([
    {
      id: UUID,
      documentId: '0',
      ordinal: 0,
      tenantUnitId: 'unit',
      status: 'active',
      content: 'Herons stand still.',
    },
    {
      id: UUID,
      documentId: '1',
      ordinal: 0,
      tenantUnitId: 'unit',
      status: 'active',
      content: 'Owls fly at night.',
    },
  ]);
  const events = await client.db
    .selectFrom('webhookDeliveries')
    .select(['eventType', 'subjectId'])
    .where('tenantId', '=', 'together')
    .where('eventType', '=', 'document.ready')
    .orderBy('subjectId')
    .execute();
  expect(events).toEqual([
    { eventType: 'document.ready', subjectId: '0' },
    { eventType: 'document.ready', subjectId: '1' },
  ]);
});

test('leaves what fails and what was changed meanwhile, and writes nothing of it', async () => {
  await queue('leaving', ['Stays as it is.', 'Fails.', 'Is changed.', 'Is deleted.', 'Is taken over.']);
  const jobs = await claim('leaving');
  const changes: Record<string, () => Promise<unknown>> = {
    'Fails.': () => Promise.reject(new Error('It cannot be read.')),
    'Is changed.': () =>
      app.services.documents.update(
        { scope: { tenantId: 'leaving' }, documentId: '2', documentContent: 'Other.' },
        nobody,
      ),
    'Is deleted.': () =>
      app.services.documents.remove({ scope: { tenantId: 'leaving' }, documentId: '3' }, nobody),
    'Is taken over.': () =>
      client.db
        .updateTable('processingJobs')
        .set({ leaseOwner: 'another' })
        .where('documentId', '=', '4')
        .execute(),
  };
  const meddling: ChunkingSandbox = {
    ...sandbox,
    async runStep(task, handlers) {
      await changes[task.text ?? '']?.();
      return sandbox.runStep(task, handlers);
    },
  };
  const left = await processTogether(jobs, { sandbox: meddling });
  expect(left.map(({ documentId }) => documentId)).toEqual(['1', '2', '3', '4']);
  expect(await documentsOf('leaving')).toEqual([
    { id: '0', ...READY },
    { id: '1', ...NEW },
    { id: '2', ...NEW },
    { id: '4', ...NEW },
  ]);
  expect(await jobsOf('leaving')).toEqual(['1', '2', '4']);
});

test('leaves all when the tenant would have too many chunks', async () => {
  await queue('quota', ['One.', 'Two.']);
  const jobs = await claim('quota');
  expect(await processTogether(jobs, { isWithinQuota: false })).toEqual(jobs);
  expect(await documentsOf('quota')).toEqual([
    { id: '0', ...NEW },
    { id: '1', ...NEW },
  ]);
  expect(await jobsOf('quota')).toEqual(['0', '1']);
});

test('leaves documents that have chunks already', async () => {
  await queue('again', ['First.']);
  expect(await processTogether(await claim('again'))).toEqual([]);
  await app.services.documents.update(
    { scope: { tenantId: 'again' }, documentId: '0', documentContent: 'Second.' },
    nobody,
  );
  const jobs = await claim('again');
  expect(await processTogether(jobs)).toEqual(jobs);
});
