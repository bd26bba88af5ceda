import { type RawBuilder, sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EventType } from '../../src/webhook-delivery/events.js';
import { useApp } from '../support/app.js';
import { TENANT, TENANT_UNIT, TIME } from './support/rest-client.js';
import { type Consumer, startConsumer } from './support/webhook-consumer.js';

const PERIOD_MS = 30 * 60_000;
const app = useApp({ fetchAllowHosts: ['127.0.0.1'] });
const { tenantId } = TENANT;
let consumer: Consumer;

beforeEach(async () => {
  consumer = await startConsumer();
});

afterEach(async () => {
  await app.db.deleteFrom('webhookSubscriptions').where('tenantId', '=', tenantId).execute();
  await consumer.stop();
});

const messages = () => app.trpc().messages;
const subscribe = (eventTypes: EventType[], scope: { tenantId: string; tenantUnitId?: string } = TENANT) =>
  app.trpc().webhooks.create.mutate({ scope, url: consumer.url, eventTypes });
const create = async (scope = TENANT_UNIT) => (await app.trpc().conversations.create.mutate({ scope })).id;
const question = (fields: object = {}) => ({ id: uuid(), messageFrom: 'user', content: 'Where?', ...fields });
const append = (conversationId: string, ...appended: ReturnType<typeof question>[]) =>
  messages().append.mutate({ scope: TENANT, conversationId, messages: appended });
type Part = Parameters<ReturnType<typeof messages>['stream']['mutate']>[0];
const send = (part: Pick<Part, 'conversationId' | 'messageId' | 'part'> & Partial<Part>) =>
  messages().stream.mutate({
    scope: TENANT,
    text: 'On its way',
    ...(part.part === 0 && { message: { messageFrom: 'agent', runId: 'run-1' } }),
    ...part,
  });

/** The bodies of all events, once there are so many. */
const bodies = async (count: number) => (await consumer.expectEvents(count)).map(({ body }) => body);
/** The ids in the events `message.created`, once there are so many. */
const announced = async (count: number): Promise<string[][]> =>
  (await bodies(count)).map(({ data }) => data.messages.map(({ id }: { id: string }) => id));

const createdEvent = (conversationId: string, ...created: object[]) => ({
  type: 'message.created',
  timestamp: TIME,
  data: { ...TENANT_UNIT, conversationId, messages: created },
});

describe('message.created', () => {
  test('has all messages that an append has stored, between the events of its conversation', async () => {
    await subscribe(['conversation.created', 'message.created', 'conversation.status_changed']);
    const [asked, answered] = [
      question({ runId: 'run-1' }),
      question({ messageFrom: 'agent', status: 'done' }),
    ];
    const { conversationId } = await messages().append.mutate({
      scope: TENANT,
      conversation: {},
      messages: [asked, answered],
      status: 'succeeded',
    });
    expect(await bodies(3)).toEqual([
      expect.objectContaining({ type: 'conversation.created' }),
      {
        type: 'message.created',
        timestamp: TIME,
        data: {
          tenantId,
          tenantUnitId: 'default',
          conversationId,
          messages: [
            { id: asked.id, runId: 'run-1', messageFrom: 'user', status: null, sequence: 1 },
            { id: answered.id, runId: answered.id, messageFrom: 'agent', status: 'done', sequence: 2 },
          ],
        },
      },
      expect.objectContaining({ type: 'conversation.status_changed' }),
    ]);
  });

  test('has no message that was stored before', async () => {
    await subscribe(['message.created']);
    const conversationId = await create();
    const [first, second, third] = [question(), question(), question()];
    await append(conversationId, first);
    await append(conversationId, first);
    await append(conversationId, first, second);
    await append(conversationId, first, second);
    await append(conversationId, third);
    expect(await announced(3)).toEqual([[first.id], [second.id], [third.id]]);
  });

  test('comes when a message that is written in parts is closed', async () => {
    await subscribe(['message.created']);
    const conversationId = await create();
    const [long, short] = [uuid(), uuid()];
    await send({ conversationId, messageId: long, part: 0 });
    await send({ conversationId, messageId: long, part: 1 });
    await send({ conversationId, messageId: short, part: 0, close: {} });
    const last = { conversationId, messageId: long, part: 2, close: { status: 'done' } };
    await send(last);
    await send(last);
    const asked = question();
    await append(conversationId, asked);
    const created = { runId: 'run-1', messageFrom: 'agent' };
    expect(await bodies(3)).toEqual([
      createdEvent(conversationId, { ...created, id: short, status: null, sequence: 2 }),
      createdEvent(conversationId, { ...created, id: long, status: 'done', sequence: 3 }),
      expect.objectContaining({ type: 'message.created' }),
    ]);
    expect((await announced(3))[2]).toEqual([asked.id]);
  });

  test('comes when a message is closed as interrupted', async () => {
    await subscribe(['message.created']);
    const conversationId = await create();
    const messageId = uuid();
    await send({ conversationId, messageId, part: 0 });
    await app.db
      .updateTable('messages')
      .set({ writtenTime: new Date(Date.now() - 61_000) })
      .where('id', '=', messageId)
      .execute();
    const created = {
      id: messageId,
      runId: 'run-1',
      messageFrom: 'agent',
      status: 'interrupted',
      sequence: 2,
    };
    expect(await bodies(1)).toEqual([createdEvent(conversationId, created)]);
  });

  test('has up to 100 of the messages that an agent runtime has inserted by SQL', async () => {
    await subscribe(['message.created']);
    const conversationId = await create();
    const rows = Array.from({ length: 250 }, (_, place) => ({
      ...TENANT_UNIT,
      id: uuid(),
      conversationId,
      agentId: 'agent',
      userId: 'ada',
      runId: 'run-1',
      messageFrom: 'agent',
      content: 'secret',
      requestedTime: new Date(Date.UTC(2026, 2, 1) + place),
      status: 'x'.repeat(1_001),
    }));
    await app.db.insertInto('messages').values(rows).execute();
    const created = rows.map(({ id }, place) => ({
      id,
      runId: 'run-1',
      messageFrom: 'agent',
      status: 'x'.repeat(1_000),
      sequence: place + 1,
    }));
    expect(await bodies(3)).toEqual(
      [0, 100, 200].map((from) => createdEvent(conversationId, ...created.slice(from, from + 100))),
    );
    const whole = Array.from({ length: 100 }, () => question());
    await append(conversationId, ...whole);
    expect((await announced(4))[3]).toEqual(whole.map(({ id }) => id));
  });

  test('is sent only to webhooks that name it, for their units', async () => {
    await subscribe(['conversation.created', 'conversation.deleted']);
    await subscribe(['message.created'], { tenantId, tenantUnitId: 'sales' });
    const [legal, sales] = [await create({ tenantId, tenantUnitId: 'legal' }), await create()];
    await append(legal, question());
    await append(sales, question());
    for (const conversationId of [legal, sales])
      await app.trpc().conversations.delete.mutate({ scope: TENANT, conversationId });
    const events = await bodies(5);
    const typesOf = (id: string) =>
      events.filter(({ data }) => data.conversationId === id).map(({ type }) => type);
    expect(typesOf(legal)).toEqual(['conversation.created', 'conversation.deleted']);
    expect(typesOf(sales).sort()).toEqual([
      'conversation.created',
      'conversation.deleted',
      'message.created',
    ]);
    const refused = { data: { httpStatus: 422, detail: [{ loc: ['eventTypes'] }] } };
    await expect(subscribe([])).rejects.toMatchObject(refused);
    await expect(subscribe(undefined as never)).rejects.toMatchObject(refused);
  });
});

const timesOf = (id: string) =>
  app.db
    .selectFrom('conversations')
    .select(['lastMessageTime', 'idleCheckTime'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const inMs = ({ lastMessageTime, idleCheckTime }: Awaited<ReturnType<typeof timesOf>>) =>
  (idleCheckTime?.getTime() ?? 0) - (lastMessageTime?.getTime() ?? 0);
const expectPutOff = async (id: string) => expect.poll(async () => inMs(await timesOf(id))).toBe(PERIOD_MS);

const LONG_AGO: RawBuilder<Date> = sql`date_trunc('second', now()) - interval '31 min'`;
/** As if so much time had passed that the conversations are due. */
const letPass = (...ids: string[]) =>
  app.db
    .updateTable('conversations')
    .set({ lastMessageTime: LONG_AGO, idleCheckTime: LONG_AGO })
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
    .where('idleCheckTime', 'is not', null)
    .returning(['id', 'lastMessageTime'])
    .execute();

describe('conversation.idle', () => {
  test('comes once after the last message, and again after new ones', async () => {
    await subscribe(['conversation.idle']);
    const conversationId = await create();
    const asked = question();
    const expected = [];
    for (const one of [asked, question()]) {
      await append(conversationId, one);
      await expectPutOff(conversationId);
      const [passed] = await letPass(conversationId);
      expected.push({
        type: 'conversation.idle',
        timestamp: TIME,
        data: {
          ...TENANT_UNIT,
          conversationId,
          status: 'running',
          lastMessageTime: passed?.lastMessageTime?.toISOString(),
        },
      });
      expect(await bodies(expected.length)).toEqual(expected);
      expect(await timesOf(conversationId)).toEqual({
        lastMessageTime: passed?.lastMessageTime,
        idleCheckTime: null,
      });
      // A retry is no new message.
      await append(conversationId, asked);
      expect(await letPass(conversationId)).toEqual([]);
    }
  });

  test('waits for a message that is being written', async () => {
    await subscribe(['conversation.idle']);
    const conversationId = await create();
    const messageId = uuid();
    await append(conversationId, question());
    await send({ conversationId, messageId, part: 0 });
    await letPass(conversationId);
    await expect
      .poll(async () => (await timesOf(conversationId)).idleCheckTime?.getTime())
      .toBeGreaterThan(Date.now());
    expect(consumer.types()).toEqual([]);
    await send({ conversationId, messageId, part: 1, close: {} });
    await letPass(conversationId);
    expect((await bodies(1)).map(({ type }) => type)).toEqual(['conversation.idle']);
  });

  test('is sent only for units of the webhook', async () => {
    await subscribe(['conversation.idle'], { tenantId, tenantUnitId: 'sales' });
    const [legal, sales] = [await create({ tenantId, tenantUnitId: 'legal' }), await create()];
    for (const id of [legal, sales]) await append(id, question());
    await letPass(legal, sales);
    for (const id of [legal, sales])
      await expect.poll(async () => (await timesOf(id)).idleCheckTime).toBe(null);
    expect((await bodies(1)).map(({ data }) => data.conversationId)).toEqual([sales]);
  });

  test('is not sent for a conversation that is deleted', async () => {
    await subscribe(['conversation.idle']);
    const [deleted, other] = [await create(), await create()];
    for (const id of [deleted, other]) await append(id, question());
    await app.trpc().conversations.delete.mutate({ scope: TENANT, conversationId: deleted });
    await letPass(deleted, other);
    expect((await bodies(1)).map(({ data }) => data.conversationId)).toEqual([other]);
  });

  test('follows messages that an agent runtime has inserted by SQL', async () => {
    await subscribe(['conversation.idle']);
    const conversationId = await create();
    await app.db
      .insertInto('messages')
      .values({
        ...TENANT_UNIT,
        id: uuid(),
        conversationId,
        agentId: 'agent',
        userId: 'ada',
        runId: 'run-1',
        messageFrom: 'agent',
        content: 'Hello',
        requestedTime: new Date('2026-03-01T09:00:00Z'),
      })
      .execute();
    await expectPutOff(conversationId);
    await letPass(conversationId);
    expect((await bodies(1)).map(({ data }) => data.conversationId)).toEqual([conversationId]);
  });

  test('costs conversations nothing while no webhook subscribes', async () => {
    await subscribe(['message.created']);
    const conversationId = await create();
    await append(conversationId, question());
    await consumer.expectEvents(1);
    expect(await timesOf(conversationId)).toEqual({ lastMessageTime: null, idleCheckTime: null });
  });

  test('counts messages that came while the webhook was disabled', async () => {
    const { id: webhookId } = await subscribe(['conversation.idle']);
    const enable = (enabled: boolean) =>
      app.trpc().webhooks.update.mutate({ scope: TENANT, webhookId, enabled });
    const conversationId = await create();
    await enable(false);
    await append(conversationId, question());
    await enable(true);
    await letPass(conversationId);
    expect((await bodies(1)).map(({ type }) => type)).toEqual(['conversation.idle']);
  });
});

test('an import sends no events of messages, and its conversations are not checked for being idle', async () => {
  await subscribe(['message.created', 'conversation.idle']);
  const ids = [uuid(), uuid()];
  const time = '2026-03-01T10:00:00Z';
  const record = { agentId: 'support', userId: 'ada' };
  const toMessage = (place: number, sequence: number | null) => ({
    ...record,
    id: `imported-${place}-${sequence}`,
    runId: 'run-1',
    messageFrom: 'user',
    content: 'Where?',
    requestedTime: time,
    totalTokens: 7,
    sequence,
  });
  const conversations = ids.map((id, place) => ({
    ...record,
    ...TENANT_UNIT,
    id,
    createdTime: time,
    updatedTime: time,
    // Of the first two, one has no number; the file says nothing of the greatest one.
    messages: [toMessage(place, 5), toMessage(place, null), toMessage(place, 2)],
  }));
  const store = () => app.trpc().conversations.import.mutate({ scope: TENANT, conversations });
  expect(await store()).toEqual({ conversations: 2, messages: 6 });
  expect(await store()).toEqual({ conversations: 0, messages: 0 });
  const numbers = () =>
    app.db
      .selectFrom('messages')
      .select(['sequence', 'totalTokens'])
      .where('conversationId', '=', ids[0]!)
      .orderBy('sequence')
      .execute();
  expect((await numbers()).map((row) => [row.sequence, row.totalTokens])).toEqual([
    [2, 7],
    [5, 7],
    [6, 7],
  ]);
  for (const id of ids) expect(await timesOf(id)).toEqual({ lastMessageTime: null, idleCheckTime: null });
  expect(await letPass(...ids)).toEqual([]);

  // Later messages are news, and have the next numbers. All events before them would have come before.
  const asked = question();
  await append(ids[0]!, asked);
  await expectPutOff(ids[0]!);
  await letPass(...ids);
  const events = await bodies(2);
  expect(events.map(({ type, data }) => [type, data.conversationId])).toEqual([
    ['message.created', ids[0]],
    ['conversation.idle', ids[0]],
  ]);
  expect(events[0]?.data.messages).toEqual([
    { id: asked.id, runId: asked.id, messageFrom: 'user', status: null, sequence: 7 },
  ]);
  expect(await timesOf(ids[1]!)).toEqual({ lastMessageTime: null, idleCheckTime: null });
});
