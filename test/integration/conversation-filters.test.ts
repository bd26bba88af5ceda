import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { CONVERSATIONS } from './support/rest-client.js';

const app = useApp();
const guarded = useApp({ authMode: 'required' }, { beside: app });

const DAY = 86_400_000;
const FIRST = Date.parse('2026-01-01T00:00:00.000Z');

/** Conversations of a tenant, one a day, of users in turn. */
async function addConversations(users: string[], days: number) {
  const tenantId = `tenant-${uuid()}`;
  const rows = Array.from({ length: days }, (_, day) => ({
    tenantId,
    tenantUnitId: day % 2 === 0 ? 'even' : 'odd',
    id: `day-${day}`,
    agentId: 'agent',
    userId: users[day % users.length] as string,
    agentMode: 'chat',
    status: day % 3 === 0 ? ('failed' as const) : ('running' as const),
    createdTime: new Date(FIRST + day * DAY),
    updatedTime: new Date(FIRST + day * DAY),
  }));
  await app.db.insertInto('conversations').values(rows).execute();
  return tenantId;
}

const pageOf = <P>({ items, ...page }: P & { items: { id: string }[] }) => ({
  ids: items.map(({ id }) => id),
  ...page,
});

const at = (day: number) => new Date(FIRST + day * DAY).toISOString();

describe('filters', () => {
  const users = ['ann', 'bob', 'cid'];

  test.each([
    ['user', { userId: 'bob' }, [1, 4, 7, 10]],
    ['unknown user', { userId: 'zoe' }, []],
    ['first time', { createdFrom: at(8) }, [8, 9, 10, 11]],
    ['last time', { createdBefore: at(3) }, [0, 1, 2]],
    ['both times', { createdFrom: at(3), createdBefore: at(6) }, [3, 4, 5]],
    ['times with an offset', { createdFrom: '2026-01-12T01:00:00+01:00' }, [11]],
    ['times in the wrong order', { createdFrom: at(6), createdBefore: at(3) }, []],
    ['all together', { userId: 'ann', statuses: ['failed'], createdFrom: at(3) }, [3, 6, 9]],
    ['several statuses', { userId: 'bob', statuses: ['failed', 'running'] }, [1, 4, 7, 10]],
  ])('by %s', async (_, filter, days) => {
    const scope = { tenantId: await addConversations(users, 12) };
    const { conversations } = app.trpc();
    const ids = days.map((day) => `day-${day}`);
    const list = (more: object) => conversations.list.query({ scope, ...filter, ...more });
    const oldest = await list({ order: 'oldest' });
    expect(oldest.items.map(({ id }) => id)).toEqual(ids);
    expect((await list({})).items.map(({ id }) => id)).toEqual([...ids].reverse());
    expect(pageOf(oldest)).toEqual({
      ids,
      page: 1,
      pageSize: 20,
      totalCount: ids.length,
      totalPages: Math.ceil(ids.length / 20),
      hasNextPage: false,
    });
    expect(pageOf(await list({ order: 'oldest', page: 2, pageSize: 2 }))).toEqual({
      ids: ids.slice(2, 4),
      page: 2,
      pageSize: 2,
      totalCount: ids.length,
      totalPages: Math.ceil(ids.length / 2),
      hasNextPage: ids.length > 4,
    });
  });

  test('in units, and of no other tenant', async () => {
    const tenantId = await addConversations(['ann'], 6);
    await addConversations(['ann'], 6);
    const { key } = await guarded.makeKey({ scope: { tenantId, tenantUnitId: 'odd' } });
    for (const [caller, scope] of [
      [app.trpc(), { tenantId, tenantUnitId: 'odd' }],
      [guarded.trpc({ 'x-api-key': key }), { tenantId }],
    ] as const) {
      const { items, totalCount } = await caller.conversations.list.query({
        scope,
        userId: 'ann',
        createdFrom: at(1),
      });
      expect(items.map(({ id }) => id)).toEqual(['day-5', 'day-3', 'day-1']);
      expect(totalCount).toBe(3);
    }
  });

  test('by the feedback of a message, in units, and of no other tenant', async () => {
    const tenantId = await addConversations(['ann'], 6);
    const other = await addConversations(['ann'], 6);
    const add = (tenant: string, day: number, feedback: string | null) => ({
      tenantId: tenant,
      tenantUnitId: day % 2 === 0 ? 'even' : 'odd',
      conversationId: `day-${day}`,
      id: uuid(),
      agentId: 'agent',
      userId: 'ann',
      runId: 'run',
      messageFrom: 'agent',
      content: 'In the van.',
      requestedTime: new Date(FIRST),
      feedback,
    });
    const judged = [
      add(tenantId, 0, 'down'),
      add(tenantId, 0, 'down'),
      add(tenantId, 1, 'up'),
      add(tenantId, 2, null),
      add(tenantId, 3, 'up'),
      add(tenantId, 3, 'down'),
      add(tenantId, 4, 'like'),
      add(other, 5, 'down'),
    ];
    await app.db.insertInto('messages').values(judged).execute();
    const { list } = app.trpc().conversations;
    const days = async (filter: Parameters<typeof list.query>[0]) => {
      const { items, totalCount } = await list.query(filter);
      expect(totalCount).toBe(items.length);
      return items.map(({ id }) => id);
    };
    const scope = { tenantId };
    expect(await days({ scope, feedback: 'down' })).toEqual(['day-3', 'day-0']);
    expect(await days({ scope, feedback: 'up' })).toEqual(['day-3', 'day-1']);
    expect(await days({ scope, feedback: 'down', statuses: ['failed', 'running'] })).toEqual([
      'day-3',
      'day-0',
    ]);
    expect(await days({ scope, feedback: 'down', createdBefore: at(3), order: 'oldest' })).toEqual(['day-0']);
    expect(await days({ scope: { tenantId, tenantUnitId: 'odd' }, feedback: 'down' })).toEqual(['day-3']);
    const label = await app.trpc().labels.create.mutate({ scope, name: 'Refund', color: '#aa0000' });
    for (const day of [0, 2]) {
      const conversationId = `day-${day}`;
      await app.trpc().conversations.setLabels.mutate({ scope, conversationId, add: [label.id] });
    }
    expect(await days({ scope, feedback: 'down', labels: [label.id] })).toEqual(['day-0']);
  });

  test('of all tenants, in open mode', async () => {
    const userId = `user-${uuid()}`;
    await addConversations([userId], 2);
    await addConversations([userId], 3);
    const { items, totalCount } = await app
      .trpc()
      .conversations.list.query({ userId, createdFrom: at(1), order: 'oldest' });
    expect(items.map(({ id }) => id)).toEqual(['day-1', 'day-1', 'day-2']);
    expect(totalCount).toBe(3);
  });

  test.each([
    ['userId', { userId: 7 }],
    ['userId', { userId: 'x'.repeat(256) }],
    ['createdFrom', { createdFrom: 'yesterday' }],
    ['feedback', { feedback: 'like' }],
    ['createdBefore', { createdBefore: '2026-01-01' }],
  ])('refuses a bad %s', async (field, filter) => {
    await expect(app.trpc().conversations.list.query(filter as never)).rejects.toMatchObject({
      data: { httpStatus: 422, detail: [{ loc: [field] }] },
    });
  });

  test('are none of the REST list', async () => {
    const tenantId = await addConversations(users, 3);
    const query = { tenant_id: tenantId, page_size: 1 };
    const plain = await app.get(CONVERSATIONS, query);
    const more = { user_id: 'bob', created_from: at(2), labels: 'none' };
    const filtered = await app.get(CONVERSATIONS, { ...query, ...more });
    expect(plain.status).toBe(200);
    expect(filtered.body).toEqual(plain.body);
  });
});
