import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import { permissions } from '../../src/auth/permissions.js';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { createApiKeys } from '../../src/services/api-keys/api-keys.js';
import { createWriteTransaction } from '../../src/services/shared/write-transaction.js';
import { type Consumer, startConsumer } from '../integration/support/webhook-consumer.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { waitFor, waitToHold } from '../support/wait-for.js';

/* Two servers share a database. The clock of one is an hour ahead, and is set back by two hours in the middle. */

const HOUR = 3_600_000;
const DOCUMENTS = '/admin/api/v1/documents';
const PRELOAD = pathToFileURL(path.resolve('test/support/shift-clock.js')).href;

let database: TestDatabase;
let client: DatabaseClient;
let folder: Awaited<ReturnType<typeof makeDataDir>>;
let consumer: Consumer;
let right: ServerProcess;
let wrong: ServerProcess;
let key: string;

beforeAll(async () => {
  [database, folder, consumer] = await Promise.all([
    createTestDatabase(),
    makeDataDir('clocks'),
    startConsumer(),
  ]);
  client = connectUnscoped(database.url, { max: 2 });
  const clock = () => new Date();
  const apiKeys = createApiKeys({
    db: client.db,
    writeTransaction: createWriteTransaction(client.db),
    clock,
    maxPageSize: 1,
  });
  const expiresTime = new Date(Date.now() + HOUR / 2);
  ({ key } = await apiKeys.create(
    { scope: { tenantId: 'acme' }, scopes: [...permissions], name: 'test', expiresTime },
    { userId: undefined },
  ));
  const env = {
    DATA_DIR: folder.dataDir,
    DATABASE_URL: database.url,
    AUTH_MODE: 'required',
    FETCH_ALLOW_HOSTS: '127.0.0.1',
  };
  right = await startServerProcess(env);
  wrong = await startServerProcess({
    ...env,
    NODE_OPTIONS: `--import ${PRELOAD}`,
    CLOCK_SHIFT_MS: String(HOUR),
  });
});

afterAll(async () => {
  await Promise.all([right?.end('SIGTERM'), wrong?.end('SIGTERM')]);
  await consumer?.stop();
  await client?.close();
  await database?.drop();
  await folder?.remove();
});

async function call(server: ServerProcess, procedure: string, input: object, idempotencyKey?: string) {
  const response = await fetch(`${server.address}/trpc/${procedure}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': key,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(input),
  });
  const body = (await response.json()) as any;
  expect({ status: response.status, body }).toMatchObject({ status: 200 });
  return body.result.data;
}

const create = (server: ServerProcess, id: string) =>
  call(server, 'documents.create', {
    scope: { tenantId: 'acme', tenantUnitId: 'sales' },
    id,
    documentType: 'UnstructuredFile',
    documentContent: `Text of ${id}.`,
  });

const deliveries = async () =>
  (
    await client.pool.query(
      'select subject_id as id, attempts, delivered_time is not null as done from webhook_deliveries order by 1',
    )
  ).rows;

test('servers whose clocks differ by hours take nothing from each other, and keep what is due', async () => {
  // So slowly that others could think that a delivery was given up.
  let held = 0;
  consumer.state.answer = async () => {
    held++;
    await waitFor(() => held >= 4, { what: 'several deliveries' });
    return { status: 204 };
  };
  await call(right, 'webhooks.create', {
    scope: { tenantId: 'acme' },
    url: consumer.url,
    eventTypes: ['document.ready'],
  });
  const ids = Array.from({ length: 8 }, (_, n) => `document-${n}`);
  await Promise.all(ids.map((id, n) => create(n % 2 ? right : wrong, id)));
  await waitToHold(async () =>
    expect(await deliveries()).toEqual(ids.map((id) => ({ id, attempts: 1, done: true }))),
  );
  expect(consumer.received.map(({ body }) => body.data.documentId).sort()).toEqual(ids);
  for (const { timestamp } of consumer.received) {
    expect(Math.abs(timestamp * 1_000 - Date.now())).toBeLessThan(HOUR / 4);
  }
});

test('a clock that is set back or forth delays nothing', async () => {
  wrong.signal('SIGUSR2');
  const idempotencyKey = crypto.randomUUID();
  const ids = Array.from({ length: 6 }, (_, n) => `later-${n}`);
  await Promise.all(ids.map((id) => create(wrong, id)));
  wrong.signal('SIGUSR2');
  await waitToHold(async () => {
    const done = (await deliveries()).filter(({ id }) => id.startsWith('later'));
    expect(done).toEqual(ids.map((id) => ({ id, attempts: 1, done: true })));
  });
  const scope = { tenantId: 'acme', tenantUnitId: 'sales' };
  const first = await call(wrong, 'conversations.create', { scope }, idempotencyKey);
  wrong.signal('SIGUSR2');
  expect(await call(wrong, 'conversations.create', { scope }, idempotencyKey)).toEqual(first);
  expect(await call(right, 'conversations.create', { scope }, idempotencyKey)).toEqual(first);
  const listed = await fetch(`${wrong.address}${DOCUMENTS}?tenantId=acme`, { headers: { 'x-api-key': key } });
  expect(listed.status).toBe(200);
});
