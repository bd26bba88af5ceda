import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Queryable } from '../../db/schema.js';
import { readConfig } from '../../src/config/config.js';
import { acquireLock } from '../../src/services/shared/advisory-lock.js';
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
const guarded = useApp({ authMode: 'required' });
const impatient = useApp({ databasePools: { ...databasePools, connectionTimeoutMs: 1_000 } });

const OTHER_TENANT = { tenant_id: 'zenith' };

test('blocked writes of one tenant do not exhaust the connection pool', async () => {
  const contested = { externalId: 'contested', ...TENANT_UNIT };
  const upsert = () => app.request('PUT', externalPath('contested'), { query: TENANT, body: contested });
  const waiting = await app.db.transaction().execute(async (tx) => {
    await lockExternalId(tx, contested);
    const upserts = Array.from({ length: 40 }, upsert);
    await waitForBlockedStatements(app);
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

test('a key is revoked at once while its writes wait, and those that have not begun are dropped', async () => {
  const [writer, admin] = [await guarded.makeKey(), await guarded.makeKey()];
  const headers = { 'x-api-key': writer.key };
  const client = guarded.trpc({ 'x-api-key': admin.key });
  const contested = { externalId: 'contested', ...TENANT_UNIT };
  await guarded.db.transaction().execute(async (tx) => {
    await lockExternalId(tx, contested);
    const upserts = Array.from({ length: 5 }, () =>
      guarded.request('PUT', externalPath('contested'), { query: TENANT, body: contested, headers }),
    );
    await expect.poll(() => blockedStatements(guarded.db)).toHaveLength(5);
    const creates = Array.from({ length: 3 }, () =>
      guarded.request('POST', CONVERSATIONS, { query: { tenant_id: 'acme' }, headers }),
    );
    const answers = Promise.allSettled([...upserts, ...creates]);
    await client.apiKeys.revoke.mutate({ scope: TENANT, keyId: writer.id });
    const outcomes = (await answers).map((one) =>
      one.status === 'fulfilled' ? one.value.status : 'dropped',
    );
    expect(outcomes.slice(0, 5)).toEqual(Array(5).fill('dropped'));
    // A request may come after the key was revoked.
    expect(outcomes.slice(5).filter((one) => one !== 401 && one !== 'dropped')).toEqual([]);
  });
  // The tenant has its turns for writes again when those that were blocked have ended.
  await client.conversations.create.mutate({ scope: TENANT_UNIT, topic: 'The next' });
  const { items } = await client.conversations.list.query({ scope: TENANT });
  expect(items.map(({ topic }) => topic)).toEqual(['The next']);
});

/** Upserts of it wait until the transaction ends. */
const lockExternalId = (tx: Queryable, id: { tenantId: string; tenantUnitId: string; externalId: string }) =>
  acquireLock(tx, 'external-id', id.tenantId, id.tenantUnitId, id.externalId);

const statusesOf = (answers: Answer[]): number[] => answers.map(({ status }) => status);

/** Reads of documents wait meanwhile; those of conversations do not. */
const whileDocumentsAreLocked = <T>({ db }: ReturnType<typeof useApp>, work: () => Promise<T>): Promise<T> =>
  db.transaction().execute(async (tx) => {
    await sql`lock table documents in access exclusive mode`.execute(tx);
    return await work();
  });

const waitForBlockedStatements = ({ db }: ReturnType<typeof useApp>): Promise<unknown> =>
  waitFor(async () => (await blockedStatements(db)).length > 2);
