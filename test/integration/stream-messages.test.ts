import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { waitFor } from '../support/wait-for.js';
import { createFollower } from './support/follow-conversation.js';
import { TENANT, TENANT_UNIT } from './support/rest-client.js';

const app = useApp({ authMode: 'required' });
const { follow } = createFollower(app);

const signedIn = async (fields: Parameters<typeof app.makeKey>[0] = {}) =>
  app.trpc({ 'x-api-key': (await app.makeKey(fields)).key });
const create = async () => (await (await signedIn()).conversations.create.mutate({ scope: TENANT_UNIT })).id;
type Request = Parameters<ReturnType<typeof app.trpc>['messages']['stream']['mutate']>[0];

/** The parts of a message, as the runtime of an agent sends them. */
async function writer(conversationId: string, messageId: string = uuid()) {
  const client = await signedIn({ scopes: ['messages:write'] });
  return {
    messageId,
    send: (part: number, text: string, fields: Partial<Request> = {}) =>
      client.messages.stream.mutate({
        scope: TENANT,
        conversationId,
        messageId,
        part,
        text,
        ...(part === 0 && { message: { messageFrom: 'agent' } }),
        ...fields,
      }),
  };
}
const listed = async (conversationId: string) =>
  (await (await signedIn()).messages.list.query({ scope: TENANT, conversationId, pageSize: 100 })).items;
const refused = (httpStatus: number, loc: (string | number)[], msg: string) => ({
  data: { httpStatus, detail: [{ loc, msg }] },
});

describe('a message that is written in parts', () => {
  test('is read as far as it is written, and as a whole once it is closed', async () => {
    const conversationId = await create();
    const { messageId, send } = await writer(conversationId);
    const message = {
      messageFrom: 'agent',
      runId: 'run-1',
      requestedTime: '2026-03-01T09:00:00Z',
      agentId: 'support',
      userId: 'ada',
      type: 'text',
      userType: 'employee',
    };
    expect(await send(0, 'On its ', { message })).toEqual({ messageId, parts: 1, isOpen: true });
    expect(await send(1, 'way 📦')).toEqual({ messageId, parts: 2, isOpen: true });
    const begun = {
      ...message,
      ...TENANT_UNIT,
      id: messageId,
      conversationId,
      content: 'On its way 📦',
      requestedTime: '2026-03-01T09:00:00.000Z',
      inputTokens: 0,
      answerTokens: 0,
      totalTokens: 0,
      feedback: null,
      feedbackNote: null,
      feedbackBy: null,
      feedbackTime: null,
      metadata: null,
      status: 'streaming',
      eventTrace: null,
      createdBy: null,
      updatedBy: null,
      createdByRole: null,
      updatedByRole: null,
    };
    const [open] = await listed(conversationId);
    expect(open).toEqual({ ...begun, createdBy: open?.createdBy, updatedBy: open?.updatedBy });
    const close = {
      status: 'done',
      inputTokens: 7,
      answerTokens: 3,
      metadata: { cited: ['c1'] },
      eventTrace: 'x',
    };
    expect(await send(2, '.', { close })).toEqual({ messageId, parts: 3, isOpen: false });
    expect(await listed(conversationId)).toEqual([
      { ...open, ...close, content: 'On its way 📦.', totalTokens: 10 },
    ]);
  });

  test('may be opened and closed by one part', async () => {
    const conversationId = await create();
    const { messageId, send } = await writer(conversationId);
    const whole = () => send(0, 'Short.', { close: { answerTokens: 2 } });
    expect(await whole()).toEqual({ messageId, parts: 1, isOpen: false });
    expect(await whole()).toEqual({ messageId, parts: 1, isOpen: false });
    expect(await listed(conversationId)).toMatchObject([{ content: 'Short.', status: null, totalTokens: 2 }]);
  });

  test('has each part once, however often and by however many it is sent', async () => {
    const conversationId = await create();
    const { messageId, send } = await writer(conversationId);
    const parts = ['a', 'b', 'c', 'd'];
    for (const [part, text] of parts.entries()) {
      const close = part === 3 ? { close: {} } : {};
      await Promise.all(Array.from({ length: 4 }, () => send(part, text, close)));
    }
    expect(await send(1, 'b')).toEqual({ messageId, parts: 4, isOpen: false });
    expect(await listed(conversationId)).toMatchObject([{ content: 'abcd', status: null }]);
  });

  test('is followed while it is written', async () => {
    const conversationId = await create();
    const follower = await follow({ conversationId });
    await waitFor(() => follower.events.length > 0, { what: 'the beginning' });
    const { messageId, send } = await writer(conversationId);
    const texts = ['It ', 'is ', '退货 ', '📦 ', 'on ', 'its ', 'way.'];
    for (const [part, text] of texts.entries()) {
      await send(part, text);
      const so = texts.slice(0, part + 1).join('');
      await waitFor(() => follower.shown().get(messageId) === so, { what: `“${so}”` });
    }
    expect(follower.events.filter(({ messages }) => messages.length > 0)).toHaveLength(1);

    const late = await follow({ conversationId });
    const again = await follow({ conversationId, lastEventId: follower.events.at(-1)?.id as string });
    for (const one of [late, again])
      await waitFor(() => one.shown().get(messageId) === texts.join(''), { what: 'what was written before' });
    await send(texts.length, ' Bye.', { close: { status: 'done' } });
    for (const one of [follower, late, again]) {
      await waitFor(() => one.events.at(-1)?.messages[0]?.status === 'done', { what: 'the end' });
      expect(one.shown()).toEqual(new Map([[messageId, `${texts.join('')} Bye.`]]));
      one.stop();
    }
  });

  test('is closed as interrupted when its writer is lost', async () => {
    const conversationId = await create();
    const follower = await follow({ conversationId });
    const { messageId, send } = await writer(conversationId);
    await send(0, 'It is on');
    await waitFor(() => follower.shown().size === 1, { what: 'the message' });
    const minuteAgo = new Date(Date.now() - 61_000);
    await app.db
      .updateTable('messages')
      .set({ writtenTime: minuteAgo })
      .where('id', '=', messageId)
      .execute();
    await waitFor(() => follower.events.at(-1)?.messages[0]?.status === 'interrupted', { what: 'the end' });
    follower.stop();
    expect(await send(0, 'It is on')).toEqual({ messageId, parts: 1, isOpen: false });
    await expect(send(1, ' its way')).rejects.toMatchObject(
      refused(
        409,
        ['messageId'],
        'This message was closed as interrupted, because no part came for 60 s; write a new one.',
      ),
    );
    expect(await listed(conversationId)).toMatchObject([{ content: 'It is on', status: 'interrupted' }]);
  });
});

describe('a part is refused', () => {
  test('without those before it, or after the last one', async () => {
    const conversationId = await create();
    const { send } = await writer(conversationId);
    await expect(send(1, 'b')).rejects.toMatchObject(refused(404, ['messageId'], 'Message not found.'));
    await send(0, 'a');
    await expect(send(2, 'c')).rejects.toMatchObject(
      refused(409, ['part'], 'Part 1 is missing; send the parts in their order.'),
    );
    await send(1, 'b', { close: {} });
    await expect(send(2, 'c')).rejects.toMatchObject(
      refused(409, ['messageId'], 'This message is closed; write a new one.'),
    );
    expect(await listed(conversationId)).toMatchObject([{ content: 'ab' }]);
  });

  test('where the message would become too long', async () => {
    const conversationId = await create();
    const { send } = await writer(conversationId);
    await send(0, '退'.repeat(2 ** 20 - 1));
    await send(1, '货');
    await expect(send(2, 'x')).rejects.toMatchObject(
      refused(422, ['text'], 'makes the message longer than 1,048,576 characters'),
    );
    await send(2, '', { close: {} });
    expect((await listed(conversationId))[0]?.content).toHaveLength(2 ** 20);
  });

  test('of a message that does not describe itself at first, or later again', async () => {
    const { send } = await writer(await create());
    const msg = 'belongs to part 0, and to no other';
    await expect(send(0, 'a', { message: undefined })).rejects.toMatchObject(refused(422, ['message'], msg));
    await expect(send(1, 'a', { message: { messageFrom: 'agent' } })).rejects.toMatchObject(
      refused(422, ['message'], msg),
    );
  });

  test('with the id of another message', async () => {
    const [one, other] = [await create(), await create()];
    const { messageId, send } = await writer(one);
    await send(0, 'a');
    const elsewhere = await writer(other, messageId);
    const message = 'Another message of this tenant has this id; use a new id for each message.';
    await expect(elsewhere.send(0, 'b')).rejects.toMatchObject(refused(409, ['messageId'], message));
    await expect(elsewhere.send(1, 'b')).rejects.toMatchObject(
      refused(404, ['messageId'], 'Message not found.'),
    );
    const appended = { id: uuid(), messageFrom: 'user', content: 'whole' };
    await (await signedIn()).messages.append.mutate({
      scope: TENANT,
      conversationId: one,
      messages: [appended],
    });
    const same = await writer(one, appended.id);
    await expect(same.send(0, 'whole')).rejects.toMatchObject(refused(409, ['messageId'], message));
    expect(await listed(other)).toEqual([]);
  });

  test('of another tenant, another unit, or a conversation that is deleted', async () => {
    const conversationId = await create();
    const { messageId, send } = await writer(conversationId);
    await send(0, 'a');
    const notFound = refused(404, ['conversationId'], 'Conversation not found.');
    const keys = [{ tenantId: 'other' }, { tenantId: 'acme', tenantUnitId: 'other' }];
    for (const scope of keys) {
      const client = await signedIn({ scope, scopes: ['messages:write'] });
      for (const part of [0, 1])
        await expect(
          client.messages.stream.mutate({
            scope,
            conversationId,
            messageId: part === 0 ? uuid() : messageId,
            part,
            text: 'taken',
            ...(part === 0 && { message: { messageFrom: 'agent' } }),
            close: {},
          }),
        ).rejects.toMatchObject(notFound);
    }
    await (await signedIn()).conversations.delete.mutate({ scope: TENANT, conversationId });
    await expect(send(1, 'b', { close: {} })).rejects.toMatchObject(notFound);
    await expect(send(0, 'b')).rejects.toMatchObject(notFound);
  });

  test('of a key of some units with an id that could be guessed', async () => {
    const conversationId = await create();
    const scope = { tenantId: 'acme', tenantUnitId: 'sales' };
    const client = await signedIn({ scope, scopes: ['messages:write'] });
    const request = {
      scope,
      conversationId,
      messageId: 'answer-1',
      part: 0,
      text: 'a',
      message: { messageFrom: 'a' },
    };
    await expect(client.messages.stream.mutate(request)).rejects.toMatchObject(
      refused(403, ['messageId'], 'This API key is for some units: it may choose only UUIDs as ids.'),
    );
    expect(await client.messages.stream.mutate({ ...request, messageId: uuid() })).toMatchObject({
      parts: 1,
    });
  });
});
