import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { CONVERSATIONS, createRestClient, TENANT, TENANT_UNIT, TIME, UUID } from './support/rest-client.js';

const app = useApp({ authMode: 'required' });
const { call } = createRestClient(app);

type Client = ReturnType<typeof app.trpc>;
type Request = Parameters<Client['messages']['append']['mutate']>[0];

const signedIn = async (
  fields: Parameters<typeof app.makeKey>[0] = {},
  headers: Record<string, string> = {},
) => app.trpc({ 'x-api-key': (await app.makeKey(fields)).key, ...headers });
const runtime = (headers?: Record<string, string>) => signedIn({ scopes: ['messages:write'] }, headers);
const reader = () => signedIn({ scopes: ['conversations:read'] });

const create = async () => (await signedIn()).conversations.create.mutate({ scope: TENANT_UNIT });
const question = (fields: object = {}) => ({
  id: uuid(),
  messageFrom: 'user',
  content: 'Where is it?',
  ...fields,
});
const listed = async (conversationId: string) =>
  (await (await reader()).messages.list.query({ scope: TENANT, conversationId, pageSize: 100 })).items;
const contents = async (conversationId: string) =>
  (await listed(conversationId)).map(({ content }) => content);

const append = async (request: Omit<Request, 'scope'>) =>
  (await runtime()).messages.append.mutate({ scope: TENANT, ...request });
const refused = (httpStatus: number, loc: (string | number)[], msg?: string) => ({
  data: { httpStatus, detail: [msg === undefined ? { loc } : { loc, msg }] },
});

describe('messages that are appended', () => {
  test('are read over REST with every field that was given', async () => {
    const { key } = await app.makeKey();
    const headers = { 'x-api-key': key, 'x-user-id': 'ada' };
    const { id } = await call(201, 'POST', CONVERSATIONS, {
      headers,
      query: { tenant_id: 'acme', tenant_unit_id: 'sales' },
      body: {},
    });
    const asked = question({ requestedTime: '2026-03-01T10:00:00.123+01:00' });
    const answer = {
      id: 'answer-1',
      messageFrom: 'agent',
      content: 'On its way.',
      runId: 'run-1',
      requestedTime: '2026-03-01T09:00:05Z',
      agentId: 'support',
      userId: 'bob',
      inputTokens: 12,
      answerTokens: 4.5,
      feedback: 'up',
      metadata: { model: 'small', sources: [{ id: 1 }] },
      type: 'text',
      userType: 'employee',
      status: 'finished',
      eventTrace: '[{"event":"end"}]',
    };
    const client = app.trpc(headers);
    expect(
      await client.messages.append.mutate({ conversationId: id, messages: [asked, answer] }),
    ).toStrictEqual({ conversationId: id, isNewConversation: false, newIds: [asked.id, 'answer-1'] });
    const shared = {
      tenant_id: 'acme',
      tenant_unit_id: 'sales',
      conversation_id: id,
      created_by: 'ada',
      updated_by: 'ada',
      created_by_role: null,
      updated_by_role: null,
    };
    const { data } = await call(200, 'GET', `${CONVERSATIONS}/${id}/messages`, { headers });
    expect(data).toStrictEqual([
      {
        ...shared,
        id: asked.id,
        agent_id: '00000000-0000-0000-0000-000000000000',
        user_id: 'ada',
        run_id: asked.id,
        message_from: 'user',
        content: 'Where is it?',
        requested_time: '2026-03-01T09:00:00.123Z',
        input_tokens: 0,
        answer_tokens: 0,
        total_tokens: 0,
        feedback: null,
        metadata: null,
        type: null,
        user_type: null,
        status: null,
        event_trace: null,
      },
      {
        ...shared,
        id: 'answer-1',
        agent_id: 'support',
        user_id: 'bob',
        run_id: 'run-1',
        message_from: 'agent',
        content: 'On its way.',
        requested_time: '2026-03-01T09:00:05.000Z',
        input_tokens: 12,
        answer_tokens: 4.5,
        total_tokens: 16.5,
        feedback: 'up',
        metadata: { model: 'small', sources: [{ id: 1 }] },
        type: 'text',
        user_type: 'employee',
        status: 'finished',
        event_trace: '[{"event":"end"}]',
      },
    ]);
  });

  test('are stored once, however often and by however many they are sent', async () => {
    const { id: conversationId } = await create();
    const messages = [question({ content: 'one' }), question({ content: 'two' })];
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => append({ conversationId, messages, status: 'succeeded' })),
    );
    expect(answers.flatMap(({ newIds }) => newIds).sort()).toEqual(messages.map(({ id }) => id).sort());
    const third = question({ content: 'three' });
    expect((await append({ conversationId, messages: [...messages, third] })).newIds).toEqual([third.id]);
    expect(await contents(conversationId)).toEqual(['one', 'two', 'three']);
  });

  test('keep their order where they have the same time', async () => {
    const { id: conversationId } = await create();
    const requestedTime = '2026-03-01T09:00:00.000Z';
    // By id they would be the other way round.
    const ids = Array.from({ length: 60 }, () => uuid()).reverse();
    for (const place of [0, 20, 40]) {
      const messages = ids.slice(place, place + 20).map((id) => question({ id, content: id, requestedTime }));
      await append({ conversationId, messages });
    }
    const stored = await listed(conversationId);
    expect(stored.map(({ id }) => id)).toEqual(ids);
    expect(new Set(stored.map((message) => message.requestedTime))).toEqual(new Set([requestedTime]));
    const earlier = question({ content: 'earlier', requestedTime: '2026-03-01T08:59:59.999Z' });
    await append({ conversationId, messages: [earlier] });
    expect((await contents(conversationId))[0]).toBe('earlier');
  });

  test('may be as long as several megabytes together', async () => {
    const { id: conversationId } = await create();
    const messages = Array.from({ length: 6 }, (_, place) =>
      question({ content: `${place}${'é'.repeat(2 ** 20 - 1)}`, metadata: { text: '"'.repeat(100_000) } }),
    );
    expect((await append({ conversationId, messages })).newIds).toHaveLength(6);
    const [first] = (
      await (await reader()).messages.list.query({ scope: TENANT, conversationId, pageSize: 1 })
    ).items;
    expect([first?.content, first?.metadata]).toEqual([messages[0]?.content, { text: '"'.repeat(100_000) }]);
  });
});

describe('the conversation', () => {
  test('is created with its first messages where the request describes it', async () => {
    const scope = { tenantId: 'acme', tenantUnitId: 'new' };
    const writer = await runtime({ 'x-user-id': 'agent-host' });
    const conversation = { topic: 'A parcel', userId: 'ada', inputs: { order: 7 } };
    const first = question();
    const created = await writer.messages.append.mutate({
      scope,
      conversation,
      messages: [first],
      status: 'succeeded',
    });
    expect(created).toStrictEqual({ conversationId: UUID, isNewConversation: true, newIds: [first.id] });
    const { conversationId } = created;
    const client = await signedIn();
    expect(await client.conversations.list.query({ scope })).toMatchObject({
      totalCount: 1,
      items: [{ id: conversationId, topic: 'A parcel', userId: 'ada', status: 'succeeded', messageCount: 1 }],
    });
    const history = await client.conversations.statusHistory.query({ scope, conversationId });
    expect(history.items).toEqual([
      { fromStatus: 'running', toStatus: 'succeeded', changedTime: TIME, changedBy: 'agent-host' },
      { fromStatus: null, toStatus: 'running', changedTime: TIME, changedBy: 'agent-host' },
    ]);
    const { items } = await client.audit.list.query({ scope, subjectId: conversationId });
    expect(items.map(({ action }) => action)).toEqual(['conversations.setStatus', 'conversations.create']);
  });

  test('has the id that the request chooses, and is found by it from then on', async () => {
    const conversationId = `chat-${uuid()}`;
    const request = { conversationId, conversation: { topic: 'Mine' } };
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((content) => append({ ...request, messages: [question({ content })] })),
    );
    expect(answers.filter(({ isNewConversation }) => isNewConversation)).toHaveLength(1);
    expect((await contents(conversationId)).sort()).toEqual(['one', 'three', 'two']);
    const other = { ...request, conversation: { topic: 'Another' }, messages: [question()] };
    expect(await append(other)).toMatchObject({ conversationId, isNewConversation: false });
    const { topic } = await (await reader()).conversations.get.query({ scope: TENANT, conversationId });
    expect(topic).toBe('Mine');
  });

  test('has its status and version as before after a retry that comes late', async () => {
    const { id: conversationId } = await create();
    const client = await signedIn();
    const early = { conversationId, messages: [question()], status: 'running' as const };
    await append(early);
    await append({ conversationId, messages: [question()], status: 'succeeded' });
    const before = await client.conversations.get.query({ conversationId });
    expect(before.status).toBe('succeeded');
    expect((await append(early)).newIds).toEqual([]);
    await append({ conversationId, messages: [question()] });
    expect(await client.conversations.get.query({ conversationId })).toEqual(before);
  });

  test('of another tenant, another unit, or deleted is one that does not exist', async () => {
    const { id: conversationId } = await create();
    const { id: deleted } = await create();
    const client = await signedIn();
    await client.conversations.delete.mutate({ conversationId: deleted });
    const other = await signedIn({ scope: { tenantId: 'other' }, scopes: ['messages:write'] });
    const unit = await signedIn({
      scope: { ...TENANT, tenantUnitId: 'support' },
      scopes: ['messages:write'],
    });
    const attempts: [Client, string][] = [
      [other, conversationId],
      [unit, conversationId],
      [client, deleted],
      [client, 'none'],
    ];
    for (const [caller, id] of attempts) {
      await expect(
        caller.messages.append.mutate({ conversationId: id, messages: [question()] }),
      ).rejects.toMatchObject(refused(404, ['conversationId'], 'Conversation not found.'));
    }
    expect(await contents(conversationId)).toEqual([]);
  });
});

describe('nothing is stored', () => {
  test('of a request with an id that another message has', async () => {
    const { id: conversationId } = await create();
    const { id: elsewhere } = await create();
    const taken = question();
    await append({ conversationId, messages: [taken] });
    const conflict = refused(409, ['messages', 1, 'id']);
    const attempts = [
      { conversationId: elsewhere, messages: [question(), taken] },
      { conversationId, messages: [question(), { ...taken, content: 'Another text.' }] },
      { conversationId, messages: [question(), { ...taken, messageFrom: 'agent' }] },
      { conversation: { topic: 'Not created' }, messages: [question(), taken] },
    ];
    for (const attempt of attempts) await expect(append(attempt)).rejects.toMatchObject(conflict);
    expect([await contents(conversationId), await contents(elsewhere)]).toEqual([['Where is it?'], []]);
    const { items } = await (await reader()).conversations.list.query({ scope: TENANT, pageSize: 50 });
    expect(items.map(({ topic }) => topic)).not.toContain('Not created');
  });

  test.each<[string, object, (string | number)[]]>([
    ['no conversation', { messages: [question()] }, ['conversationId']],
    ['no messages', { conversationId: 'x', messages: [] }, ['messages']],
    [
      'too many messages',
      { conversationId: 'x', messages: Array.from({ length: 101 }, () => question()) },
      ['messages'],
    ],
    [
      'a text that is too long',
      { conversationId: 'x', messages: [question({ content: 'x'.repeat(2 ** 20 + 1) })] },
      ['messages', 0, 'content'],
    ],
    [
      'a negative number of tokens',
      { conversationId: 'x', messages: [question({ inputTokens: -1 })] },
      ['messages', 0, 'inputTokens'],
    ],
    [
      'an id twice',
      { conversationId: 'x', messages: [question(), question({ id: 'a' }), question({ id: 'a' })] },
      ['messages', 2, 'id'],
    ],
    [
      'a time that is none',
      { conversationId: 'x', messages: [question({ requestedTime: 'soon' })] },
      ['messages', 0, 'requestedTime'],
    ],
    ['a status that is none', { conversationId: 'x', messages: [question()], status: 'fine' }, ['status']],
  ])('of a request with %s', async (_, request, loc) => {
    await expect(append(request as never)).rejects.toMatchObject(refused(422, loc));
  });
});

describe('a key', () => {
  test('needs the permission, which no other includes, and which includes no other', async () => {
    const { id: conversationId } = await create();
    const others = await signedIn({ scopes: ['conversations:read', 'conversations:write'] });
    const request = { conversationId, messages: [question()] };
    await expect(others.messages.append.mutate(request)).rejects.toMatchObject({ data: { httpStatus: 403 } });
    const writer = await runtime();
    await expect(writer.messages.list.query({ conversationId })).rejects.toMatchObject({
      data: { httpStatus: 403 },
    });
    await expect(writer.conversations.create.mutate({ scope: TENANT_UNIT })).rejects.toMatchObject({
      data: { httpStatus: 403 },
    });
  });

  test('of some units chooses only ids that nobody can guess, and names the unit of a conversation', async () => {
    const scope = { ...TENANT, tenantUnitId: ['sales', 'support'] };
    const writer = await signedIn({ scope, scopes: ['messages:write'] });
    const { id: conversationId } = await create();
    const guessed = { conversationId, messages: [question(), question({ id: 'm-1' })] };
    await expect(writer.messages.append.mutate(guessed)).rejects.toMatchObject(
      refused(403, ['messages', 1, 'id']),
    );
    const chosen = { conversationId: 'c-1', conversation: {}, messages: [question()] };
    await expect(writer.messages.append.mutate(chosen)).rejects.toMatchObject(
      refused(403, ['conversationId']),
    );
    const unnamed = { conversation: {}, messages: [question()] };
    await expect(writer.messages.append.mutate(unnamed)).rejects.toMatchObject(
      refused(422, ['scope', 'tenantUnitId']),
    );
    const named = { scope: { tenantUnitId: 'support' }, conversationId: uuid(), ...unnamed };
    expect(await writer.messages.append.mutate(named)).toMatchObject({ isNewConversation: true });
  });
});
