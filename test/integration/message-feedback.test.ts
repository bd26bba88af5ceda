import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { waitFor } from '../support/wait-for.js';
import { createFollower } from './support/follow-conversation.js';
import { CONVERSATIONS, createRestClient, TENANT, TENANT_UNIT, TIME } from './support/rest-client.js';

const app = useApp({ authMode: 'required' });
const { call } = createRestClient(app);
const { follow } = createFollower(app);

const signedIn = async (fields: Parameters<typeof app.makeKey>[0] = {}, headers: object = {}) =>
  app.trpc({ 'x-api-key': (await app.makeKey(fields)).key, ...headers });
const NOT_GIVEN = { feedback: null, feedbackNote: null, feedbackBy: null, feedbackTime: null };

/** A conversation with a question and an answer, in a unit. */
async function converse(tenantUnitId: string = TENANT_UNIT.tenantUnitId) {
  const client = await signedIn();
  const [asked, answer] = [uuid(), uuid()];
  const { conversationId } = await client.messages.append.mutate({
    scope: { ...TENANT, tenantUnitId },
    conversation: {},
    messages: [
      { id: asked, messageFrom: 'user', content: 'Where is it?' },
      { id: answer, messageFrom: 'agent', content: 'Nowhere.', feedback: 'the user sighed' },
    ],
  });
  return { conversationId, asked, answer };
}
const listed = async (conversationId: string) =>
  (await (await signedIn()).messages.list.query({ scope: TENANT, conversationId })).items;
const errorOf = (request: Promise<unknown>) =>
  request.then(
    () => undefined,
    ({ data }) => ({ status: data.httpStatus, detail: data.detail }),
  );

describe('feedback on a message', () => {
  test('replaces what was there, and is shown with its note, author and time', async () => {
    const { conversationId, asked, answer } = await converse();
    const [question, before] = await listed(conversationId);
    expect(before).toMatchObject({ ...NOT_GIVEN, id: answer, feedback: 'the user sighed' });
    const zoe = await signedIn({ scopes: ['messages:write'] }, { 'x-user-id': 'zoe' });
    const ref = { scope: TENANT, conversationId, messageId: answer };
    const down = {
      feedback: 'down',
      feedbackNote: 'It is in the van.',
      feedbackBy: 'zoe',
      feedbackTime: TIME,
    } as const;
    expect(
      await zoe.messages.setFeedback.mutate({ ...ref, feedback: 'down', note: 'It is in the van.' }),
    ).toEqual({ messageId: answer, ...down });
    expect(await listed(conversationId)).toEqual([question, { ...before, ...down }]);

    const bob = await signedIn({ scopes: ['conversations:write'] }, { 'x-user-id': 'bob' });
    const up = { feedback: 'up', feedbackNote: null, feedbackBy: 'bob', feedbackTime: TIME } as const;
    expect(await bob.messages.setFeedback.mutate({ ...ref, feedback: 'up' })).toEqual({
      messageId: answer,
      ...up,
    });
    expect(await listed(conversationId)).toEqual([question, { ...before, ...up }]);

    expect(await bob.messages.setFeedback.mutate({ ...ref, feedback: null })).toEqual({
      messageId: answer,
      ...NOT_GIVEN,
    });
    expect(await listed(conversationId)).toEqual([question, { ...before, ...NOT_GIVEN }]);
    expect(question).toMatchObject({ id: asked, ...NOT_GIVEN });
  });

  test('is the feedback of REST, which has no other field for it', async () => {
    const { conversationId, answer } = await converse();
    const { key } = await app.makeKey();
    const read = async () =>
      (
        await call(200, 'GET', `${CONVERSATIONS}/${conversationId}/messages`, {
          query: { tenant_id: TENANT.tenantId },
          headers: { 'x-api-key': key },
        })
      ).data;
    const [question, before] = await read();
    const request = { scope: TENANT, conversationId, messageId: answer, feedback: 'down', note: 'No.' };
    await app.trpc({ 'x-api-key': key }).messages.setFeedback.mutate({ ...request, feedback: 'down' });
    expect(await read()).toStrictEqual([question, { ...before, feedback: 'down' }]);
  });

  test('comes to followers as the whole message again, also after a lost connection', async () => {
    const { conversationId, answer } = await converse();
    const follower = await follow({ conversationId });
    await waitFor(() => follower.contents().length === 2, { what: 'both messages' });
    const { id: lastEventId } = follower.events.at(-1) as { id: string };
    const client = await signedIn({}, { 'x-user-id': 'zoe' });
    const ref = { scope: TENANT, conversationId, messageId: answer };
    await client.messages.setFeedback.mutate({ ...ref, feedback: 'up', note: 'Yes!' });
    await waitFor(() => follower.contents().length === 3, { what: 'the message with its feedback' });
    const [, judged] = await listed(conversationId);
    expect(judged).toMatchObject({ feedback: 'up', feedbackNote: 'Yes!', feedbackBy: 'zoe' });
    const again = { id: '3', messages: [judged], texts: [] };
    expect(follower.events.at(-1)).toEqual(again);
    follower.stop();
    const late = await follow({ conversationId, lastEventId });
    await waitFor(() => late.events.length > 0, { what: 'what the late one missed' });
    expect(late.events).toEqual([again]);
    late.stop();
  });

  test('comes to followers of a message that is being written, which goes on', async () => {
    const { conversationId } = await converse();
    const client = await signedIn();
    const messageId = uuid();
    const ref = { scope: TENANT, conversationId, messageId };
    const message = { messageFrom: 'agent' };
    await client.messages.stream.mutate({ ...ref, part: 0, text: 'On its ', message });
    const follower = await follow({ conversationId });
    await waitFor(() => follower.shown().get(messageId) === 'On its ', { what: 'the beginning' });
    await client.messages.setFeedback.mutate({ ...ref, feedback: 'down' });
    await waitFor(() => follower.events.at(-1)?.messages[0]?.feedback === 'down', { what: 'the feedback' });
    await client.messages.stream.mutate({ ...ref, part: 1, text: 'way.', close: {} });
    await waitFor(() => follower.shown().get(messageId) === 'On its way.', { what: 'the end' });
    expect((await listed(conversationId)).at(-1)).toMatchObject({
      content: 'On its way.',
      status: null,
      feedback: 'down',
    });
    follower.stop();
  });

  test('numbers a message that was inserted by SQL', async () => {
    const { conversationId } = await converse();
    const id = uuid();
    await app.db
      .insertInto('messages')
      .values({
        ...TENANT_UNIT,
        id,
        conversationId,
        agentId: 'agent',
        userId: 'ada',
        runId: 'run',
        messageFrom: 'agent',
        content: 'By SQL.',
        requestedTime: new Date(),
      })
      .execute();
    const client = await signedIn();
    await client.messages.setFeedback.mutate({
      scope: TENANT,
      conversationId,
      messageId: id,
      feedback: 'up',
    });
    const follower = await follow({ conversationId, lastEventId: '2' });
    await waitFor(() => follower.contents().length > 0, { what: 'the message' });
    expect(follower.events[0]?.messages).toEqual([expect.objectContaining({ id, feedback: 'up' })]);
    follower.stop();
  });

  test('is audited without its note', async () => {
    const { conversationId, answer } = await converse();
    const { id: keyId, key } = await app.makeKey();
    const client = app.trpc({ 'x-api-key': key });
    const ref = { scope: TENANT, conversationId, messageId: answer };
    const given = await client.messages.setFeedback.mutate({ ...ref, feedback: 'down', note: 'A secret.' });
    expect(given.feedbackBy).toBe(keyId);
    const events = async (caller: typeof client) => {
      const { items } = await caller.audit.list.query({ scope: TENANT, subjectId: conversationId });
      return items
        .filter(({ action }) => action === 'messages.setFeedback')
        .map(({ subjectType, tenantUnitId, before, after }) => ({
          subjectType,
          tenantUnitId,
          before,
          after,
        }));
    };
    const event = {
      subjectType: 'conversation',
      tenantUnitId: TENANT_UNIT.tenantUnitId,
      before: null,
      after: { messageId: answer, feedback: 'down' },
    };
    expect(await events(client)).toEqual([event]);
    expect(await events(await signedIn({ scopes: ['keys:admin'] }))).toEqual([event]);
  });

  test('is stored once for one Idempotency-Key', async () => {
    const { conversationId, answer } = await converse();
    const { key } = await app.makeKey();
    const client = app.trpc({ 'x-api-key': key, 'idempotency-key': uuid() });
    const send = () =>
      client.messages.setFeedback.mutate({
        scope: TENANT,
        conversationId,
        messageId: answer,
        feedback: 'up',
      });
    expect(await send()).toEqual(await send());
    const { items } = await (await signedIn()).audit.list.query({
      scope: TENANT,
      subjectId: conversationId,
      action: 'messages.setFeedback',
    });
    expect(items).toHaveLength(1);
  });
});

describe('feedback is refused', () => {
  test('for what another tenant, another unit or nobody has', async () => {
    const one = await converse();
    const other = await converse();
    const elsewhere = await signedIn({ scope: { tenantId: 'other' } });
    const desk = await signedIn({ scope: { ...TENANT, tenantUnitId: 'desk' } });
    const own = await signedIn();
    const noConversation = {
      status: 404,
      detail: [{ type: 'not_found', loc: ['conversationId'], msg: 'Conversation not found.' }],
    };
    const noMessage = {
      status: 404,
      detail: [{ type: 'not_found', loc: ['messageId'], msg: 'Message not found.' }],
    };
    const before = [await listed(one.conversationId), await listed(other.conversationId)];
    for (const [client, conversationId, messageId, expected] of [
      [elsewhere, one.conversationId, one.answer, noConversation],
      [desk, one.conversationId, one.answer, noConversation],
      [own, 'none', one.answer, noConversation],
      [own, one.conversationId, other.answer, noMessage],
      [own, one.conversationId, 'none', noMessage],
    ] as const) {
      const request = { conversationId, messageId, feedback: 'down' } as const;
      expect(await errorOf(client.messages.setFeedback.mutate(request))).toEqual(expected);
    }
    expect([await listed(one.conversationId), await listed(other.conversationId)]).toEqual(before);
  });

  test('where the input is wrong', async () => {
    const { conversationId, answer } = await converse();
    const client = await signedIn();
    const ref = { scope: TENANT, conversationId, messageId: answer };
    const send = async (fields: object) => {
      const failure = await errorOf(
        client.messages.setFeedback.mutate({ ...ref, feedback: 'up', ...fields }),
      );
      return { status: failure?.status, loc: failure?.detail.map(({ loc }: { loc: string[] }) => loc) };
    };
    expect(await send({ feedback: 'good' })).toEqual({ status: 422, loc: [['feedback']] });
    expect(await send({ feedback: undefined })).toEqual({ status: 422, loc: [['feedback']] });
    expect(await send({ feedback: null, note: 'But why?' })).toEqual({ status: 422, loc: [['note']] });
    expect(await send({ note: 'x'.repeat(10_001) })).toEqual({ status: 422, loc: [['note']] });
    expect(await send({ note: 'a\0' })).toEqual({ status: 422, loc: [['note']] });
    expect((await listed(conversationId))[1]).toMatchObject({ ...NOT_GIVEN, feedback: 'the user sighed' });
    expect(await send({ note: '📦'.repeat(10_000) })).toEqual({ status: undefined, loc: undefined });
  });

  test('for a key that may only read', async () => {
    const { conversationId, answer } = await converse();
    const reader = await signedIn({ scopes: ['conversations:read', 'documents:write'] });
    const request = { scope: TENANT, conversationId, messageId: answer, feedback: 'up' } as const;
    expect(await errorOf(reader.messages.setFeedback.mutate(request))).toEqual({
      status: 403,
      detail: [
        {
          type: 'forbidden',
          loc: [],
          msg: 'This API key may not do this: it lacks the scope conversations:write or messages:write.',
        },
      ],
    });
  });
});
