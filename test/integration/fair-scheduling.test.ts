import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Logger, type Runner, run } from 'graphile-worker';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import { type App, createApp } from '../../src/compose.js';
import { readConfig } from '../../src/config.js';
import { createRenumberJobs } from '../../src/ingestion/jobs/job-order.js';
import { type DocumentKey, PROCESS_DOCUMENT } from '../../src/ingestion/jobs/job-queue.js';
import { createCaller } from '../../src/routers/index.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

/* The order in which documents are worked on. No worker of the service runs: the tests take jobs one by one. */

const FIRST = -30_000;

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
      log: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
    },
  );
  documents = createCaller({ services: app.services, actor: { userId: undefined } }).documents;
});

afterEach(async () => {
  await sql`delete from graphile_worker._private_jobs`.execute(client.db);
  await sql`delete from documents`.execute(client.db);
});

afterAll(async () => {
  await app?.close();
  await client?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const scopeOf = (tenantId: string) => ({ tenantId, tenantUnitId: 'unit' });

/** Queues documents `A0`, `A1` and so on for the tenant `A`. */
const queue = (tenantId: string, from: number, to = from) =>
  documents.createMany({
    scope: scopeOf(tenantId),
    documents: Array.from({ length: to - from + 1 }, (_, i) => ({
      id: `${tenantId}${from + i}`,
      documentContent: 'Small.',
    })),
  });

/** Works off that many documents, one after another, and tells which. */
async function take(count: number): Promise<string[]> {
  const taken: string[] = [];
  let runner: Runner | undefined;
  let stopped: Promise<void> | undefined;
  runner = await run({
    pgPool: client.pool,
    concurrency: 1,
    pollInterval: 10,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: {
      async [PROCESS_DOCUMENT](payload) {
        const { tenantId, documentId } = payload as DocumentKey;
        taken.push(documentId);
        await client.db
          .updateTable('documents')
          .set({ status: 'ready' })
          .where('tenantId', '=', tenantId)
          .where('id', '=', documentId)
          .execute();
        if (taken.length === count) stopped = runner?.stop();
      },
    },
  });
  await runner.promise;
  await stopped;
  return taken;
}

const jobs = () =>
  client.pool
    .query<{ id: string; priority: number }>(
      `select payload->>'documentId' as id, priority from graphile_worker._private_jobs order by priority, id`,
    )
    .then(({ rows }) => rows);
const changeJob = (documentId: string, change: string) =>
  client.pool.query(`update graphile_worker._private_jobs set ${change} where payload->>'documentId' = $1`, [
    documentId,
  ]);

describe('the order of documents', () => {
  test('is not that of one tenant alone, however much it has queued', async () => {
    await queue('A', 0, 999);
    await queue('A', 1000, 1999);
    expect(await take(5)).toEqual(['A0', 'A1', 'A2', 'A3', 'A4']);
    await queue('B', 0);
    expect(await take(3)).toEqual(['A5', 'B0', 'A6']);
  });

  test('is by turns; within a tenant it is the order of their coming', async () => {
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
    await documents.update({ scope: { tenantId: 'A' }, documentId: 'A0', documentContent: 'Other.' });
    await documents.reprocessMany({ scope: { tenantId: 'A' }, documentIds: ['A2', 'A1'] });
    expect(await jobs()).toEqual(before);
    expect(await take(3)).toEqual(['A0', 'A1', 'A2']);
  });

  test('puts a document that is tried again where it was, and nobody new beside it', async () => {
    await queue('A', 0, 9);
    await take(5);
    await changeJob('A9', `attempts = 1, priority = ${FIRST}`);
    await queue('B', 0, 2);
    expect(await take(8)).toEqual(['A9', 'A5', 'B0', 'A6', 'B1', 'A7', 'B2', 'A8']);
  });

  test('lets nobody overtake what is being worked on, should it fail', async () => {
    await queue('A', 0);
    await changeJob('A0', `attempts = 1, priority = ${FIRST + 50}, locked_by = 'worker', locked_at = now()`);
    await queue('B', 0, 2);
    await changeJob('A0', 'locked_by = null, locked_at = null');
    expect(await take(4)).toEqual(['A0', 'B0', 'B1', 'B2']);
  });

  test('begins with small numbers, goes back to them in time, and stays what it was', async () => {
    await queue('A', 0, 2);
    expect(await jobs()).toEqual([
      { id: 'A0', priority: FIRST },
      { id: 'A1', priority: FIRST + 1 },
      { id: 'A2', priority: FIRST + 2 },
    ]);
    const renumber = createRenumberJobs(client.db);
    await changeJob('A1', 'priority = priority + 40000');
    await changeJob('A2', 'priority = priority + 40010');
    await changeJob('A0', 'attempts = 1, priority = 7');
    const high = await jobs();
    await changeJob('A1', 'priority = 10000');
    await renumber();
    expect(await jobs()).toEqual([high[0], { id: 'A1', priority: 10_000 }, high[2]]);

    await changeJob('A1', 'priority = 10001');
    await renumber();
    expect(await jobs()).toEqual([
      { id: 'A0', priority: FIRST },
      { id: 'A1', priority: FIRST },
      { id: 'A2', priority: FIRST + 11 },
    ]);
    await queue('B', 0);
    expect(await take(4)).toEqual(['A0', 'A1', 'B0', 'A2']);
  });

  test('knows which documents are small, and counts those of a tenant apart', async () => {
    await documents.createMany({
      scope: scopeOf('A'),
      documents: [
        { id: 'small', documentContent: 'x'.repeat(256 * 1024) },
        { id: 'large', documentContent: 'x'.repeat(256 * 1024 + 1) },
        { id: 'page', url: 'https://pages.test/' },
      ],
    });
    const flagsOf = async () => {
      const { rows } = await client.pool.query<{ id: string; flags: object }>(
        `select payload->>'documentId' as id, flags from graphile_worker._private_jobs`,
      );
      return Object.fromEntries(rows.map(({ id, flags }) => [id, Object.keys(flags).sort()]));
    };
    const small = ['small:tenant:A'];
    const large = ['large', 'large:tenant:A'];
    expect(await flagsOf()).toEqual({ small, large, page: large });
    const scope = { tenantId: 'A' };
    await documents.update({ scope, documentId: 'small', documentContent: 'x'.repeat(300_000) });
    await documents.update({ scope, documentId: 'page', documentContent: 'Small now.' });
    expect(await flagsOf()).toEqual({ small: large, large, page: small });
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
    expect(queued.at(-1)?.priority).toBe(FIRST + 10_000);

    await documents.cancel({ scope: { tenantId }, documentId });
    expect(await jobs()).toHaveLength(10_000);
    await queue('B', 0);
    expect(await take(2)).toEqual([created[0]?.id, 'B0']);
  });
});
