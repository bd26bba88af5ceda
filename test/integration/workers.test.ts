import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import { type App, createApp } from '../../src/compose.js';
import { readConfig } from '../../src/config.js';
import { unavailable } from '../../src/errors.js';
import type { ChunkingSandbox } from '../../src/ingestion/chunking/chunking-task.js';
import { createFailExhausted } from '../../src/ingestion/jobs/fail-exhausted.js';
import { jobQueue } from '../../src/ingestion/jobs/job-queue.js';
import { startWorker } from '../../src/ingestion/jobs/worker.js';
import { createPresence } from '../../src/ingestion/jobs/worker-presence.js';
import { createProcessDocument, type ProcessDocument } from '../../src/ingestion/process-document.js';
import { createSandbox } from '../../src/ingestion/sandbox/sandbox.js';
import { createLocalDisk } from '../../src/storage/local-disk.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { sandboxProgram } from '../support/sandbox-programs.js';
import { waitFor } from '../support/wait-for.js';
import { TENANT_UNIT } from './support/rest-client.js';

/*
 * The service's domain without its worker: here the tests decide when a document is worked on, by how many, and
 * when a worker dies.
 */

const scope = { tenantId: TENANT_UNIT.tenantId };
const nobody = { userId: undefined };
const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });

let database: TestDatabase;
let client: DatabaseClient;
let app: App;
let dataDir: string;
let sandbox: ChunkingSandbox;
let processDocument: ProcessDocument;
/** One for each file that is being read, in the order in which reading began. */
const reads: PassThrough[] = [];
let storageIsAway = false;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-files-'));
  client = connectUnscoped(database.url, { max: 10 });
  app = await createApp(
    { ...readConfig({}), dataDir },
    { database: { url: database.url, description: 'test', stop: async () => {} }, log },
  );
  sandbox = createSandbox({
    program: sandboxProgram,
    concurrency: 4,
    limits: { memoryBytes: 2 ** 30, timeoutMs: 60_000, inactivityTimeoutMs: 60_000 },
    log,
  });
  // Without a path of their own, files are read through the streams below.
  const { pathOf: _none, ...farStorage } = createLocalDisk(path.join(dataDir, 'files'));
  processDocument = createProcessDocument({
    db: client.db,
    isWithinQuota: async () => true,
    mostOfFile: { chunks: 1_000, processorMs: 60_000 },
    reading: {
      storage: {
        ...farStorage,
        read: () => {
          if (storageIsAway)
            throw unavailable('The file storage does not answer as it should; try again later.');
          const stream = new PassThrough();
          reads.push(stream);
          return stream;
        },
      },
      maxBytes: 1_000_000,
      tempDir: path.join(dataDir, 'tmp'),
    },
    sandbox,
    chunking: {},
    clock: () => new Date(),
    log,
  });
});

afterAll(async () => {
  await sandbox?.close();
  await client?.close();
  // Never started, so there is nothing but connections to close.
  await app?.close().catch(() => {});
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const untilStatus = (id: string, status: string) =>
  waitFor(async () => (await documentOf(id)).status === status, { what: `a document to be ${status}` });

async function createFile(text = 'From the file.'): Promise<string> {
  const { fileId } = await app.services.files.upload(
    (async function* () {
      yield Buffer.from(text);
    })(),
    { actor: { userId: undefined }, tenantId: undefined },
  );
  const { id } = await app.services.documents.create(
    {
      scope: TENANT_UNIT,
      documentType: 'UnstructuredFile',
      documentName: 'file.txt',
      datasetIds: ['faq'],
      file: { fileId },
    },
    nobody,
  );
  return id;
}

async function createContent(documentContent: string): Promise<string> {
  const { id } = await app.services.documents.create(
    { scope: TENANT_UNIT, documentType: 'UnstructuredFile', datasetIds: ['faq'], documentContent },
    nobody,
  );
  return id;
}

const work = (documentId: string, isLastAttempt = false, signal?: AbortSignal) =>
  processDocument({ tenantId: TENANT_UNIT.tenantId, documentId }, { isLastAttempt, signal });

/** Begins to work on a document with a file, up to the reading of the file. */
async function workUntilRead(documentId: string) {
  const place = reads.length;
  const done = work(documentId);
  const file = await waitFor(() => reads[place], { what: 'the file to be read' });
  return { done, file };
}

const documentOf = (documentId: string) => app.services.documents.get({ scope, documentId });
const contentsOf = async (documentId: string) =>
  (await app.services.chunks.list({ scope, documentId, page: 1, pageSize: 100 })).items.map(
    ({ content }) => content,
  );

interface Job {
  attempts: number;
  locked_by: string | null;
}

/** What a job keeps of interruptions, and how many seconds after the last one it is due. */
async function interruptionsOf(documentId: string) {
  const { rows } = await client.pool.query(
    `select payload->'deaths' as deaths, payload->'outages' as outages, flags ? 'suspect' as "isSuspect",
       extract(epoch from run_at - updated_at)::integer as pause, attempts, max_attempts - attempts as left
     from graphile_worker._private_jobs where key = $1`,
    [JSON.stringify([TENANT_UNIT.tenantId, documentId])],
  );
  return rows[0];
}

async function jobOf(documentId: string): Promise<Job | undefined> {
  const { rows } = await client.pool.query<Job>(
    'select attempts, locked_by from graphile_worker.jobs where key = $1',
    [JSON.stringify([TENANT_UNIT.tenantId, documentId])],
  );
  return rows[0];
}

/** Leaves a document and its job as a worker does that takes it now. */
async function begin(workerId: string, documentId: string): Promise<void> {
  await client.pool.query(
    `update graphile_worker._private_jobs
     set attempts = attempts + 1, locked_by = $2, locked_at = now() where key = $1`,
    [JSON.stringify([TENANT_UNIT.tenantId, documentId]), workerId],
  );
  await client.db
    .updateTable('documents')
    .set({ status: 'processing' })
    .where('id', '=', documentId)
    .execute();
}

/** Leaves a document and its job as a worker does that began with it a minute ago. */
async function beginAs(workerId: string, documentId: string, attempts = 1, deaths = 0): Promise<void> {
  await client.pool.query(
    `update graphile_worker._private_jobs
     set attempts = $2, locked_by = $3, locked_at = now() - interval '1 minute',
       payload = case when $4 > 0 then payload::jsonb || jsonb_build_object('deaths', $4) else payload::jsonb end
     where key = $1`,
    [JSON.stringify([TENANT_UNIT.tenantId, documentId]), attempts, workerId, deaths],
  );
  await client.db
    .updateTable('documents')
    .set({ status: 'processing', attempts })
    .where('id', '=', documentId)
    .execute();
}

const start = () =>
  startWorker({
    pool: client.pool,
    databaseUrl: database.url,
    processDocument,
    failExhausted: createFailExhausted(client.db),
    limits: { large: 2, small: 2, perTenant: 2 },
    log,
  });

/** Has the death of a worker found out. */
async function dieAs(workerId: string): Promise<void> {
  const { rows } = await client.pool.query('select 1 from graphile_worker.jobs where locked_by = $1', [
    workerId,
  ]);
  expect(rows).not.toEqual([]);
  const presence = createPresence({ pool: client.pool, databaseUrl: database.url, log, graceMs: 0 });
  await presence.releaseJobsOfTheDead();
  await presence.end();
}

/** Waits until somebody waits for a lock. */
const untilBlocked = () =>
  waitFor(
    async () => {
      const { rows } = await client.pool.query(
        'select 1 from pg_stat_activity where datname = current_database() and wait_event_type = $1',
        ['Lock'],
      );
      return rows.length > 0;
    },
    { what: 'somebody to wait for a lock' },
  );

describe('work on a document', () => {
  test('is void when the content changes meanwhile, whether it ends well or not', async () => {
    for (const text of ['From the old file.', '']) {
      const id = await createFile();
      const old = await workUntilRead(id);
      await app.services.documents.update({ scope, documentId: id, documentContent: 'New text.' }, nobody);
      await work(id);
      const finished = await documentOf(id);
      expect(finished).toMatchObject({
        status: 'ready',
        processingProgress: 100,
        chunkCount: 1,
        error: null,
      });

      old.file.end(text);
      await old.done;
      expect(await documentOf(id)).toEqual(finished);
      expect(await contentsOf(id)).toEqual(['New text.']);
    }
  });

  test('that is void does not delay the one that follows', async () => {
    const id = await createFile();
    const old = await workUntilRead(id);
    await app.services.documents.update({ scope, documentId: id, documentContent: 'New text.' }, nobody);
    old.file.end('From the old file.');
    await old.done;
    expect(await documentOf(id)).toMatchObject({
      status: 'created',
      processingProgress: 0,
      attempts: 0,
      stage: null,
    });
    expect(await contentsOf(id)).toEqual([]);
    await work(id);
    expect(await contentsOf(id)).toEqual(['New text.']);
  });

  test('is void for a worker that was taken for dead, once another has begun', async () => {
    const id = await createFile();
    const late = await workUntilRead(id);
    const present = await workUntilRead(id);
    const begun = await documentOf(id);
    expect(begun).toMatchObject({ status: 'processing', attempts: 2 });

    late.file.end('');
    await late.done;
    expect(await documentOf(id)).toEqual(begun);
    present.file.end('From the file.');
    await present.done;
    expect(await documentOf(id)).toMatchObject({ status: 'ready', attempts: 2, error: null });
    expect(await contentsOf(id)).toEqual(['From the file.']);
  });

  test('ends in nothing when the document is deleted meanwhile', async () => {
    const id = await createFile();
    const { done, file } = await workUntilRead(id);
    await app.services.documents.remove({ scope, documentId: id }, { userId: undefined });
    file.end('From the file.');
    await done;
    const left = await client.db.selectFrom('chunks').select('id').where('documentId', '=', id).execute();
    expect(left).toEqual([]);
    await work(id);
  });

  test('that fails unexpectedly is tried again; the last time it is final', async () => {
    const id = await createFile();
    const first = await workUntilRead(id);
    first.file.destroy(new Error('a secret path'));
    await expect(first.done).rejects.toThrow('a secret path');
    const error = {
      code: 'internal',
      stage: 'fetching',
      message: 'Processing failed unexpectedly; the log of the server says more.',
      retryable: true,
    };
    expect(await documentOf(id)).toMatchObject({ status: 'processing', attempts: 1, error });

    const place = reads.length;
    const last = work(id, true);
    (await waitFor(() => reads[place], { what: 'the file to be read' })).destroy(new Error('again'));
    await last;
    expect(await documentOf(id)).toMatchObject({ status: 'failed', attempts: 2, stage: null, error });
    // Nothing is left to be done.
    await work(id);
    expect(await documentOf(id)).toMatchObject({ status: 'failed', attempts: 2 });
  });

  test('that is interrupted by a stop leaves the document as it is, to be taken up again', async () => {
    const id = await createFile();
    const stop = new AbortController();
    const place = reads.length;
    const interrupted = work(id, true, stop.signal);
    const file = await waitFor(() => reads[place], { what: 'the file to be read' });
    stop.abort(new Error('stopping'));
    file.end('From the file.');
    await expect(interrupted).rejects.toThrow('stopping');
    expect(await documentOf(id)).toMatchObject({ status: 'processing', error: null });
    const again = await workUntilRead(id);
    again.file.end('From the file.');
    await again.done;
    expect(await documentOf(id)).toMatchObject({ status: 'ready', attempts: 2 });
  });

  test('may end while chunks are deleted by hand', async () => {
    const id = await createContent('Some text.');
    await work(id);
    const { items } = await app.services.chunks.list({ scope, documentId: id, page: 1, pageSize: 10 });
    const chunkIds = items.map((chunk) => chunk.id);
    let removal: Promise<void> | undefined;
    await client.db.transaction().execute(async (tx) => {
      // What the worker does at the end: the document first, then its chunks.
      await tx.selectFrom('documents').select('id').where('id', '=', id).forUpdate().execute();
      removal = app.services.chunks.removeMany({ scope, documentId: id, chunkIds }, { userId: undefined });
      removal.catch(() => {});
      await untilBlocked();
      await tx.selectFrom('chunks').select('id').where('documentId', '=', id).forUpdate().execute();
    });
    await removal;
    expect(await contentsOf(id)).toEqual([]);
    expect(await documentOf(id)).toMatchObject({ chunkCount: 0 });
  });
});

describe('a job', () => {
  test('exists exactly if the change does', async () => {
    const id = await createContent('Some text.');
    expect(await jobOf(id)).toEqual({ attempts: 0, locked_by: null });
    await expect(
      client.db.transaction().execute(async (tx) => {
        await jobQueue.enqueue(tx, { tenantId: TENANT_UNIT.tenantId, documentId: 'never' });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await jobOf('never')).toBeUndefined();
  });

  test('is given back when its worker died, and only then', async () => {
    const [orphan, owned] = [await createContent('Orphan.'), await createContent('Owned.')];
    await beginAs('dead-worker', orphan);
    await beginAs('living-worker', owned);
    const living = createPresence({ pool: client.pool, databaseUrl: database.url, log });
    const other = createPresence({ pool: client.pool, databaseUrl: database.url, log, graceMs: 0 });
    living.announce('living-worker');
    const isAnnounced = async () => {
      const { rows } = await client.pool.query(
        `select 1 from pg_locks join pg_database on pg_database.oid = pg_locks.database
         where locktype = 'advisory' and granted and datname = current_database()`,
      );
      return rows.length > 0;
    };
    await waitFor(isAnnounced, { what: 'the lock of the living worker' });

    await other.releaseJobsOfTheDead();
    expect(await jobOf(orphan)).toMatchObject({ locked_by: null });
    expect(await jobOf(owned)).toMatchObject({ locked_by: 'living-worker' });
    await living.end();
    await other.releaseJobsOfTheDead();
    expect(await jobOf(owned)).toMatchObject({ locked_by: null });
    await other.end();
  });

  test('comes back later from death to death of its workers, and is given up after five', async () => {
    const id = await createContent('Ends whoever processes it.');
    const seen: unknown[] = [];
    for (let death = 1; death <= 5; death++) {
      await begin('killed', id);
      await dieAs('killed');
      seen.push(await interruptionsOf(id));
    }
    const expected = (deaths: number, pause: number, left: object = { attempts: 0, left: 5 }) => ({
      deaths,
      outages: null,
      isSuspect: true,
      pause,
      ...left,
    });
    expect(seen).toEqual([
      expected(1, 0),
      expected(2, 60),
      expected(3, 300),
      expected(4, 1_500),
      expected(5, 0, { attempts: 5, left: 0 }),
    ]);
    await createFailExhausted(client.db)();
    expect(await documentOf(id)).toMatchObject({ status: 'failed', error: { code: 'worker_died' } });
    expect(await jobOf(id)).toBeUndefined();
  });

  test('of a neighbour is not to blame for the death of a worker that had a suspect', async () => {
    const [suspect, neighbour] = [await createContent('Suspect.'), await createContent('Neighbour.')];
    await begin('first', suspect);
    await dieAs('first');
    await begin('second', suspect);
    await begin('second', neighbour);
    await dieAs('second');
    expect(await interruptionsOf(suspect)).toMatchObject({ deaths: 2, isSuspect: true, pause: 60 });
    expect(await interruptionsOf(neighbour)).toEqual({
      deaths: null,
      outages: null,
      isSuspect: false,
      pause: 0,
      attempts: 0,
      left: 5,
    });
  });

  test('that was cancelled while its worker died is not taken up again', async () => {
    const id = await createContent('Nobody wants this any more.');
    await begin('dies', id);
    await app.services.documents.cancel({ scope, documentId: id }, nobody);
    await dieAs('dies');
    const { rows } = await client.pool.query(
      `select is_available from graphile_worker._private_jobs where payload->>'documentId' = $1`,
      [id],
    );
    expect(rows).toEqual([{ is_available: false }]);
    await createFailExhausted(client.db)();
    expect(await documentOf(id)).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
  });

  test('starts over with its owner’s next wish', async () => {
    const id = await createContent('Once more.');
    await begin('dies', id);
    await dieAs('dies');
    await app.services.documents.reprocess({ scope, documentId: id, unconditional: false }, nobody);
    expect(await interruptionsOf(id)).toEqual({
      deaths: null,
      outages: null,
      isSuspect: false,
      pause: 0,
      attempts: 0,
      left: 5,
    });
  });

  test('of a worker that has just begun is left to it, lock or not', async () => {
    const id = await createContent('Just begun.');
    await beginAs('new-worker', id);
    await sql`update graphile_worker._private_jobs set locked_at = now() where locked_by = 'new-worker'`.execute(
      client.db,
    );
    const presence = createPresence({ pool: client.pool, databaseUrl: database.url, log });
    await presence.releaseJobsOfTheDead();
    expect(await jobOf(id)).toMatchObject({ locked_by: 'new-worker' });
    await presence.end();
  });

  test('that was renewed just now is not given up', async () => {
    const id = await createContent('First text.');
    await beginAs('gone', id, 5, 4);
    await dieAs('gone');
    let giving: Promise<void> | undefined;
    await client.db.transaction().execute(async (tx) => {
      await tx.selectFrom('documents').select('id').where('id', '=', id).forUpdate().execute();
      giving = createFailExhausted(client.db)();
      giving.catch(() => {});
      await untilBlocked();
      // What a change of the content does.
      await tx
        .updateTable('documents')
        .set({ status: 'created', attempts: 0 })
        .where('id', '=', id)
        .execute();
      await jobQueue.enqueue(tx, { tenantId: TENANT_UNIT.tenantId, documentId: id });
    });
    await giving;
    expect(await documentOf(id)).toMatchObject({ status: 'created', error: null });
    expect(await jobOf(id)).toEqual({ attempts: 0, locked_by: null });
  });

  test('is taken over by another worker; one without attempts left is recorded as failed', async () => {
    const [waiting, orphan, exhausted] = [
      await createContent('Nobody began with this.'),
      await createContent('Somebody died over this.'),
      await createContent('Five died over this.'),
    ];
    await beginAs('dead-one', orphan, 2);
    await beginAs('dead-two', exhausted, 5, 4);
    const worker = start();
    await untilStatus(waiting, 'ready');
    await untilStatus(orphan, 'ready');
    await untilStatus(exhausted, 'failed');
    await waitFor(async () => !(await jobOf(orphan)), { what: 'the job to end' });

    expect(await documentOf(orphan)).toMatchObject({ attempts: 3, error: null });
    expect(await contentsOf(orphan)).toEqual(['Somebody died over this.']);
    expect(await documentOf(exhausted)).toMatchObject({
      error: {
        code: 'worker_died',
        stage: 'parsing',
        message:
          'Processing this document ended its worker every time; the file may be damaged or too large.',
        retryable: false,
      },
    });
    expect(await jobOf(exhausted)).toBeUndefined();

    // New content is a new chance.
    await app.services.documents.update(
      { scope, documentId: exhausted, documentContent: 'Harmless.' },
      nobody,
    );
    await untilStatus(exhausted, 'ready');
    expect(await documentOf(exhausted)).toMatchObject({ attempts: 1, error: null });
    await worker.stop();
  });

  test('waits for the file storage as long as that is away', async () => {
    storageIsAway = true;
    const id = await createFile('Read in the end.');
    const worker = start();
    const seen: unknown[] = [];
    for (let outages = 1; outages <= 7; outages++) {
      seen.push(
        await waitFor(async () => {
          const job = await interruptionsOf(id);
          return job?.outages === outages && job;
        }),
      );
      expect(await documentOf(id)).toMatchObject({
        status: 'processing',
        error: { code: 'storage_unavailable', stage: 'fetching', retryable: true },
      });
      if (outages === 7) storageIsAway = false;
      await client.pool.query('update graphile_worker._private_jobs set run_at = now() where key = $1', [
        JSON.stringify([TENANT_UNIT.tenantId, id]),
      ]);
    }
    const expected = { deaths: null, isSuspect: false, attempts: 0, left: 5 };
    expect(seen).toEqual(
      [5, 10, 20, 40, 80, 160, 320].map((pause, place) => ({ ...expected, outages: place + 1, pause })),
    );
    const file = await waitFor(() => reads.find((stream) => !stream.writableEnded && !stream.destroyed));
    file.end('Read in the end.');
    await waitFor(async () => (await documentOf(id)).status === 'ready');
    expect(await contentsOf(id)).toEqual(['Read in the end.']);
    await worker.stop();
  });
});
