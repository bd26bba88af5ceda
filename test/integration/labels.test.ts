import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { removeDeletedLabels } from '../../src/services/labels/remove-deleted-labels.js';
import { useApp } from '../support/app.js';
import { CONVERSATIONS, UUID } from './support/rest-client.js';

const app = useApp({ authMode: 'required' });

const RED = '#ff0000';

/** A tenant of its own, with a caller of the whole tenant and one of a unit. */
async function someTenant() {
  const tenantId = `tenant-${uuid()}`;
  const scope = { tenantId };
  const callerOf = async (key: object) =>
    app.trpc({ 'x-api-key': (await app.makeKey({ scope, ...key })).key, 'x-user-id': 'ann' });
  return {
    scope,
    all: await callerOf({}),
    sales: await callerOf({ scope: { tenantId, tenantUnitId: 'sales' } }),
    callerOf,
  };
}
type Caller = Awaited<ReturnType<typeof someTenant>>['all'];

const makeConversation = ({ conversations }: Caller, tenantId: string, tenantUnitId = 'sales') =>
  conversations.create.mutate({ scope: { tenantId, tenantUnitId } });

const refusal = (status: number, loc: (string | number)[], msg: unknown = expect.any(String)) => ({
  data: { httpStatus: status, detail: [{ type: expect.any(String), loc, msg }] },
});

describe('labels of a tenant', () => {
  test('are created, listed by name, changed and deleted', async () => {
    const { scope, all } = await someTenant();
    const urgent = await all.labels.create.mutate({ scope, name: ' Urgent ', color: '#FF00aa' });
    expect(urgent).toEqual({
      id: UUID,
      name: 'Urgent',
      color: '#ff00aa',
      createdTime: expect.any(String),
      createdBy: 'ann',
      updatedTime: urgent.createdTime,
      updatedBy: 'ann',
    });
    const refund = await all.labels.create.mutate({ scope, name: 'Refund', color: RED });
    expect(await all.labels.list.query({ scope })).toEqual([refund, urgent]);
    const changed = await all.labels.update.mutate({ scope, labelId: urgent.id, name: 'At once' });
    expect(changed).toEqual({ ...urgent, name: 'At once', updatedTime: expect.any(String) });
    expect(await all.labels.list.query({ scope })).toEqual([changed, refund]);
    expect(await all.labels.delete.mutate({ scope, labelId: urgent.id })).toBeUndefined();
    expect(await all.labels.list.query({ scope })).toEqual([refund]);
    await expect(all.labels.delete.mutate({ scope, labelId: urgent.id })).rejects.toMatchObject(
      refusal(404, ['labelId'], 'Label not found.'),
    );
  });

  test('have names of their own, which deleted ones give back', async () => {
    const { scope, all } = await someTenant();
    const { id } = await all.labels.create.mutate({ scope, name: 'Refund', color: RED });
    const other = await all.labels.create.mutate({ scope, name: 'Urgent', color: RED });
    const taken = refusal(409, ['name'], 'Another label has this name.');
    await expect(all.labels.create.mutate({ scope, name: 'Refund', color: RED })).rejects.toMatchObject(
      taken,
    );
    const rename = { scope, labelId: other.id, name: 'Refund' };
    await expect(all.labels.update.mutate(rename)).rejects.toMatchObject(taken);
    await all.labels.delete.mutate({ scope, labelId: id });
    expect(await all.labels.update.mutate(rename)).toMatchObject({ id: other.id, name: 'Refund' });
  });

  test('are at most 200', async () => {
    const { scope, all } = await someTenant();
    const now = new Date();
    const rows = Array.from({ length: 200 }, (_, n) => ({
      tenantId: scope.tenantId,
      id: uuid(),
      name: `label ${n}`,
      color: RED,
      createdTime: now,
      updatedTime: now,
    }));
    await app.db.insertInto('labels').values(rows).execute();
    await expect(all.labels.create.mutate({ scope, name: 'one more', color: RED })).rejects.toMatchObject(
      refusal(409, [], 'A tenant has at most 200 labels; delete some first.'),
    );
    expect(await all.labels.list.query({ scope })).toHaveLength(200);
  });

  test.each([
    ['name', { name: '' }],
    ['name', { name: '  ' }],
    ['name', { name: 'x'.repeat(51) }],
    ['color', { color: 'red' }],
    ['color', { color: '#ff000g' }],
  ])('refuse a bad %s', async (field, bad) => {
    const { scope, all } = await someTenant();
    const input = { scope, name: 'Refund', color: RED, ...bad };
    await expect(all.labels.create.mutate(input)).rejects.toMatchObject(refusal(422, [field]));
    expect(await all.labels.list.query({ scope })).toEqual([]);
  });

  test('are listed and used by keys of a unit, and changed by keys of the whole tenant alone', async () => {
    const { scope, all, sales } = await someTenant();
    const label = await all.labels.create.mutate({ scope, name: 'Refund', color: RED });
    const labelId = label.id;
    const refused = refusal(
      403,
      ['scope', 'tenantUnitId'],
      'Labels belong to all units of the tenant; this API key is restricted to some.',
    );
    await expect(sales.labels.create.mutate({ scope, name: 'x', color: RED })).rejects.toMatchObject(refused);
    await expect(sales.labels.update.mutate({ scope, labelId, name: 'x' })).rejects.toMatchObject(refused);
    await expect(sales.labels.delete.mutate({ scope, labelId })).rejects.toMatchObject(refused);
    expect(await sales.labels.list.query({ scope })).toEqual([label]);
    const { id: conversationId } = await makeConversation(sales, scope.tenantId);
    const labelled = await sales.conversations.setLabels.mutate({ scope, conversationId, add: [labelId] });
    expect(labelled.labels).toEqual([labelId]);
  });
});

describe('labels of a conversation', () => {
  test('are added and removed, once, with its version, and audited', async () => {
    const { scope, all, sales } = await someTenant();
    const conversation = await makeConversation(all, scope.tenantId);
    expect(conversation.labels).toEqual([]);
    const [one, two] = [
      await all.labels.create.mutate({ scope, name: 'one', color: RED }),
      await all.labels.create.mutate({ scope, name: 'two', color: RED }),
    ].map(({ id }) => id) as [string, string];
    const ref = { scope, conversationId: conversation.id };
    const added = await all.conversations.setLabels.mutate({ ...ref, add: [two, one, two] });
    const labelled = {
      ...conversation,
      labels: [one, two].sort(),
      version: conversation.version + 1,
      updatedTime: expect.any(String),
    };
    expect(added).toEqual(labelled);
    expect(await all.conversations.setLabels.mutate({ ...ref, add: [two] })).toEqual(added);
    expect(await all.conversations.get.query(ref)).toEqual(added);
    expect((await all.conversations.list.query({ scope })).items).toEqual([{ ...added, messageCount: 0 }]);
    const removed = await sales.conversations.setLabels.mutate({ ...ref, remove: [one, uuid()] });
    expect(removed).toEqual({ ...labelled, labels: [two], version: added.version + 1 });
    await all.conversations.delete.mutate(ref);
    const { items } = await all.audit.list.query({ scope, subjectId: conversation.id });
    expect(items.map(({ action, before, after }) => [action, before, after]).slice(0, 3)).toEqual([
      ['conversations.delete', expect.objectContaining({ labels: [two] }), null],
      ['conversations.setLabels', { labels: [one, two].sort() }, { labels: [two] }],
      ['conversations.setLabels', { labels: [] }, { labels: [one, two].sort() }],
    ]);
    const rows = app.db.selectFrom('conversationLabels').selectAll().where('tenantId', '=', scope.tenantId);
    expect(await rows.execute()).toEqual([]);
  });

  test('are at most 20', async () => {
    const { scope, all } = await someTenant();
    const { id: conversationId } = await makeConversation(all, scope.tenantId);
    const ids: string[] = [];
    for (let n = 0; n < 21; n += 1)
      ids.push((await all.labels.create.mutate({ scope, name: `${n}`, color: RED })).id);
    const [first, ...others] = ids as [string, ...string[]];
    await all.conversations.setLabels.mutate({ scope, conversationId, add: others });
    await expect(
      all.conversations.setLabels.mutate({ scope, conversationId, add: [first] }),
    ).rejects.toMatchObject(refusal(409, ['add'], 'A conversation has at most 20 labels.'));
    await expect(
      all.conversations.setLabels.mutate({ scope, conversationId, add: ids }),
    ).rejects.toMatchObject(refusal(422, ['add']));
    const swapped = { scope, conversationId, add: [first], remove: [others[0] as string] };
    expect((await all.conversations.setLabels.mutate(swapped)).labels).toEqual([first, ...others.slice(1)]);
  });

  test('are of this tenant, and the version is the expected one', async () => {
    const [own, foreign] = [await someTenant(), await someTenant()];
    const { id: conversationId, version } = await makeConversation(own.all, own.scope.tenantId);
    const theirs = await foreign.all.labels.create.mutate({ scope: foreign.scope, name: 'x', color: RED });
    const ours = await own.all.labels.create.mutate({ scope: own.scope, name: 'x', color: RED });
    const ref = { scope: own.scope, conversationId };
    const setLabels = own.all.conversations.setLabels.mutate;
    const unknown = refusal(404, ['add', 1], 'Label not found.');
    for (const id of [theirs.id, uuid()])
      await expect(setLabels({ ...ref, add: [ours.id, id] })).rejects.toMatchObject(unknown);
    await expect(setLabels({ ...ref, add: [ours.id], remove: [ours.id] })).rejects.toMatchObject(
      refusal(422, ['remove']),
    );
    await expect(setLabels({ ...ref, add: [ours.id], expectedVersion: version + 1 })).rejects.toMatchObject({
      data: { httpStatus: 412 },
    });
    const missing = refusal(404, ['conversationId'], 'Conversation not found.');
    const inOurs = { scope: foreign.scope, conversationId };
    await expect(
      foreign.all.conversations.setLabels.mutate({ ...inOurs, add: [theirs.id] }),
    ).rejects.toMatchObject(missing);
    const hr = await own.callerOf({ scope: { ...own.scope, tenantUnitId: 'hr' } });
    await expect(hr.conversations.setLabels.mutate({ ...ref, add: [ours.id] })).rejects.toMatchObject(
      missing,
    );
    expect((await own.all.conversations.get.query(ref)).labels).toEqual([]);
  });

  test('narrow lists, alone and with other conditions', async () => {
    const { scope, all, sales } = await someTenant();
    const make = async (tenantUnitId: string) =>
      (await makeConversation(all, scope.tenantId, tenantUnitId)).id;
    const [a, b, c, d] = [await make('sales'), await make('hr'), await make('sales'), await make('sales')];
    const labels = [
      (await all.labels.create.mutate({ scope, name: 'one', color: RED })).id,
      (await all.labels.create.mutate({ scope, name: 'two', color: RED })).id,
    ] as const;
    const put = (conversationId: string, ...add: string[]) =>
      all.conversations.setLabels.mutate({ scope, conversationId, add });
    await put(a, labels[0]);
    await put(b, ...labels);
    await put(c, labels[1]);
    await all.conversations.setStatus.mutate({ scope, conversationId: c, status: 'failed' });
    const list = async (filter: object, caller = all) => {
      const page = await caller.conversations.list.query({ scope, order: 'oldest', ...filter });
      expect(page.totalCount).toBe(page.items.length);
      return page.items.map(({ id }) => id);
    };
    expect(await list({ labels: [labels[0]] })).toEqual([a, b]);
    expect(await list({ labels: [...labels] })).toEqual([a, b, c]);
    expect(await list({ labels: [...labels], order: 'recent' })).toEqual([c, b, a]);
    expect(await list({ labels: [...labels], statuses: ['failed', 'stopped'] })).toEqual([c]);
    expect(await list({ labels: [...labels] }, sales)).toEqual([a, c]);
    expect(await list({ labels: [uuid()] })).toEqual([]);
    const { createdTime } = await all.conversations.get.query({ scope, conversationId: b });
    expect(await list({ labels: [labels[1]], createdFrom: createdTime, userId: 'ann' })).toContain(c);
    expect(await list({ labels: [...labels], createdBefore: createdTime })).not.toContain(b);
    expect(await list({})).toEqual([a, b, c, d]);
    await expect(all.conversations.list.query({ scope, labels: [] })).rejects.toMatchObject(
      refusal(422, ['labels']),
    );
  });

  test('are not told by REST', async () => {
    const { scope, all } = await someTenant();
    const { id } = await makeConversation(all, scope.tenantId);
    const label = await all.labels.create.mutate({ scope, name: 'one', color: RED });
    const { key } = await app.makeKey({ scope });
    const read = () =>
      app.request('GET', `${CONVERSATIONS}/${id}`, {
        query: { tenant_id: scope.tenantId },
        headers: { 'x-api-key': key },
      });
    const { status, body: before } = await read();
    expect(status).toBe(200);
    await all.conversations.setLabels.mutate({ scope, conversationId: id, add: [label.id] });
    expect((await read()).body).toEqual({ ...before, updated_time: expect.any(String) });
  });
});

test('a deleted label leaves its conversations, the first 500 at once and the others in the background', async () => {
  const { scope, all } = await someTenant();
  const { tenantId } = scope;
  const gone = await all.labels.create.mutate({ scope, name: 'gone', color: RED });
  const kept = await all.labels.create.mutate({ scope, name: 'kept', color: RED });
  const createdTime = new Date();
  const labels = [gone.id, kept.id].sort();
  const rows = Array.from({ length: 1_100 }, (_, n) => ({
    tenantId,
    tenantUnitId: 'sales',
    id: `conversation ${n}`,
    agentId: 'agent',
    userId: 'ann',
    agentMode: 'chat',
    createdTime,
    updatedTime: createdTime,
    labels,
  }));
  await app.db.insertInto('conversations').values(rows).execute();
  const pairs = rows.flatMap(({ id: conversationId }) =>
    labels.map((labelId) => ({ tenantId, conversationId, labelId, createdTime })),
  );
  await app.db.insertInto('conversationLabels').values(pairs).execute();
  await all.labels.delete.mutate({ scope, labelId: gone.id });
  const having = async (label: string) =>
    (await all.conversations.list.query({ scope, labels: [label] })).totalCount;
  expect(await having(gone.id)).toBeLessThanOrEqual(600);
  expect(await all.labels.list.query({ scope })).toEqual([kept]);
  while (await removeDeletedLabels(app.db));
  expect(await having(gone.id)).toBe(0);
  expect(await having(kept.id)).toBe(1_100);
  const { items } = await all.conversations.list.query({ scope, pageSize: 100 });
  expect(new Set(items.map((one) => JSON.stringify([one.labels, one.version])))).toEqual(
    new Set([JSON.stringify([[kept.id], 2])]),
  );
  const left = app.db.selectFrom('labels').select('id').where('tenantId', '=', tenantId);
  expect(await left.execute()).toEqual([{ id: kept.id }]);
});
