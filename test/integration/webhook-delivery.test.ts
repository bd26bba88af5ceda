import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import { type App, createApp } from '../../src/compose/compose.js';
import { readConfig } from '../../src/config/config.js';

import { jobQueue } from '../../src/ingestion/jobs/job-queue.js';
import { createCaller } from '../../src/routers/index.js';
import { type EventType, emitEvents } from '../../src/webhook-delivery/events.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { LECTERN } from '../support/run-command.js';
import { sandboxProgram } from '../support/sandbox-programs.js';
import { waitFor } from '../support/wait-for.js';
import { TENANT_UNIT, TIME, UUID } from './support/rest-client.js';
import { type Consumer, signatureOf, startConsumer } from './support/webhook-consumer.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });
const { tenantId, tenantUnitId } = TENANT_UNIT;

let database: TestDatabase;
let client: DatabaseClient;
let dataDir: string;
let app: App;
let consumer: Consumer;
const children: ChildProcess[] = [];
/** How far the services' clock is ahead. */
let ahead = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  client = connectUnscoped(database.url, { max: 2 });
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-files-'));
  app = await createTestApp();
  await app.start();
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await app?.close();
  await client?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

beforeEach(async () => {
  ahead = 0;
  consumer = await startConsumer();
});

afterEach(async () => {
  await client.db.deleteFrom('webhookSubscriptions').where('tenantId', '=', tenantId).execute();
  await consumer.stop();
});

const createTestApp = () =>
  createApp(
    { ...readConfig({}), port: 0, dataDir, ingestConcurrency: 1, fetchAllowHosts: ['127.0.0.1'] },
    {
      database: { url: database.url, description: 'test', stop: async () => {} },
      sandboxProgram,
      clock: () => new Date(Date.now() + ahead),
      log,
    },
  );

const api = () => createCaller({ services: app.services, actor: { userId: 'ada' } });

async function subscribe(
  eventTypes: EventType[],
  { url = consumer.url, scope = { tenantId } as { tenantId: string; tenantUnitId?: string } } = {},
) {
  const { id, secret } = await api().webhooks.create({ scope, url, eventTypes });
  return { secret, ref: { scope: { tenantId }, webhookId: id } };
}

const converse = (place = TENANT_UNIT) => api().conversations.create({ scope: place });
const deliveriesOf = async (ref: { scope: { tenantId: string }; webhookId: string }) =>
  (await api().webhooks.deliveries({ ...ref, pageSize: 100 })).items;

/** Waits until deliveries, the oldest first, are what is expected of them. */
async function expectDeliveries(ref: Parameters<typeof deliveriesOf>[0], expected: object[]): Promise<void> {
  await expect.poll(async () => (await deliveriesOf(ref)).reverse()).toMatchObject(expected);
}

test('that hang keep only a share of the deliveries, although their webhooks are deleted and made anew', async () => {
  const hanging = await startConsumer();
  hanging.state.answer = () => undefined;
  const other = { tenantId: 'zenith', tenantUnitId: 'north' };
  const { ref } = await subscribe(['conversation.created'], { scope: { tenantId: other.tenantId } });
  // An odd count in each webhook: what remains of the share is less than one claim.
  for (const open of [60, 100, 100]) {
    const made = [];
    for (let i = 0; i < 20; i++) made.push(await subscribe(['conversation.created'], { url: hanging.url }));
    for (let i = 0; i < 3; i++) await converse();
    await waitFor(() => hanging.open >= open, { what: `${open} deliveries that hang` });
    for (const { ref } of made) await api().webhooks.delete(ref);
  }
  await converse(other);
  await consumer.expectEvents(1);
  expect(hanging.mostOpen).toBe(100);
  await api().webhooks.delete({ ...ref, scope: { tenantId: other.tenantId } });
  await hanging.stop();
});

test('tells of a document from its creation to its deletion, in this order', async () => {
  const { ref, secret } = await subscribe(['document.created', 'document.ready', 'document.deleted']);
  const document = await api().documents.upsert({
    scope: TENANT_UNIT,
    externalId: 'handbook',
    documentName: 'handbook.txt',
    documentContent: 'Tea is served at five.',
  });
  await consumer.expectEvents(2);
  await api().documents.delete({ scope: { tenantId }, documentId: document.id });
  const received = await consumer.expectEvents(3);

  const facts = {
    tenantId,
    tenantUnitId,
    documentId: document.id,
    externalId: 'handbook',
    documentName: 'handbook.txt',
  };
  expect(received.map(({ body }) => body)).toEqual([
    {
      type: 'document.created',
      timestamp: TIME,
      data: { ...facts, status: 'created', chunkCount: 0 },
    },
    { type: 'document.ready', timestamp: TIME, data: { ...facts, status: 'ready', chunkCount: 1 } },
    { type: 'document.deleted', timestamp: TIME, data: { ...facts, status: 'ready', chunkCount: 1 } },
  ]);
  for (const event of received) {
    expect(event.signatures).toEqual([signatureOf(event, secret)]);
    expect(event.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'lectern',
      'webhook-id': UUID,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    });
  }
  await expectDeliveries(
    ref,
    received.map(({ id, body }) => ({
      eventId: id,
      eventType: body.type,
      payload: body,
      state: 'delivered',
      attempts: 1,
      lastStatus: 204,
      lastError: null,
      nextAttemptTime: null,
    })),
  );
});

test('tells of a document that failed, and why', async () => {
  await subscribe(['document.failed', 'document.ready']);
  const document = await api().documents.create({
    scope: TENANT_UNIT,
    documentType: 'UnstructuredFile',
    documentContent: ' ',
  });
  const [event] = await consumer.expectEvents(1);
  const { error } = await api().documents.get({ scope: TENANT_UNIT, documentId: document.id });
  expect(event?.body).toEqual({
    type: 'document.failed',
    timestamp: TIME,
    data: {
      tenantId,
      tenantUnitId,
      documentId: document.id,
      externalId: null,
      documentName: null,
      status: 'failed',
      chunkCount: 0,
      error: { code: error?.code, stage: error?.stage, message: error?.message },
    },
  });
  expect(error?.code).toBe('empty_text');
});

test('tells of a document whose processing was cancelled', async () => {
  await subscribe(['document.failed']);
  const now = new Date();
  // No job: nobody is faster than the cancellation.
  const document = {
    ...TENANT_UNIT,
    id: 'stopped',
    documentType: 'UnstructuredFile',
    source: 'content',
  } as const;
  await client.db
    .insertInto('documents')
    .values({ ...document, createdTime: now, updatedTime: now })
    .execute();
  await api().documents.cancel({ scope: TENANT_UNIT, documentId: 'stopped' });
  const [event] = await consumer.expectEvents(1);
  expect(event?.body.data).toMatchObject({
    documentId: 'stopped',
    status: 'failed',
    error: { code: 'cancelled', stage: 'waiting', message: expect.stringMatching(/was cancelled/) },
  });
});

test('tells of a document that ended its worker every time', async () => {
  await subscribe(['document.failed']);
  const now = new Date();
  await client.db.transaction().execute(async (tx) => {
    const document = {
      ...TENANT_UNIT,
      id: 'deadly',
      documentType: 'UnstructuredFile',
      status: 'processing',
    } as const;
    await tx
      .insertInto('documents')
      .values({ ...document, source: 'content', createdTime: now, updatedTime: now })
      .execute();
    await jobQueue.enqueue(tx, tenantId, [{ documentId: 'deadly', sizeBytes: 1 }]);
    await tx.updateTable('processingJobs').set({ deaths: 5 }).where('documentId', '=', 'deadly').execute();
  });
  const [event] = await consumer.expectEvents(1);
  expect(event?.body.data).toMatchObject({
    documentId: 'deadly',
    status: 'failed',
    error: { code: 'worker_died', stage: 'parsing' },
  });
});

test('tells of a page that is ready again because it has not changed', async () => {
  const page = http.createServer((request, response) => {
    if (request.headers['if-none-match'] === '"one"') response.writeHead(304).end();
    else
      response.writeHead(200, { 'content-type': 'text/plain', etag: '"one"' }).end('Tea is served at five.');
  });
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  await subscribe(['document.ready']);
  const { id: documentId } = await api().documents.create({
    scope: TENANT_UNIT,
    documentType: 'UnstructuredWebpage',
    url: `http://127.0.0.1:${(page.address() as AddressInfo).port}/`,
  });
  await consumer.expectEvents(1);
  await api().documents.reprocess({ scope: TENANT_UNIT, documentId });
  const [first, second] = await consumer.expectEvents(2);
  expect(second?.body).toEqual({ ...first?.body, timestamp: TIME });
  expect(second?.id).not.toBe(first?.id);
  page.closeAllConnections();
  page.close();
});

test('tells what becomes of a conversation', async () => {
  await subscribe(['conversation.created', 'conversation.status_changed', 'conversation.deleted']);
  const { id: conversationId } = await converse();
  await api().conversations.setStatus({ scope: TENANT_UNIT, conversationId, status: 'succeeded' });
  await api().conversations.delete({ scope: TENANT_UNIT, conversationId });
  const received = await consumer.expectEvents(3);
  const facts = { tenantId, tenantUnitId, conversationId };
  expect(received.map(({ body: { type, data } }) => [type, data])).toEqual([
    ['conversation.created', { ...facts, status: 'running' }],
    ['conversation.status_changed', { ...facts, from: 'running', status: 'succeeded' }],
    ['conversation.deleted', { ...facts, status: 'succeeded' }],
  ]);
});

test('tells nothing of other types, units and tenants, nor of what was undone', async () => {
  await subscribe(['conversation.created'], { scope: { tenantId, tenantUnitId: 'legal' } });
  await converse();
  await converse({ tenantId: 'globex', tenantUnitId: 'legal' });
  const wanted = await converse({ tenantId, tenantUnitId: 'legal' });
  await api().conversations.setStatus({ scope: { tenantId }, conversationId: wanted.id, status: 'failed' });
  const undone = client.db.transaction().execute(async (tx) => {
    const data = { conversationId: 'undone', status: null };
    await emitEvents(tx, tenantId, [{ type: 'conversation.created', tenantUnitId: 'legal', data }]);
    throw new Error('changed its mind');
  });
  await expect(undone).rejects.toThrow('changed its mind');
  await converse({ tenantId, tenantUnitId: 'legal' });
  const [first, second] = await consumer.expectEvents(2);
  expect(first?.body.data.conversationId).toBe(wanted.id);
  expect(second?.body.type).toBe('conversation.created');
});

test('two secrets sign while one is replaced by the other', async () => {
  const { ref, secret: old } = await subscribe(['conversation.created']);
  const brought = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const { secret, formerSecretUntil } = await api().webhooks.rotateSecret({ ...ref, secret: brought });
  expect(secret).toBe(brought);
  await converse();
  const [first] = await consumer.expectEvents(1);
  expect(first?.signatures).toEqual([signatureOf(first!, brought), signatureOf(first!, old)]);

  ahead = formerSecretUntil!.getTime() - Date.now() + SECOND;
  await converse();
  const [, second] = await consumer.expectEvents(2);
  expect(second?.signatures).toEqual([signatureOf(second!, brought)]);

  const { secret: made } = await api().webhooks.rotateSecret({ ...ref, overlapSeconds: 0 });
  await converse();
  const [, , third] = await consumer.expectEvents(3);
  expect(made).not.toBe(brought);
  expect(third?.signatures).toEqual([signatureOf(third!, made)]);
});

test('tries again what failed, with the same id and a new signature', async () => {
  const { ref, secret } = await subscribe(['conversation.created']);
  consumer.state.answer = () => ({ status: consumer.received.length === 1 ? 500 : 200 });
  await converse();
  await expectDeliveries(ref, [
    {
      state: 'pending',
      attempts: 1,
      lastStatus: 500,
      lastError: 'The consumer answered with status 500.',
    },
  ]);
  expect(await api().webhooks.replay({ ...ref, failedSince: new Date().toISOString() })).toEqual({
    replayed: 0,
  });
  ahead += 6 * SECOND;
  const [first, second] = await consumer.expectEvents(2);
  expect(second).toMatchObject({ id: first?.id, text: first?.text });
  expect(second!.timestamp).toBeGreaterThan(first!.timestamp);
  expect(second?.signatures).toEqual([signatureOf(second!, secret)]);
  await expectDeliveries(ref, [{ state: 'delivered', attempts: 2, lastStatus: 200, lastError: null }]);
});

test('tries again at once what failed, on demand', async () => {
  const { ref } = await subscribe(['conversation.created']);
  consumer.state.answer = () => ({ status: consumer.received.length === 1 ? 500 : 200 });
  await converse();
  await expectDeliveries(ref, [{ state: 'pending', attempts: 1 }]);
  const failedSince = new Date(Date.now() - HOUR).toISOString();
  expect(await api().webhooks.replay({ ...ref, failedSince })).toEqual({ replayed: 1 });
  await expectDeliveries(ref, [{ state: 'delivered', attempts: 1 }]);
});

test('gives up after ten tries, and sends again on demand', async () => {
  const { ref } = await subscribe(['conversation.created']);
  consumer.state.answer = () => ({ status: 400 });
  await converse();
  for (let attempts = 1; attempts < 10; attempts++) {
    await expectDeliveries(ref, [{ state: 'pending', attempts }]);
    ahead += 30 * HOUR;
  }
  await expectDeliveries(ref, [{ state: 'failed', attempts: 10, nextAttemptTime: null }]);
  expect(new Set(consumer.received.map(({ id }) => id)).size).toBe(1);

  consumer.state.answer = () => ({ status: 200 });
  const since = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
  expect(await api().webhooks.replay({ ...ref, failedSince: since(1) })).toEqual({ replayed: 0 });
  expect(await api().webhooks.replay({ ...ref, failedSince: since(-1) })).toEqual({ replayed: 1 });
  await expectDeliveries(ref, [{ state: 'delivered', attempts: 1 }]);
  // What was delivered can be sent again as well.
  const [delivery] = await deliveriesOf(ref);
  await api().webhooks.replay({ ...ref, deliveryId: delivery!.id });
  await consumer.expectEvents(12);
  expect(new Set(consumer.received.map(({ id }) => id)).size).toBe(1);
});

test('sends nothing to a consumer that is overloaded, as long as it wishes', async () => {
  const { ref } = await subscribe(['conversation.created']);
  consumer.state.answer = () =>
    consumer.received.length === 1 ? { status: 429, headers: { 'retry-after': '600' } } : { status: 200 };
  await converse();
  await expectDeliveries(ref, [{ state: 'pending', lastStatus: 429 }]);
  const { heldUntil } = await api().webhooks.get(ref);
  await converse();
  ahead += 500 * SECOND;
  const other = await startConsumer();
  await subscribe(['conversation.created'], { url: other.url });
  await converse();
  await other.expectEvents(1);
  await other.stop();
  expect(consumer.received).toHaveLength(1);
  ahead = heldUntil!.getTime() - Date.now() + SECOND;
  await consumer.expectEvents(4);
  expect(await api().webhooks.get(ref)).toMatchObject({ failures: 0, pausedTime: null });
});

test('pauses for a consumer that keeps failing, tries it once an hour, and goes on when it is well', async () => {
  const { ref } = await subscribe(['conversation.created']);
  consumer.state.answer = () => ({ status: 500 });
  for (let count = 0; count < 17; count++) await converse();
  await waitFor(async () => (await api().webhooks.get(ref)).pausedTime, { what: 'the webhook to be paused' });
  expect(await api().webhooks.get(ref)).toMatchObject({ enabled: true, failures: 15 });
  // What was on its way when the first tries failed is among them.
  expect(consumer.received).toHaveLength(15);

  ahead += HOUR + SECOND;
  await consumer.expectEvents(16);
  await waitFor(async () => (await api().webhooks.get(ref)).failures === 16, {
    what: 'the probe to be counted',
  });
  expect(consumer.received).toHaveLength(16);

  consumer.state.answer = () => ({ status: 200 });
  ahead += HOUR + SECOND;
  const allDelivered = async () => (await deliveriesOf(ref)).every(({ state }) => state === 'delivered');
  await waitFor(allDelivered, { what: 'all deliveries' });
  expect(await api().webhooks.get(ref)).toMatchObject({ failures: 0, pausedTime: null, heldUntil: null });
});

test('resumes by hand', async () => {
  const { ref } = await subscribe(['conversation.created']);
  const now = new Date(Date.now() + ahead);
  await client.db
    .updateTable('webhookSubscriptions')
    .set({ failures: 15, pausedTime: now, heldUntil: new Date(now.getTime() + HOUR) })
    .where('tenantId', '=', tenantId)
    .execute();
  await converse();
  await expect(api().webhooks.test(ref)).rejects.toThrow('disabled or paused');
  expect(await api().webhooks.resume(ref)).toMatchObject({ failures: 0, pausedTime: null, heldUntil: null });
  await consumer.expectEvents(1);
});

test('sends nothing more to a consumer that is gone, until it is enabled again', async () => {
  const { ref } = await subscribe(['conversation.created']);
  consumer.state.answer = () => ({ status: 410 });
  await converse();
  await expectDeliveries(ref, [
    {
      state: 'failed',
      attempts: 1,
      lastError: 'The consumer answered 410 Gone, so the subscription was disabled.',
    },
  ]);
  expect(await api().webhooks.get(ref)).toMatchObject({ enabled: false });
  await expect(api().webhooks.resume(ref)).rejects.toThrow('disabled');
  await converse();
  consumer.state.answer = () => ({ status: 200 });
  await api().webhooks.update({ ...ref, enabled: true });
  const { id } = await converse();
  const [, event] = await consumer.expectEvents(2);
  expect(event?.body.data.conversationId).toBe(id);
});

test('does not follow redirects', async () => {
  const other = await startConsumer();
  const { ref } = await subscribe(['conversation.created']);
  consumer.state.answer = () => ({ status: 307, headers: { location: other.url } });
  await converse();
  await expectDeliveries(ref, [{ state: 'pending', lastStatus: 307 }]);
  expect(other.received).toEqual([]);
  await other.stop();
});

test('events of one subject wait for each other, those of others do not', async () => {
  await subscribe(['conversation.created', 'conversation.status_changed']);
  const answers: (() => void)[] = [];
  consumer.state.answer = ({ body }) =>
    body.data.conversationId === slow.id
      ? new Promise((resolve) => answers.push(() => resolve({ status: 500 })))
      : { status: 200 };
  const slow = await converse();
  await api().conversations.setStatus({ scope: TENANT_UNIT, conversationId: slow.id, status: 'failed' });
  await waitFor(() => answers.length === 1, { what: 'the first event' });
  const quick = await converse();
  await api().conversations.setStatus({ scope: TENANT_UNIT, conversationId: quick.id, status: 'failed' });
  await consumer.expectEvents(3);
  expect(consumer.types()).toEqual([
    'conversation.created',
    'conversation.created',
    'conversation.status_changed',
  ]);
  // Tried once, it holds up nothing.
  answers[0]?.();
  await waitFor(() => answers.length === 2, { what: 'the second event of the slow one' });
  answers[1]?.();
});

test('a consumer that does not answer holds up no other', async () => {
  const silent = await startConsumer();
  silent.state.answer = () => undefined;
  await subscribe(['conversation.created'], { url: silent.url });
  await subscribe(['conversation.created']);
  for (let count = 0; count < 10; count++) await converse();
  await consumer.expectEvents(10);
  expect(silent.received.length).toBeLessThanOrEqual(4);
  await silent.stop();
});

test('several servers share the work: each event comes once, and those of one subject in their order', async () => {
  const other = await createTestApp();
  await other.start();
  await subscribe(['conversation.created', 'conversation.status_changed', 'conversation.deleted']);
  const conversations = await Promise.all(Array.from({ length: 10 }, () => converse()));
  for (const { id: conversationId } of conversations) {
    await api().conversations.setStatus({ scope: TENANT_UNIT, conversationId, status: 'failed' });
    await api().conversations.delete({ scope: TENANT_UNIT, conversationId });
  }
  const received = await consumer.expectEvents(30);
  await other.close();
  expect(new Set(received.map(({ id }) => id)).size).toBe(30);
  expect(received).toHaveLength(30);
  for (const { id } of conversations) {
    const own = received.filter(({ body }) => body.data.conversationId === id);
    expect(own.map(({ body }) => body.type)).toEqual([
      'conversation.created',
      'conversation.status_changed',
      'conversation.deleted',
    ]);
  }
});

test('what was under way in a server that is closed, another one sends', async () => {
  await subscribe(['conversation.created']);
  consumer.state.answer = () => undefined;
  await converse();
  const [first] = await consumer.expectEvents(1);
  await app.close();
  consumer.state.answer = () => ({ status: 200 });
  app = await createTestApp();
  await app.start();
  const [, second] = await consumer.expectEvents(2);
  expect(second).toMatchObject({ id: first?.id, text: first?.text });
});

test('what was under way in a server that is killed, another one sends', async () => {
  await app.close();
  const server = spawn(process.execPath, [LECTERN], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      FETCH_ALLOW_HOSTS: '127.0.0.1',
    },
    stdio: 'ignore',
  });
  children.push(server);
  // Delivers nothing itself until it is started.
  app = await createTestApp();
  const { ref } = await subscribe(['conversation.created']);
  consumer.state.answer = () => undefined;
  await converse();
  const [first] = await consumer.expectEvents(1);
  server.kill('SIGKILL');
  await once(server, 'exit');

  consumer.state.answer = () => ({ status: 200 });
  await app.start();
  // Nobody knows yet that the first one is dead.
  await expectDeliveries(ref, [{ state: 'pending', attempts: 0 }]);
  ahead += 60 * SECOND;
  const [, second] = await consumer.expectEvents(2);
  expect(second).toMatchObject({ id: first?.id, text: first?.text });
  await expectDeliveries(ref, [{ state: 'delivered', attempts: 1 }]);
});

test('events of a subject keep their order when the server that had claimed the first is killed, also in a long queue', async () => {
  await app.close();
  app = await createTestApp();
  const { ref } = await subscribe(['conversation.created', 'conversation.status_changed']);
  const { id: conversationId } = await converse();
  await client.db
    .updateTable('webhookDeliveries')
    .set({ claim: 'of a dead server', nextAttemptTime: new Date(Date.now() + 40 * SECOND) })
    .where('subscriptionId', '=', ref.webhookId)
    .execute();
  await api().conversations.setStatus({ scope: TENANT_UNIT, conversationId, status: 'failed' });
  await Promise.all(Array.from({ length: 120 }, () => converse()));

  ahead += 60 * SECOND;
  await app.start();
  const received = await consumer.expectEvents(122);
  const own = received.filter(({ body }) => body.data.conversationId === conversationId);
  expect(own.map(({ body }) => body.type)).toEqual(['conversation.created', 'conversation.status_changed']);
});

test('sends a test', async () => {
  const { ref, secret } = await subscribe(['document.ready']);
  const delivery = await api().webhooks.test(ref);
  const [event] = await consumer.expectEvents(1);
  expect(event).toMatchObject({
    id: delivery.eventId,
    body: { type: 'webhook.test', timestamp: TIME, data: { tenantId, webhookId: ref.webhookId } },
    signatures: [signatureOf(event!, secret)],
  });
});
