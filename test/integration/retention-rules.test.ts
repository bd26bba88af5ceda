import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RetentionRuleTable } from '../../db/schema.js';
import { deleteExpiredConversations } from '../../src/services/retention/delete-expired-conversations.js';
import { useApp } from '../support/app.js';
import { drain } from '../support/drain.js';
import { TIME, UUID } from './support/rest-client.js';

const app = useApp({ authMode: 'required' });
const scope = { tenantId: 'acme' };
const clock = () => new Date();
type Client = ReturnType<typeof app.trpc>;
let all: Client;
let theirs: Client;

beforeAll(async () => {
  const { key } = await app.makeKey();
  all = app.trpc({ 'x-api-key': key, 'x-user-id': 'zoe' });
  const { key: other } = await app.makeKey({ scope: { tenantId: 'other' } });
  theirs = app.trpc({ 'x-api-key': other });
});

type Fields = Pick<RetentionRuleTable, 'agentId' | 'statuses' | 'exemptLabels' | 'keepDays'>;

interface Old {
  id: string;
  /** Since it was created, and since its last message. */
  days: number;
  messageDays?: number;
  agentId?: string;
  status?: string | null;
  labels?: string[];
}

/** Conversations as an agent runtime has left them; counted, as its inserts would have to be. */
async function insertOld(tenantId: string, rows: Old[]): Promise<void> {
  for (const { id, days, messageDays, agentId = 'agent', status = 'succeeded', labels = [] } of rows) {
    await sql`
      insert into conversations (id, tenant_id, tenant_unit_id, topic, agent_id, user_id, agent_mode, extend_properties, status,
        labels, created_time, updated_time, message_sequence)
      values (${id}, ${tenantId}, 'sales', 'Old', ${agentId}, 'user', 'chat', '{}', ${status}, ${labels},
        now() - make_interval(days => ${days}), now(), 2)
    `.execute(app.db);
    if (messageDays === undefined) continue;
    // With numbers: a sweep leaves out conversations whose messages are being numbered.
    await sql`
      insert into messages (id, tenant_id, tenant_unit_id, conversation_id, agent_id, user_id, run_id, message_from, content,
        requested_time, sequence)
      select ${id} || n, ${tenantId}, 'sales', ${id}, 'agent', 'user', 'run', 'user', 'Hello',
        now() - make_interval(days => ${messageDays} + n), 2 - n from generate_series(0, 1) as n
    `.execute(app.db);
  }
}

const sweep = () => drain(deleteExpiredConversations(app.db, clock));

async function leftOf(tenantId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from conversations where tenant_id = ${tenantId} order by id
  `.execute(app.db);
  return rows.map(({ id }) => id);
}

const refusal = (httpStatus: number, loc: string[], message?: string) => ({
  ...(message !== undefined && { message }),
  data: { httpStatus, detail: [{ loc }] },
});

describe('rules', () => {
  test('are created, changed, listed and deleted', async () => {
    const { retention } = all;
    const rule = await retention.create.mutate({ scope, keepDays: 30 });
    expect(rule).toEqual({
      id: UUID,
      agentId: null,
      statuses: null,
      exemptLabels: [],
      keepDays: 30,
      createdTime: TIME,
      createdBy: 'zoe',
      updatedTime: TIME,
      updatedBy: 'zoe',
    });
    const other = await retention.create.mutate({
      scope,
      agentId: 'bot',
      statuses: ['failed', 'succeeded'],
      keepDays: 7,
    });
    expect(await retention.list.query({ scope })).toEqual([rule, other]);
    const changed = await retention.update.mutate({
      scope,
      ruleId: rule.id,
      statuses: ['failed'],
      keepDays: 31,
    });
    expect(changed).toEqual({ ...rule, statuses: ['failed'], keepDays: 31, updatedTime: TIME });
    expect(await retention.delete.mutate({ scope, ruleId: other.id })).toBeUndefined();
    expect(await retention.list.query({ scope })).toEqual([changed]);
    await retention.delete.mutate({ scope, ruleId: rule.id });
    await expect(retention.delete.mutate({ scope, ruleId: rule.id })).rejects.toMatchObject(
      refusal(404, ['ruleId'], 'Retention rule not found.'),
    );
  });

  test.each([
    ['keepDays', { keepDays: 0 }],
    ['keepDays', { keepDays: 36_501 }],
    ['statuses', { keepDays: 1, statuses: [] }],
    ['agentId', { keepDays: 1, agentId: '' }],
  ])('refuse a wrong %s', async (field, values) => {
    await expect(all.retention.create.mutate({ scope, ...values })).rejects.toMatchObject(
      refusal(422, [field]),
    );
  });

  test('exempt labels that the tenant has, which cannot be deleted then', async () => {
    const { retention, labels } = all;
    const { id: labelId } = await labels.create.mutate({ scope, name: 'Keep', color: '#ff0000' });
    await expect(
      theirs.retention.create.mutate({ scope: { tenantId: 'other' }, exemptLabels: [labelId], keepDays: 1 }),
    ).rejects.toMatchObject({ data: { httpStatus: 404 } });
    const rule = await retention.create.mutate({ scope, exemptLabels: [labelId], keepDays: 36_500 });
    await expect(labels.delete.mutate({ scope, labelId })).rejects.toMatchObject(
      refusal(409, [], 'A retention rule exempts conversations with this label; change the rule first.'),
    );
    await retention.update.mutate({ scope, ruleId: rule.id, exemptLabels: [] });
    await labels.delete.mutate({ scope, labelId });
    await retention.delete.mutate({ scope, ruleId: rule.id });
  });

  test('are at most 100', async () => {
    await sql`
      insert into retention_rules (tenant_id, id, exempt_labels, keep_days, created_time, updated_time)
      select 'acme', 'rule ' || i, '{}', 36500, now(), now() from generate_series(1, 100) as i
    `.execute(app.db);
    await expect(all.retention.create.mutate({ scope, keepDays: 1 })).rejects.toMatchObject(
      refusal(409, [], 'A tenant has at most 100 retention rules; delete some first.'),
    );
    await sql`delete from retention_rules where tenant_id = 'acme'`.execute(app.db);
  });

  test('are for keys of the whole tenant', async () => {
    const { key } = await app.makeKey({ scope: { ...scope, tenantUnitId: ['sales'] } });
    const sales = app.trpc({ 'x-api-key': key });
    const refused = {
      message: 'Retention rules concern all units of the tenant; this API key is restricted to some.',
      data: { httpStatus: 403 },
    };
    await expect(sales.retention.create.mutate({ scope, keepDays: 1 })).rejects.toMatchObject(refused);
    await expect(sales.retention.preview.query({ scope, keepDays: 1 })).rejects.toMatchObject(refused);
    const { key: reader } = await app.makeKey({ scopes: ['retention:read', 'conversations:write'] });
    await expect(
      app.trpc({ 'x-api-key': reader }).retention.create.mutate({ scope, keepDays: 1 }),
    ).rejects.toMatchObject({ data: { httpStatus: 403 } });
  });
});

describe('what a rule deletes', () => {
  const OLD: Old[] = [
    { id: 'answered lately', days: 100, messageDays: 9 },
    { id: 'bot', days: 100, messageDays: 11, agentId: 'bot' },
    { id: 'empty', days: 11 },
    { id: 'failed', days: 100, messageDays: 11, status: 'failed' },
    { id: 'held', days: 100, messageDays: 11 },
    { id: 'kept', days: 100, messageDays: 11, labels: ['keep', 'other'] },
    { id: 'new', days: 9 },
    { id: 'old', days: 100, messageDays: 11, labels: ['other'] },
    { id: 'without status', days: 100, status: null },
  ];

  test.each([
    [{}, ['bot', 'empty', 'failed', 'kept', 'old', 'without status']],
    [{ agentId: 'bot' }, ['bot']],
    [{ statuses: ['failed', 'running'] }, ['failed']],
    [{ statuses: ['succeeded'], agentId: 'agent' }, ['empty', 'kept', 'old']],
    [{ exemptLabels: ['keep'] }, ['bot', 'empty', 'failed', 'old', 'without status']],
    [{ keepDays: 50 }, ['without status']],
  ] as [Partial<Fields>, string[]][])('with %j: %j', async (fields, expected) => {
    await insertOld('acme', OLD);
    await insertOld('other', OLD);
    await all.conversations.setLegalHold.mutate({ scope, conversationId: 'held', legalHold: true });
    const rule = { agentId: null, statuses: null, exemptLabels: [], keepDays: 10, ...fields };
    expect(await all.retention.preview.query({ scope, ...rule })).toEqual({
      count: expected.length,
      isLowerBound: false,
    });
    const times = { createdTime: clock(), createdBy: null, updatedTime: clock(), updatedBy: null };
    // By SQL, as there are no such labels.
    await app.db
      .insertInto('retentionRules')
      .values({ tenantId: 'acme', id: 'rule', ...rule, ...times })
      .execute();
    const deleted = await sweep();
    expect(deleted.reduce((sum, rows) => sum + rows, 0)).toBe(expected.length);
    const ids = OLD.map(({ id }) => id);
    expect(await leftOf('acme')).toEqual(ids.filter((id) => !expected.includes(id)));
    expect(await leftOf('other')).toEqual(ids);
    for (const table of ['retention_rules', 'conversations', 'list_changes'])
      await sql`delete from ${sql.table(table)}`.execute(app.db);
  });

  test('is audited without its topic, counted, and sent to webhooks', async () => {
    await all.webhooks.create.mutate({
      scope,
      url: 'https://pages.test',
      eventTypes: ['conversation.deleted'],
    });
    const { id } = await all.conversations.create.mutate({
      scope: { ...scope, tenantUnitId: 'sales' },
      topic: 'Mine',
    });
    await sql`update conversations set created_time = now() - interval '3 days' where id = ${id}`.execute(
      app.db,
    );
    await all.retention.create.mutate({ scope, keepDays: 2 });
    expect(await sweep()).toEqual([1]);
    const { items } = await all.audit.list.query({ scope, subjectId: id });
    expect(items[0]).toEqual({
      id: expect.any(Number),
      tenantId: 'acme',
      tenantUnitId: 'sales',
      time: TIME,
      action: 'retention.expire',
      subjectType: 'conversation',
      subjectId: id,
      keyId: null,
      userId: null,
      userIssuer: null,
      userName: null,
      address: null,
      requestId: null,
      before: { topic: null, status: 'running', agentId: expect.any(String), assignmentId: null },
      after: null,
    });
    const { rows } = await sql<{ type: string }>`
      select event_type as type from webhook_deliveries where subject_id = ${id}
    `.execute(app.db);
    expect(rows).toEqual([{ type: 'conversation.deleted' }]);
  });

  test('is deleted once, in steps, by several processes at the same time', async () => {
    await insertOld(
      'acme',
      Array.from({ length: 450 }, (_, n) => ({ id: `many ${n}`, days: 20 })),
    );
    const batches = await Promise.all([sweep(), sweep(), sweep()]);
    expect(batches.flat().reduce((sum, rows) => sum + rows, 0)).toBe(450);
    expect(Math.max(...batches.flat())).toBeLessThanOrEqual(200);
    expect(await leftOf('acme')).toEqual([]);
  });
});

describe('a legal hold', () => {
  test('is set and lifted, and keeps from deletion', async () => {
    const { conversations } = all;
    const { id: conversationId } = await conversations.create.mutate({
      scope: { ...scope, tenantUnitId: 'sales' },
    });
    const held = await conversations.setLegalHold.mutate({ scope, conversationId, legalHold: true });
    expect(held).toMatchObject({ legalHoldTime: TIME, legalHoldBy: 'zoe', version: 2 });
    // Again changes nothing.
    expect(await conversations.setLegalHold.mutate({ scope, conversationId, legalHold: true })).toEqual(held);
    expect(await conversations.get.query({ scope, conversationId })).toEqual(held);
    const message =
      'The conversation is under a legal hold, which has to be lifted before it can be deleted.';
    await expect(conversations.delete.mutate({ scope, conversationId })).rejects.toMatchObject(
      refusal(409, [], message),
    );
    const step = await conversations.bulk.mutate({ scope, filter: {}, change: { action: 'delete' } });
    expect(step).toEqual({ changed: [], skipped: [conversationId], next: null });
    const lifted = await conversations.setLegalHold.mutate({ scope, conversationId, legalHold: false });
    expect(lifted).toMatchObject({ legalHoldTime: null, legalHoldBy: null, version: 3 });
    await conversations.delete.mutate({ scope, conversationId });
  });

  test('takes the permission for retention, and the version', async () => {
    const { id: conversationId } = await all.conversations.create.mutate({
      scope: { ...scope, tenantUnitId: 'sales' },
    });
    const hold = { scope, conversationId, legalHold: true };
    const { key } = await app.makeKey({ scopes: ['conversations:read', 'conversations:write'] });
    await expect(
      app.trpc({ 'x-api-key': key }).conversations.setLegalHold.mutate(hold),
    ).rejects.toMatchObject({ data: { httpStatus: 403 } });
    await expect(
      all.conversations.setLegalHold.mutate({ ...hold, expectedVersion: [7] }),
    ).rejects.toMatchObject({ data: { httpStatus: 412 } });
  });
});
