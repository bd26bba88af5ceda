import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { waitFor } from '../support/wait-for.js';
import { createFollower, type Follow } from './support/follow-conversation.js';
import { TENANT, TENANT_UNIT } from './support/rest-client.js';

const app = useApp({ authMode: 'required' });

const signedIn = async (fields: Parameters<typeof app.makeKey>[0] = {}) =>
  app.trpc({ 'x-api-key': (await app.makeKey(fields)).key });
const create = async () => (await (await signedIn()).conversations.create.mutate({ scope: TENANT_UNIT })).id;
const question = (fields: object = {}) => ({
  id: uuid(),
  messageFrom: 'user',
  content: 'Where is it?',
  ...fields,
});
const append = async (conversationId: string, messages: ReturnType<typeof question>[]) =>
  (await signedIn({ scopes: ['messages:write'] })).messages.append.mutate({
    scope: TENANT,
    conversationId,
    messages,
  });
const listed = async (conversationId: string) =>
  (await (await signedIn()).messages.list.query({ scope: TENANT, conversationId, pageSize: 100 })).items;

const { follow } = createFollower(app);

describe('a conversation that is followed', () => {
  test('begins with its newest messages, and goes on with those that are stored', async () => {
    const conversationId = await create();
    await append(
      conversationId,
      ['1', '2', '3'].map((content) => question({ content })),
    );
    const follower = await follow({ conversationId, last: 2 });
    await waitFor(() => follower.events.length > 0, { what: 'the newest messages' });
    expect(follower.contents()).toEqual(['2', '3']);

    await append(conversationId, [question({ content: '4' }), question({ content: '5' })]);
    await append(conversationId, [question({ content: 'earlier', requestedTime: '2020-01-01T00:00:00Z' })]);
    await waitFor(() => follower.contents().length === 5, { what: 'the new messages' });
    expect(follower.contents()).toEqual(['2', '3', '4', '5', 'earlier']);
    expect(follower.events.flatMap(({ messages }) => messages).toSorted(byTime)).toEqual(
      (await listed(conversationId)).filter(({ content }) => content !== '1').map(serialized),
    );
    follower.stop();
  });

  test('is taken up again after an event, with each message once', async () => {
    const conversationId = await create();
    const follower = await follow({ conversationId, last: 0 });
    await waitFor(() => follower.events.length > 0, { what: 'the beginning' });
    expect(follower.events).toEqual([{ id: '0', messages: [], texts: [] }]);
    await append(conversationId, [question({ content: '1' })]);
    await waitFor(() => follower.contents().length === 1, { what: 'the first message' });
    follower.stop();
    await append(
      conversationId,
      Array.from({ length: 45 }, (_, place) => question({ content: String(place + 2) })),
    );
    const lastEventId = follower.events.at(-1)?.id;
    expect(lastEventId).toBe('1');
    const again = await follow({ conversationId, lastEventId: lastEventId as string });
    await waitFor(() => again.contents().length === 45, { what: 'the other messages' });
    expect(again.contents()).toEqual(Array.from({ length: 45 }, (_, place) => String(place + 2)));
    expect(again.events.map(({ id }) => id)).toEqual(['21', '41', '46']);
    again.stop();
  });

  test('loses and repeats nothing of many writers, also for one who leaves and comes back', async () => {
    const conversationId = await create();
    const steady = await follow({ conversationId, last: 0 });
    await waitFor(() => steady.events.length > 0, { what: 'the beginning' });
    const write = async (writer: number) => {
      for (let call = 0; call < 15; call++) {
        const contents = Array.from({ length: 1 + (call % 4) }, (_, place) => `${writer}-${call}-${place}`);
        await append(
          conversationId,
          contents.map((content) =>
            question({ content, requestedTime: new Date(Date.UTC(2026, 0, 1, 0, 0, (call * 7) % 15)) }),
          ),
        );
      }
    };
    const writing = Promise.all([1, 2, 3, 4].map(write));
    const all = 4 * (3 * (1 + 2 + 3 + 4) + 1 + 2 + 3);
    const seen: string[] = [];
    for (let lastEventId = '0'; seen.length < all; ) {
      const restless = await follow({ conversationId, lastEventId });
      await waitFor(() => restless.events.length > 0, { what: 'some messages' });
      restless.stop();
      seen.push(...restless.contents());
      lastEventId = restless.events.at(-1)?.id ?? lastEventId;
    }
    await writing;
    await waitFor(() => steady.contents().length >= all, { what: 'all messages' });
    expect(new Set(seen).size).toBe(all);
    expect(seen).toEqual(steady.contents());
    steady.stop();
  });

  test('shows what the agent runtime inserts into the table', async () => {
    const conversationId = await create();
    const follower = await follow({ conversationId });
    await waitFor(() => follower.events.length > 0, { what: 'the beginning' });
    await append(conversationId, [question({ content: 'appended' })]);
    await waitFor(() => follower.contents().length === 1, { what: 'the appended message' });
    const row = {
      ...TENANT_UNIT,
      conversationId,
      agentId: 'a',
      userId: 'u',
      runId: 'r',
      messageFrom: 'agent',
    };
    await app.db
      .insertInto('messages')
      .values(
        ['second', 'third'].map((content, second) => ({
          ...row,
          id: uuid(),
          content,
          requestedTime: new Date(Date.UTC(2026, 0, 1, 0, 0, second)),
        })),
      )
      .execute();
    await waitFor(() => follower.contents().length === 3, { what: 'the inserted messages' });
    expect(follower.contents()).toEqual(['appended', 'second', 'third']);
    await append(conversationId, [question({ content: 'fourth' })]);
    await waitFor(() => follower.contents().length === 4, { what: 'the last message' });
    expect(follower.events.map(({ id }) => id)).toEqual(['0', '1', '3', '4']);
    follower.stop();
  });

  test('sends large messages one by one', async () => {
    const conversationId = await create();
    const follower = await follow({ conversationId });
    await waitFor(() => follower.events.length > 0, { what: 'the beginning' });
    const contents = Array.from({ length: 12 }, (_, place) => String(place).repeat(2 ** 19));
    const client = await signedIn({ scopes: ['messages:write'] });
    for (const content of contents)
      await client.messages.append.mutate({
        scope: TENANT,
        conversationId,
        messages: [question({ content, eventTrace: content })],
      });
    await waitFor(() => follower.contents().length === 12, { what: 'all messages' });
    expect(follower.contents()).toEqual(contents);
    follower.stop();
    const again = await follow({ conversationId, last: 20 });
    await waitFor(() => again.events.length > 0, { what: 'the newest message' });
    expect(again.contents()).toEqual(contents.slice(-1));
    again.stop();
  });

  test('ends when the conversation is deleted', async () => {
    const conversationId = await create();
    const follower = await follow({ conversationId });
    await waitFor(() => follower.events.length > 0, { what: 'the beginning' });
    await (await signedIn()).conversations.delete.mutate({ scope: TENANT, conversationId });
    await waitFor(() => follower.isOver(), { what: 'the end' });
    expect(follower.error()).toBeUndefined();
  });
});

describe('follow refuses', () => {
  const refusal = async (input: Follow, fields?: Parameters<typeof app.makeKey>[0]) => {
    const follower = await follow(input, fields);
    await waitFor(() => follower.error() !== undefined, { what: 'an error' });
    follower.stop();
    return follower.error();
  };
  const notFound = {
    data: { httpStatus: 404, detail: [{ loc: ['conversationId'], msg: 'Conversation not found.' }] },
  };

  test('a conversation that does not exist, or of another tenant or unit', async () => {
    const conversationId = await create();
    expect(await refusal({ conversationId: uuid() })).toMatchObject(notFound);
    const scope = { tenantId: 'acme', tenantUnitId: 'other' };
    expect(await refusal({ conversationId }, { scope })).toMatchObject(notFound);
    expect(await refusal({ conversationId }, { scopes: ['messages:write'] })).toMatchObject({
      data: { httpStatus: 403 },
    });
  });

  test('what is not the id of an event', async () => {
    const conversationId = await create();
    expect(await refusal({ conversationId, lastEventId: '1; drop' })).toMatchObject({
      data: { httpStatus: 422, detail: [{ loc: ['lastEventId'], msg: 'is not the id of an event' }] },
    });
  });
});

const serialized = (message: object) => JSON.parse(JSON.stringify(message));
const byTime = (a: any, b: any) => (a.requestedTime < b.requestedTime ? -1 : 1);
