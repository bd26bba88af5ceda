import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import type { Queryable } from '../../db/schema.js';
import { type App, createApp } from '../../src/compose/compose.js';
import { readConfig } from '../../src/config/config.js';
import { unavailable } from '../../src/errors/errors.js';
import { createChunkingSandbox } from '../../src/ingestion/chunking/chunking-sandbox.js';
import type { ChunkingSandbox } from '../../src/ingestion/chunking/chunking-task.js';
import { type ClaimedBatch, type ClaimedJob, claimJobs } from '../../src/ingestion/jobs/claim-job.js';
import { jobQueue } from '../../src/ingestion/jobs/job-queue.js';
import { renewLeases, requeueExpired } from '../../src/ingestion/jobs/leases.js';
import { createRunJobs } from '../../src/ingestion/jobs/run-job.js';
import { startWorker } from '../../src/ingestion/jobs/worker.js';
import { createWorkerSession } from '../../src/ingestion/jobs/worker-session.js';
import { createProcessDocument, type ProcessDocument } from '../../src/ingestion/process-document.js';
import { createLocalDisk } from '../../src/storage/local-disk.js';
import { TENANT_UNIT } from '../integration/support/rest-client.js';
import { blockedStatements } from '../support/blocked-statements.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { countReachable } from '../support/count-reachable.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { sandboxProgram } from '../support/sandbox-programs.js';
import { waitFor } from '../support/wait-for.js';

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
  sandbox = createChunkingSandbox({
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
    maxFile: { chunks: 1_000, processorMs: 60_000 },
    sourceOptions: {
      storage: {
        ...farStorage,
        read: () => {
          if (storageIsAway)
            throw unavailable('The file storage does not work properly at the moment; try again later.');
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
  processDocument(
    { tenantId: TENANT_UNIT.tenantId, documentId },
    { lane: 'large', outages: 0, isLastAttempt, isHeld: async () => true, signal },
  );

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

/** What the queue holds of a document, and how many seconds the job still waits for its next attempt. */
async function jobOf(documentId: string) {
  const { rows } = await client.pool.query(
    `select lane, attempts, outages, deaths, lease_owner as "leaseOwner",
       round(extract(epoch from next_attempt_time - now()))::integer as pause
     from processing_jobs where tenant_id = $1 and document_id = $2`,
    [TENANT_UNIT.tenantId, documentId],
  );
  return rows[0];
}
const WAITING = { lane: 'tiny', attempts: 0, outages: 0, deaths: 0, leaseOwner: null, pause: null };

/** Leaves a document and its job as a worker does that claimed it, and whose lease has expired. */
async function leaveAs(leaseOwner: string, documentId: string, fields: object = {}): Promise<void> {
  await client.db
    .updateTable('processingJobs')
    .set({ leaseOwner, leaseExpiresTime: new Date(Date.now() - 60_000), nextAttemptTime: null, ...fields })
    .where('documentId', '=', documentId)
    .execute();
  await client.db
    .updateTable('documents')
    .set({ status: 'processing', attempts: 1 })
    .where('id', '=', documentId)
    .execute();
}

const start = () =>
  startWorker({
    db: client.db,
    databaseUrl: database.url,
    processDocument,
    // Each on its own, as whatever is not new.
    processTogether: async (jobs) => jobs,
    limits: { large: 2, small: 2, extraction: 0, perTenant: 2 },
    log,
  });

/** Requeues the jobs of dead workers, and reads the document's job at that moment. */
async function recover(documentId?: string, owner = 'someone') {
  const connection = await client.pool.connect();
  try {
    const session = {
      query: async (text: string, values: unknown[]) => (await connection.query(text, values)).rows,
      end: async () => {},
    };
    // The time stands still in a transaction.
    await connection.query('begin');
    const recovered = await requeueExpired(session, owner);
    const { rows } = await connection.query(
      `select lane, attempts, outages, deaths, lease_owner as "leaseOwner",
         extract(epoch from next_attempt_time - now())::integer as pause
       from processing_jobs where document_id = $1`,
      [documentId],
    );
    await connection.query('commit');
    return { recovered, job: rows[0] };
  } finally {
    connection.release();
  }
}

const lockDocument = (tx: Queryable, id: string) =>
  tx
    .selectFrom('documents')
    .select('id')
    .where('tenantId', '=', TENANT_UNIT.tenantId)
    .where('id', '=', id)
    .forUpdate()
    .execute();
const untilBlocked = () =>
  waitFor(async () => (await blockedStatements(client.db)).length > 0, {
    what: 'a statement to wait for a lock',
  });

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

  test('deletes its own drafts, and none of a later attempt', async () => {
    const id = await createFile();
    const { done, file } = await workUntilRead(id);
    const { tenantId, tenantUnitId } = TENANT_UNIT;
    const draft = { id: 'draft', ordinal: 0, sourceHash: '', content: '', contentComplement: '' };
    const described = { keywords: '{}', metadata: '{}', terms: '', termsLength: 0, analyzer: 1 };
    await client.db
      .insertInto('chunkDrafts')
      .values({ tenantId, tenantUnitId, documentId: id, run: 'later', ...draft, ...described })
      .execute();
    file.end('From the file.');
    await done;
    const left = await client.db
      .selectFrom('chunkDrafts')
      .select('run')
      .where('documentId', '=', id)
      .execute();
    expect(left).toEqual([{ run: 'later' }]);
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

  test('leaves nothing in the signal of its worker', async () => {
    const { signal } = new AbortController();
    const workOnSome = async (count: number) => {
      for (let i = 0; i < count; i++) {
        const id = await createContent(`Text ${i}.`);
        await work(id, false, signal);
        expect(await documentOf(id)).toMatchObject({ status: 'ready' });
      }
      return countReachable(signal);
    };
    const kept = await workOnSome(2);
    expect(await workOnSome(3)).toBe(kept);
    signal.addEventListener('abort', () => {});
    expect(countReachable(signal)).toBeGreaterThan(kept);
  });

  test('may end while chunks are deleted by hand', async () => {
    const id = await createContent('Some text.');
    await work(id);
    const { items } = await app.services.chunks.list({ scope, documentId: id, page: 1, pageSize: 10 });
    const chunkIds = items.map((chunk) => chunk.id);
    let removal: Promise<void> | undefined;
    await client.db.transaction().execute(async (tx) => {
      // What the worker does at the end: the document first, then its chunks.
      await lockDocument(tx, id);
      removal = app.services.chunks.removeMany({ scope, documentId: id, chunkIds }, { userId: undefined });
      removal.catch(() => {});
      await untilBlocked();
      await tx
        .selectFrom('chunks')
        .select('id')
        .where('tenantId', '=', TENANT_UNIT.tenantId)
        .where('documentId', '=', id)
        .forUpdate()
        .execute();
    });
    await removal;
    expect(await contentsOf(id)).toEqual([]);
    expect(await documentOf(id)).toMatchObject({ chunkCount: 0 });
  });
});

describe('a job', () => {
  test('exists exactly if the change does, and for as long as the document', async () => {
    const id = await createContent('Some text.');
    expect(await jobOf(id)).toEqual(WAITING);
    await client.db
      .transaction()
      .execute(async (tx) => {
        await jobQueue.remove(tx, TENANT_UNIT.tenantId, [id]);
        throw new Error('rolled back');
      })
      .catch(() => {});
    expect(await jobOf(id)).toEqual(WAITING);
    await app.services.documents.remove({ scope, documentId: id }, nobody);
    expect(await jobOf(id)).toBeUndefined();
  });

  test('is given back when the leases of its worker have expired, and only then', async () => {
    const [orphan, owned] = [await createContent('Orphan.'), await createContent('Owned.')];
    await leaveAs('dead-worker', orphan);
    await leaveAs('living-worker', owned);
    const session = createWorkerSession(database.url, () => {});
    const { rows } = await client.pool.query('select sequence from processing_jobs where document_id = $1', [
      owned,
    ]);
    await renewLeases(session, 'living-worker', [rows[0].sequence]);
    await session.end();

    expect(await recover(orphan)).toEqual({
      recovered: [{ leaseOwner: 'dead-worker', jobs: 1 }],
      job: { ...WAITING, lane: 'suspect', deaths: 1 },
    });
    expect(await jobOf(owned)).toEqual({ ...WAITING, leaseOwner: 'living-worker' });
  });

  test('is not given back while its worker renews the lease of another, nor to whoever asks', async () => {
    const [expired, renewed] = [await createContent('Expired.'), await createContent('Renewed.')];
    await leaveAs('one', expired);
    await leaveAs('one', renewed, { leaseExpiresTime: new Date(Date.now() + 15_000) });
    expect((await recover(expired)).job).toEqual({ ...WAITING, leaseOwner: 'one' });
    await leaveAs('one', renewed);
    expect((await recover(expired, 'one')).job).toEqual({ ...WAITING, leaseOwner: 'one' });
    expect((await recover(expired)).recovered).toEqual([{ leaseOwner: 'one', jobs: 2 }]);
  });

  test('whose claim was lost on the way to the worker waits again when the lease has expired', async () => {
    const [expired, fresh] = [await createContent('Expired.'), await createContent('Fresh.')];
    await leaveAs('one', expired);
    await leaveAs('one', fresh, { leaseExpiresTime: new Date(Date.now() + 60_000) });
    const session = createWorkerSession(database.url, () => {});
    await renewLeases(session, 'one', []);
    await session.end();
    expect(await jobOf(expired)).toEqual(WAITING);
    expect(await jobOf(fresh)).toEqual({ ...WAITING, leaseOwner: 'one' });
  });

  test('of a dead worker does not wait for a clock that was set back by an hour', async () => {
    const [leased, paused] = [await createContent('Leased.'), await createContent('Paused.')];
    const inAnHour = new Date(Date.now() + 3_600_000);
    await leaveAs('dead-worker', leased, { leaseExpiresTime: inAnHour });
    const { recovered, job } = await recover(leased);
    expect(recovered).toContainEqual({ leaseOwner: 'dead-worker', jobs: 1 });
    expect(job).toEqual({ ...WAITING, lane: 'suspect', deaths: 1 });
    await client.pool.query('update processing_jobs set next_attempt_time = $1 where document_id = $2', [
      inAnHour,
      paused,
    ]);
    const session = createWorkerSession(database.url, () => {});
    await renewLeases(session, 'living-worker', []);
    await session.end();
    expect(await jobOf(paused)).toEqual(WAITING);
  });

  test('comes back later from death to death of its workers', async () => {
    const id = await createContent('Ends whoever processes it.');
    const pauses: unknown[] = [];
    for (let deaths = 1; deaths <= 5; deaths++) {
      await leaveAs('killed', id);
      const { job } = await recover(id);
      expect(job).toEqual({ ...WAITING, lane: 'suspect', deaths, pause: job.pause });
      pauses.push(job.pause);
    }
    expect(pauses).toEqual([null, 60, 300, 1_500, null]);
  });

  test('of a neighbour is not to blame for the death of a worker that had a suspect', async () => {
    const [suspect, neighbour] = [await createContent('Suspect.'), await createContent('Neighbour.')];
    await leaveAs('first', suspect);
    await recover();
    await leaveAs('second', suspect);
    await leaveAs('second', neighbour);
    expect((await recover(suspect)).job).toEqual({ ...WAITING, lane: 'suspect', deaths: 2, pause: 60 });
    expect(await jobOf(neighbour)).toEqual(WAITING);
  });

  test('that was cancelled while its worker died is not taken up again', async () => {
    const id = await createContent('Nobody wants this any more.');
    await leaveAs('dies', id);
    await app.services.documents.cancel({ scope, documentId: id }, nobody);
    expect((await recover(id)).recovered).toEqual([]);
    expect(await jobOf(id)).toBeUndefined();
    expect(await documentOf(id)).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
  });

  test('starts over with its owner’s next wish', async () => {
    const id = await createContent('Once more.');
    await leaveAs('dies', id, { attempts: 3, outages: 2 });
    await recover(id);
    await app.services.documents.reprocess({ scope, documentId: id, unconditional: false }, nobody);
    expect(await jobOf(id)).toEqual(WAITING);
  });

  test('that is renewed while it is given up starts over', async () => {
    const id = await createContent('First text.');
    await client.db.updateTable('documents').set({ status: 'processing' }).where('id', '=', id).execute();
    await client.db
      .updateTable('processingJobs')
      .set({ lane: 'suspect', deaths: 5 })
      .where('documentId', '=', id)
      .execute();
    let worker: ReturnType<typeof start> | undefined;
    await client.db.transaction().execute(async (tx) => {
      await lockDocument(tx, id);
      worker = start();
      await untilBlocked();
      // What a change of the content does.
      await tx
        .updateTable('documents')
        .set({ status: 'created', attempts: 0 })
        .where('id', '=', id)
        .execute();
      await jobQueue.enqueue(tx, TENANT_UNIT.tenantId, [{ documentId: id, sizeBytes: 1 }]);
    });
    await untilStatus(id, 'ready');
    expect(await contentsOf(id)).toEqual(['First text.']);
    await worker?.stop();
    expect(await jobOf(id)).toBeUndefined();
  });

  /** A file that no worker reads after another one. */
  async function createOnlyJob(): Promise<string> {
    await client.db.deleteFrom('processingJobs').execute();
    return createFile();
  }

  test('that has been replaced does not supersede the attempt of the current one', async () => {
    const id = await createOnlyJob();
    const session = createWorkerSession(database.url, () => {});
    const lane = 'tiny' as const;
    const lastServed = [{ lane, tenantId: '' }];
    const claimed = await claimJobs(session, { lastServed, full: [], owner: 'late' });
    await session.end();
    expect(claimed?.jobs).toMatchObject([{ documentId: id }]);
    await app.services.documents.reprocess({ scope, documentId: id, unconditional: false }, nobody);
    const place = reads.length;
    const worker = start();
    const file = await waitFor(() => reads[place], { what: 'the file to be read' });
    const begun = await documentOf(id);

    const { signal } = new AbortController();
    const each = { processDocument, processTogether: async (jobs: ClaimedJob[]) => jobs };
    const runJobs = createRunJobs({ db: client.db, ...each, stopping: signal, aborting: signal, log });
    await runJobs(claimed as ClaimedBatch);
    expect(await documentOf(id)).toEqual(begun);
    file.end('From the file.');
    await untilStatus(id, 'ready');
    await worker.stop();
    expect(await jobOf(id)).toBeUndefined();
  });

  /** Takes a claim back, as a crash of the database does that loses it; its worker goes on. */
  async function loseClaim(documentId: string, db: Queryable = client.db): Promise<void> {
    await db
      .updateTable('processingJobs')
      .set({ leaseOwner: null, leaseExpiresTime: null })
      .where('documentId', '=', documentId)
      .execute();
  }
  const untilLeased = (documentId: string) =>
    waitFor(async () => (await jobOf(documentId))?.leaseOwner, { what: 'the job to be leased again' });

  test('whose claim a crash of the database has lost goes on, and is not begun again beside it', async () => {
    const id = await createOnlyJob();
    const place = reads.length;
    const worker = start();
    const file = await waitFor(() => reads[place], { what: 'the file to be read' });
    await loseClaim(id);
    await untilLeased(id);
    file.end('From the file.');
    await untilStatus(id, 'ready');
    await worker.stop();
    expect(await documentOf(id)).toMatchObject({ attempts: 1 });
    expect(reads).toHaveLength(place + 1);
    expect(await jobOf(id)).toBeUndefined();
  });

  test('whose claim was lost and whose document has new content meanwhile is run for that', async () => {
    const id = await createOnlyJob();
    const place = reads.length;
    const worker = start();
    const file = await waitFor(() => reads[place], { what: 'the file to be read' });
    await client.db.transaction().execute(async (tx) => {
      await loseClaim(id, tx);
      await tx
        .updateTable('documents')
        .set((eb) => ({ status: 'created', attempts: 0, revision: eb('revision', '+', 1) }))
        .where('id', '=', id)
        .execute();
      await jobQueue.enqueue(tx, TENANT_UNIT.tenantId, [{ documentId: id, sizeBytes: 1 }]);
    });
    await untilLeased(id);
    file.end('From the file.');
    const again = await waitFor(() => reads[place + 1], { what: 'the file to be read again' });
    again.end('From the new file.');
    await untilStatus(id, 'ready');
    await worker.stop();
    expect(await contentsOf(id)).toEqual(['From the new file.']);
    expect(await jobOf(id)).toBeUndefined();
  });

  test('is taken over by another worker; one without attempts left is recorded as failed', async () => {
    const [waiting, orphan, exhausted] = [
      await createContent('Nobody began with this.'),
      await createContent('Somebody died over this.'),
      await createContent('Five died over this.'),
    ];
    await leaveAs('dead-one', orphan);
    await leaveAs('dead-two', exhausted, { deaths: 4 });
    const worker = start();
    await untilStatus(waiting, 'ready');
    await untilStatus(orphan, 'ready');
    await untilStatus(exhausted, 'failed');
    await waitFor(async () => !(await jobOf(orphan)), { what: 'the job to end' });

    expect(await documentOf(orphan)).toMatchObject({ attempts: 2, error: null });
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
    await waitFor(async () => !(await jobOf(exhausted)), { what: 'the job to end' });

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
    for (let outages = 1; outages <= 7; outages++) {
      const job = await waitFor(async () => {
        const found = await jobOf(id);
        return found?.outages === outages && found;
      });
      expect(job).toEqual({ ...WAITING, outages, pause: expect.any(Number) });
      expect(await documentOf(id)).toMatchObject({
        status: 'processing',
        error: { code: 'storage_unavailable', stage: 'fetching', retryable: true },
      });
      if (outages === 7) storageIsAway = false;
      await client.pool.query('update processing_jobs set next_attempt_time = now() where document_id = $1', [
        id,
      ]);
    }
    const file = await waitFor(() => reads.find((stream) => !stream.writableEnded && !stream.destroyed));
    file.end('Read in the end.');
    await waitFor(async () => (await documentOf(id)).status === 'ready');
    expect(await contentsOf(id)).toEqual(['Read in the end.']);
    await worker.stop();
  });
});
