import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { createLectern } from '../../src/client/create-lectern.js';
import { conversationListChanges } from '../../src/derived-data/list-changes.js';
import { writeCounts } from '../../src/derived-data/write-counts.js';
import { useApp } from '../support/app.js';

const app = useApp();
const guarded = useApp({ authMode: 'required' }, { beside: app });
const RED = '#ff0000';
const FIRST = Date.parse('2026-01-01T00:00:00.000Z');

/** Conversations of a tenant of their own, a second apart, every second one in unit `hr`. */
async function addConversations(count: number) {
  const scope = { tenantId: `tenant-${uuid()}` };
  const rows = Array.from({ length: count }, (_, n) => ({
    ...scope,
    tenantUnitId: n % 2 === 0 ? 'sales' : 'hr',
    id: `conversation ${n}`,
    agentId: 'agent',
    userId: `user ${n % 3}`,
    agentMode: 'chat',
    status: 'running' as const,
    createdTime: new Date(FIRST + n * 1_000),
    updatedTime: new Date(FIRST + n * 1_000),
  }));
  const made = await app.db.insertInto('conversations').values(rows).returningAll().execute();
  await writeCounts(app.db, { lists: conversationListChanges({ after: made }) });
  return scope;
}

const idsFrom = (...numbers: number[]) => numbers.map((n) => `conversation ${n}`);
const idsOf = (changed: { conversationId: string }[]) => changed.map((one) => one.conversationId);
const before = { status: 'running', assignmentId: null, labels: [] };

describe('a step', () => {
  test('sets the status of what matches, with history, audit log, events and counters', async () => {
    const scope = await addConversations(6);
    const { conversations, audit, webhooks } = app.trpc({ 'x-user-id': 'ann' });
    const hook = await webhooks.create.mutate({
      scope,
      url: 'https://pages.test/hook',
      eventTypes: ['conversation.status_changed'],
    });
    await conversations.setStatus.mutate({ scope, conversationId: 'conversation 3', status: 'failed' });
    const change = { action: 'setStatus', status: 'failed' } as const;
    const step = await conversations.bulk.mutate({ scope, filter: { userId: 'user 0' }, change });
    const changed = [{ conversationId: 'conversation 0', version: 2, before }];
    // Number 3 was so before.
    expect(step).toEqual({ changed, skipped: [], next: null });
    expect(await conversations.bulk.mutate({ scope, filter: { userId: 'user 0' }, change })).toEqual({
      changed: [],
      skipped: [],
      next: null,
    });
    const ref = { scope, conversationId: 'conversation 0' };
    expect((await conversations.statusHistory.query(ref)).items).toEqual([
      { fromStatus: 'running', toStatus: 'failed', changedTime: expect.any(String), changedBy: 'ann' },
    ]);
    const { items } = await audit.list.query({ scope, subjectId: 'conversation 0' });
    expect(items.map(({ action, before: was, after, userId }) => ({ action, was, after, userId }))).toEqual([
      {
        action: 'conversations.bulk',
        was: { status: 'running' },
        after: { status: 'failed' },
        userId: 'ann',
      },
    ]);
    const { items: deliveries } = await webhooks.deliveries.query({ scope, webhookId: hook.id });
    expect(deliveries.map(({ payload }: any) => payload.data)).toContainEqual({
      ...scope,
      tenantUnitId: 'sales',
      conversationId: 'conversation 0',
      from: 'running',
      status: 'failed',
    });
    const failed = await conversations.list.query({ scope, statuses: ['failed'], order: 'oldest' });
    expect([failed.items.map(({ id }) => id), failed.totalCount]).toEqual([idsFrom(0, 3), 2]);
  });

  test('assigns, labels and deletes', async () => {
    const scope = await addConversations(4);
    const { conversations, labels } = app.trpc();
    const [one, two] = [
      (await labels.create.mutate({ scope, name: 'one', color: RED })).id,
      (await labels.create.mutate({ scope, name: 'two', color: RED })).id,
    ] as [string, string];
    await conversations.setLabels.mutate({ scope, conversationId: 'conversation 1', add: [two] });
    const bulk = (filter: object, change: any) => conversations.bulk.mutate({ scope, filter, change });
    expect(await bulk({}, { action: 'setLabels', add: [one], remove: [two] })).toEqual({
      changed: idsFrom(0, 1, 2, 3).map((conversationId, n) => ({
        conversationId,
        version: n === 1 ? 3 : 2,
        before: { ...before, labels: n === 1 ? [two] : [] },
      })),
      skipped: [],
      next: null,
    });
    expect((await conversations.list.query({ scope, labels: [one] })).totalCount).toBe(4);
    expect((await conversations.list.query({ scope, labels: [two] })).totalCount).toBe(0);
    const late = { createdFrom: new Date(FIRST + 2_000).toISOString() };
    const assigned = await bulk({ ...late, labels: [one] }, { action: 'assign', assignmentId: 'desk' });
    expect(assigned.changed).toEqual(
      idsFrom(2, 3).map((conversationId) => ({
        conversationId,
        version: 3,
        before: { ...before, labels: [one] },
      })),
    );
    expect((await conversations.list.query({ scope, assignmentId: 'desk' })).totalCount).toBe(2);
    const deleted = await bulk({ assignmentId: 'desk' }, { action: 'delete' });
    expect(deleted.changed).toEqual(
      idsFrom(2, 3).map((conversationId) => ({
        conversationId,
        version: 3,
        before: { status: 'running', assignmentId: 'desk', labels: [one] },
      })),
    );
    const left = await conversations.list.query({ scope, order: 'oldest' });
    expect([left.items.map(({ id }) => id), left.totalCount]).toEqual([idsFrom(0, 1), 2]);
  });

  test('leaves alone what would have too many labels', async () => {
    const scope = await addConversations(2);
    const { conversations, labels } = app.trpc();
    const ids: string[] = [];
    for (let n = 0; n < 21; n += 1)
      ids.push((await labels.create.mutate({ scope, name: `${n}`, color: RED })).id);
    const add = ids.slice(0, 20);
    await conversations.setLabels.mutate({ scope, conversationId: 'conversation 0', add });
    const change = { action: 'setLabels', add: ids.slice(20) } as const;
    const step = await conversations.bulk.mutate({ scope, filter: {}, change });
    expect(step).toEqual({
      changed: [{ conversationId: 'conversation 1', version: 2, before }],
      skipped: ['conversation 0'],
      next: null,
    });
  });

  test('stays in the tenant, in the units of the key and within its permissions', async () => {
    const [own, foreign] = [await addConversations(4), await addConversations(4)];
    const change = { action: 'assign', assignmentId: 'desk' } as const;
    const callerOf = async (key: object) => guarded.trpc({ 'x-api-key': (await guarded.makeKey(key)).key });
    const sales = await callerOf({ scope: { ...own, tenantUnitId: 'sales' } });
    const step = await sales.conversations.bulk.mutate({ scope: own, filter: {}, change });
    expect(idsOf(step.changed)).toEqual(idsFrom(0, 2));
    await expect(
      sales.conversations.bulk.mutate({ scope: foreign, filter: {}, change }),
    ).rejects.toMatchObject({
      data: { httpStatus: 403 },
    });
    const writer = await callerOf({ scope: own, scopes: ['conversations:write'] });
    await expect(writer.conversations.bulk.mutate({ scope: own, filter: {}, change })).rejects.toMatchObject({
      data: { httpStatus: 403 },
      message: 'This API key may not do this: it also needs the scope conversations:read.',
    });
    const { labels, conversations } = app.trpc();
    const { id } = await labels.create.mutate({ scope: foreign, name: 'theirs', color: RED });
    const labelling = { action: 'setLabels' as const, add: [id] };
    await expect(
      conversations.bulk.mutate({ scope: own, filter: {}, change: labelling }),
    ).rejects.toMatchObject({
      data: { httpStatus: 404, detail: [{ loc: ['change', 'add', 0], msg: 'Label not found.' }] },
    });
    const count = async (scope: object) =>
      (await conversations.list.query({ scope, assignmentId: 'desk' })).totalCount;
    expect([await count(own), await count(foreign)]).toEqual([2, 0]);
  });

  test.each([
    [['filter', 'createdFrom'], { filter: { createdFrom: 'now' } }],
    [['filter', 'usrId'], { filter: { usrId: 'ann' } }],
    [['change', 'status'], { change: { action: 'setStatus', status: 'asleep' } }],
    [['change', 'action'], { change: { action: 'forget' } }],
    [['change', 'remove'], { change: { action: 'setLabels', add: ['a'], remove: ['a'] } }],
    [['after'], { after: 'nowhere' }],
    [['limit'], { limit: 501 }],
  ])('refuses a bad %j', async (loc, bad) => {
    const input = { scope: { tenantId: 'acme' }, filter: {}, change: { action: 'delete' }, ...bad };
    await expect(app.trpc().conversations.bulk.mutate(input as never)).rejects.toMatchObject({
      data: { httpStatus: 422, detail: [{ loc }] },
    });
  });
});

describe('1,200 conversations', () => {
  const change = { action: 'setStatus', status: 'reviewed' } as const;

  test('are changed step by step, without those that are created meanwhile', async () => {
    const scope = await addConversations(1_200);
    const { trpc, bulk } = createLectern({ url: app.address });
    const all = () => trpc.conversations.list.query({ scope, statuses: ['reviewed'] });
    const sizes: number[] = [];
    for await (const { changed } of bulk({ scope, filter: { statuses: ['running'] }, change, limit: 500 })) {
      sizes.push(changed.length);
      await trpc.conversations.create.mutate({ scope: { ...scope, tenantUnitId: 'sales' } });
      // The counters have it at once.
      expect((await all()).totalCount).toBe(sizes.reduce((sum, size) => sum + size));
    }
    expect(sizes).toEqual([500, 500, 200]);
    const running = await trpc.conversations.list.query({ scope, statuses: ['running'] });
    expect(running.totalCount).toBe(3);
  });

  test('are finished after an interruption, from the last step or from the start, and set back', async () => {
    const scope = await addConversations(1_200);
    const { bulk } = createLectern({ url: app.address });
    const input = { scope, filter: {}, change, limit: 300 };
    const first: string[] = [];
    let after: string | null = null;
    for await (const { changed, next } of bulk(input)) {
      first.push(...idsOf(changed));
      after = next;
      if (first.length === 600) break;
    }
    const rest: string[] = [];
    for await (const { changed } of bulk({ ...input, after: after as string })) rest.push(...idsOf(changed));
    expect([...first, ...rest]).toEqual(idsFrom(...Array(1_200).keys()));
    for await (const { changed } of bulk(input)) expect(changed).toEqual([]);
    const back = { action: 'setStatus', status: 'running' } as const;
    let restored = 0;
    for await (const { changed } of bulk({ ...input, change: back })) restored += changed.length;
    expect(restored).toBe(1_200);
  });

  test('a step that is sent again with its Idempotency-Key answers the same', async () => {
    const scope = await addConversations(3);
    const { trpc } = createLectern({ url: app.address });
    const context = { idempotencyKey: uuid() };
    const input = { scope, filter: {}, change, limit: 2 };
    const step = await trpc.conversations.bulk.mutate(input, { context });
    expect(idsOf(step.changed)).toEqual(idsFrom(0, 1));
    expect(await trpc.conversations.bulk.mutate(input, { context })).toEqual(step);
  });
});
