import { v7 as uuid } from 'uuid';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { TIME } from './support/rest-client.js';

const NIL = '00000000-0000-0000-0000-000000000000';

const app = useApp();

/** A tenant of its own for a test that counts. */
const somewhere = () => ({ tenantId: `tenant-${uuid()}`, tenantUnitId: 'sales' });
const as = (name: string) => app.trpc({ 'x-user-id': name });

describe('the history of a status', () => {
  test('has every change, the latest first, page by page', async () => {
    const scope = somewhere();
    const { id: conversationId } = await as('ann').conversations.create.mutate({ scope });
    await as('bob').conversations.setStatus.mutate({ conversationId, status: 'input-required' });
    await as('bob').conversations.setStatus.mutate({ conversationId, status: 'input-required' });
    await app.trpc().conversations.setStatus.mutate({ conversationId, status: null });
    const changes = [
      { fromStatus: 'input-required', toStatus: null, changedTime: TIME, changedBy: null },
      { fromStatus: 'running', toStatus: 'input-required', changedTime: TIME, changedBy: 'bob' },
      { fromStatus: null, toStatus: 'running', changedTime: TIME, changedBy: 'ann' },
    ];
    const history = (page: object = {}) =>
      app.trpc().conversations.statusHistory.query({ scope, conversationId, ...page });
    expect(await history()).toStrictEqual({
      items: changes,
      page: 1,
      pageSize: 100,
      totalCount: 3,
      totalPages: 1,
      hasNextPage: false,
    });
    expect(await history({ page: 2, pageSize: 2 })).toStrictEqual({
      items: [changes[2]],
      page: 2,
      pageSize: 2,
      totalCount: 3,
      totalPages: 2,
      hasNextPage: false,
    });
  });

  test('of another tenant or unit is not found, as one that is nowhere', async () => {
    const { id: conversationId } = await app.trpc().conversations.create.mutate({ scope: somewhere() });
    const scopes = [{ tenantId: 'other' }, { tenantUnitId: 'other' }];
    for (const [id, scope] of [...scopes.map((scope) => [conversationId, scope] as const), ['none', {}]]) {
      await expect(
        app
          .trpc()
          .conversations.statusHistory.query({ scope: scope as object, conversationId: id as string }),
      ).rejects.toMatchObject({
        data: {
          httpStatus: 404,
          detail: [{ type: 'not_found', loc: ['conversationId'], msg: 'Conversation not found.' }],
        },
      });
    }
  });
});

describe('the facets of conversations', () => {
  const [busy, quiet] = [uuid(), uuid()].sort() as [string, string];
  const { tenantId } = somewhere();
  const facets = (scope: object) => app.trpc().conversations.facets.query({ scope: { tenantId, ...scope } });

  beforeAll(async () => {
    const conversations = [
      { tenantUnitId: 'sales', agentId: quiet, assignmentId: 'task-1' },
      { tenantUnitId: 'sales', agentId: busy, assignmentId: 'task-2' },
      { tenantUnitId: 'help', agentId: busy, assignmentId: 'task-2' },
      { tenantUnitId: 'help' },
    ];
    for (const { tenantUnitId, ...fields } of conversations) {
      await app.trpc().conversations.create.mutate({ scope: { tenantId, tenantUnitId }, ...fields });
    }
    const scope = { tenantId: 'neighbour', tenantUnitId: 'sales' };
    await app.trpc().conversations.create.mutate({ scope, agentId: busy, assignmentId: 'task-9' });
  });

  test('are what conversations can be filtered by, the most frequent first', async () => {
    const all = {
      agents: [
        { agentId: busy, count: 2 },
        { agentId: NIL, count: 1 },
        { agentId: quiet, count: 1 },
      ],
      assignments: [
        { assignmentId: 'task-2', count: 2 },
        { assignmentId: 'task-1', count: 1 },
      ],
      counted: 4,
      truncated: false,
    };
    expect(await facets({})).toStrictEqual(all);
    expect(await facets({ tenantUnitId: ['sales', 'help', 'none'] })).toStrictEqual(all);
  });

  test('are those of the unit', async () => {
    expect(await facets({ tenantUnitId: 'sales' })).toStrictEqual({
      agents: [
        { agentId: busy, count: 1 },
        { agentId: quiet, count: 1 },
      ],
      assignments: [
        { assignmentId: 'task-1', count: 1 },
        { assignmentId: 'task-2', count: 1 },
      ],
      counted: 2,
      truncated: false,
    });
    expect(await facets({ tenantUnitId: 'none' })).toStrictEqual({
      agents: [],
      assignments: [],
      counted: 0,
      truncated: false,
    });
  });
});

test('facets count the latest conversations, and list the most frequent values', async () => {
  const { tenantId } = somewhere();
  const now = Date.now();
  const rows = Array.from({ length: 10_001 }, (_, place) => ({
    id: uuid(),
    tenantId,
    tenantUnitId: 'sales',
    // The oldest has an agent of its own, and is not counted.
    agentId: place === 10_000 ? 'oldest' : `agent-${place % 60}`,
    userId: 'ann',
    agentMode: 'chat',
    status: 'running' as const,
    createdTime: new Date(now - place * 1_000),
    updatedTime: new Date(now),
  }));
  for (let start = 0; start < rows.length; start += 2_000) {
    await app.db
      .insertInto('conversations')
      .values(rows.slice(start, start + 2_000))
      .execute();
  }
  const { agents, ...rest } = await app.trpc().conversations.facets.query({ scope: { tenantId } });
  expect(agents).toHaveLength(50);
  expect(agents.every(({ agentId, count }) => agentId !== 'oldest' && count >= 166)).toBe(true);
  expect(rest).toStrictEqual({ assignments: [], counted: 10_000, truncated: true });
});

test('messages come latest first where that is asked for', async () => {
  const scope = somewhere();
  const { id: conversationId } = await app.trpc().conversations.create.mutate({ scope });
  const ids = Array.from({ length: 5 }, () => uuid());
  await app.db
    .insertInto('messages')
    .values(
      ids.map((id, place) => ({
        ...scope,
        id,
        conversationId,
        agentId: NIL,
        userId: 'ann',
        runId: 'run',
        messageFrom: 'user',
        content: `message ${place}`,
        // Two are of the same time, which ids put in order.
        requestedTime: new Date(Math.floor(place / 2) * 1_000),
      })),
    )
    .execute();
  const page = async (number: number) => {
    const list = { scope, conversationId, order: 'recent' as const, page: number, pageSize: 2 };
    const { items, ...rest } = await app.trpc().messages.list.query(list);
    return { ids: items.map(({ id }) => id), ...rest };
  };
  const rest = { pageSize: 2, totalCount: 5, totalPages: 3 };
  expect([await page(1), await page(2), await page(3)]).toStrictEqual([
    { ids: [ids[4], ids[3]], page: 1, ...rest, hasNextPage: true },
    { ids: [ids[2], ids[1]], page: 2, ...rest, hasNextPage: true },
    { ids: [ids[0]], page: 3, ...rest, hasNextPage: false },
  ]);
});
