import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { type Answer, useApp } from '../support/app.js';
import { blockedStatements } from '../support/blocked-statements.js';
import { waitFor } from '../support/wait-for.js';
import {
  CONVERSATIONS,
  createRestClient,
  DOCUMENTS,
  externalPath,
  TENANT,
  TENANT_UNIT,
} from './support/rest-client.js';

const app = useApp();
const { call } = createRestClient(app);
const { databasePools } = readConfig({});
const impatient = useApp({ databasePools: { ...databasePools, connectionTimeoutMs: 1_000 } });

const OTHER_TENANT = { tenant_id: 'zenith' };

test('blocked writes of one tenant do not exhaust the connection pool', async () => {
  const externalId = 'contested';
  const upsert = () =>
    app.request('PUT', externalPath(externalId), { query: TENANT, body: { externalId, ...TENANT_UNIT } });
  const lock = JSON.stringify([TENANT_UNIT.tenantId, TENANT_UNIT.tenantUnitId, externalId]);
  const waiting = await app.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
    const upserts = Array.from({ length: 40 }, upsert);
    for (let i = 0; i < 20; i++) {
      await call(201, 'POST', CONVERSATIONS, { query: OTHER_TENANT });
      await call(200, 'GET', CONVERSATIONS, { query: { tenant_id: 'acme' } });
    }
    return { upserts };
  });
  const answers = await Promise.all(waiting.upserts);
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
});

test('slow reads of one tenant do not exhaust the connection pool', async () => {
  const { reads } = await whileDocumentsAreLocked(app, async () => {
    const reads = Array.from({ length: 40 }, () => app.get(DOCUMENTS, TENANT));
    await waitForBlockedStatements(app);
    for (let i = 0; i < 20; i++) await call(200, 'GET', CONVERSATIONS, { query: OTHER_TENANT });
    await call(201, 'POST', CONVERSATIONS, { query: OTHER_TENANT });
    return { reads };
  });
  expect(statusesOf(await Promise.all(reads))).toEqual(Array(40).fill(200));
});

test('a read that waits too long for the slow reads of its tenant is answered 503', async () => {
  const { reads, refused } = await whileDocumentsAreLocked(impatient, async () => {
    const reads = Array.from({ length: 8 }, () => impatient.get(DOCUMENTS, TENANT));
    return { reads, refused: await Promise.race(reads) };
  });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('2');
  expect(refused.body).toEqual({
    detail: [
      {
        loc: [],
        msg: 'All connections to the database are in use; try again in a moment.',
        type: 'unavailable',
      },
    ],
  });
  expect(statusesOf(await Promise.all(reads)).filter((status) => status === 200)).toHaveLength(7);
  await expect(impatient.get(DOCUMENTS, TENANT)).resolves.toMatchObject({ status: 200 });
});

const statusesOf = (answers: Answer[]): number[] => answers.map(({ status }) => status);

/** Reads of documents wait meanwhile; those of conversations do not. */
const whileDocumentsAreLocked = <T>({ db }: ReturnType<typeof useApp>, work: () => Promise<T>): Promise<T> =>
  db.transaction().execute(async (tx) => {
    await sql`lock table documents in access exclusive mode`.execute(tx);
    return await work();
  });

const waitForBlockedStatements = ({ db }: ReturnType<typeof useApp>): Promise<unknown> =>
  waitFor(async () => (await blockedStatements(db)).length > 2);
