import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { findText } from './support/find-text.js';
import { TIME, UUID } from './support/rest-client.js';

const app = useApp();
const closed = useApp({ authMode: 'required' });
const AGENT = { agentId: '5f0c2b6e-4c0a-4b57-9a53-0a4c3f1f7d21' };

/** Headers are bytes: a name beyond ASCII is sent as UTF-8. */
const as = (user: string, key?: string) =>
  app.trpc({
    'x-user-id': Buffer.from(user).toString('latin1'),
    ...(key !== undefined && { 'idempotency-key': key }),
  });

async function erase(scope: { tenantId: string }, userId: string) {
  const { users } = app.trpc();
  const { id: erasureId } = await users.erase.mutate({ scope, userId });
  await expect
    .poll(() => users.erasure.query({ scope, erasureId }), { timeout: 60_000 })
    .toMatchObject({ finishedTime: expect.any(String) });
  return users.erasure.query({ scope, erasureId });
}

/** Changes of counted lists are rolled up some seconds later. */
const expectNothing = (user: string) =>
  expect.poll(() => findText(app.db, user), { timeout: 60_000 }).toEqual([]);

/** Something of the user everywhere that the service writes it. */
async function leaveTraces(scope: { tenantId: string }, user: string) {
  const unit = { ...scope, tenantUnitId: 'sales' };
  const alice = as(user);
  const bob = as('bob');
  await alice.webhooks.create.mutate({
    scope,
    url: 'https://pages.test/hook',
    eventTypes: ['conversation.created', 'conversation.deleted', 'message.created'],
  });
  const own = await as(user, 'one').conversations.create.mutate({
    scope: unit,
    ...AGENT,
    topic: `About ${user}`,
  });
  const ofOwn = { scope, conversationId: own.id };
  await alice.messages.append.mutate({
    ...ofOwn,
    messages: [{ id: `${user} asks`, messageFrom: 'user', content: `I am ${user}.` }],
  });
  await as('bob', 'two').conversations.setStatus.mutate({ ...ofOwn, status: 'failed' });
  const other = await bob.conversations.create.mutate({ scope: unit, topic: 'Of Bob', assignmentId: user });
  const ofOther = { scope, conversationId: other.id };
  await bob.messages.append.mutate({
    ...ofOther,
    messages: [
      { id: `${other.id} kept`, messageFrom: 'user', content: 'Kept.' },
      { id: `${user} joins`, messageFrom: 'user', userId: user, content: `${user} joins.` },
    ],
  });
  await alice.messages.append.mutate({
    ...ofOther,
    messages: [{ id: `${other.id} relayed`, messageFrom: 'user', userId: 'bob', content: 'Relayed.' }],
  });
  await alice.messages.setFeedback.mutate({
    ...ofOther,
    messageId: `${other.id} kept`,
    feedback: 'down',
    note: `Says ${user}.`,
  });
  await alice.conversations.review.mutate({ ...ofOther, verdict: 'bad', note: `Reviewed by ${user}.` });
  const document = await alice.documents.create.mutate({
    scope: unit,
    documentType: 'UnstructuredFile',
    documentContent: 'How to return a parcel.',
    datasetIds: ['faq'],
  });
  await alice.labels.create.mutate({ scope, name: 'Urgent', color: '#ff0000' });
  await alice.retention.create.mutate({ scope, keepDays: 36_500 });
  await alice.search.saveSynonyms.mutate({ scope: unit, terms: ['sea', 'ocean'] });
  await alice.apiKeys.create.mutate({ scope, name: 'Mine', scopes: ['search'] });
  await app.settle();
  const { items } = await bob.chunks.list.query({ scope, documentId: document.id });
  const judged = {
    scope: unit,
    collection: 'judged',
    datasetIds: ['faq'],
    expected: [{ documentId: document.id, chunkId: items[0]!.id }],
  };
  for (const [conversationId, messageId] of [
    [own.id, `${user} asks`],
    [other.id, `${user} joins`],
    [other.id, `${other.id} kept`],
  ] as const)
    await bob.evaluations.addFromMessage.mutate({ ...judged, conversationId, messageId });
  return { own, other, document };
}

/** Puts the user into each column of a table of tenants that takes a name, such as those of later versions. */
async function fillNames(tenantId: string, user: string): Promise<void> {
  const { rows } = await sql<{ table: string; names: string[] }>`
    select c.table_name::text as table, array_agg(c.column_name::text) as names
    from information_schema.columns as c join information_schema.tables as t using (table_schema, table_name)
    where table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.table_name not like 'audit_events_%'
      and c.column_name ~ '_by(_name)?$' and exists (
        select from information_schema.columns as k where k.table_name = c.table_name and k.column_name = 'tenant_id')
    group by c.table_name
  `.execute(app.db);
  expect(rows.length).toBeGreaterThan(8);
  for (const { table, names } of rows) {
    const changes = names.map((name) => sql`${sql.ref(name)} = ${user}`);
    await sql`update ${sql.table(table)} set ${sql.join(changes)} where tenant_id = ${tenantId}`.execute(
      app.db,
    );
  }
}

describe.each([
  ['in ASCII', 'zz-alice-7391'],
  ['beyond Latin-1', 'ωlice-7391'],
])('a user whose id is %s', (_, user) => {
  const scope = { tenantId: `tenant of ${_}` };
  const elsewhere = { tenantId: `other than ${_}` };

  test('is erased everywhere, and nobody else', async () => {
    const { other, document } = await leaveTraces(scope, user);
    await leaveTraces(elsewhere, user);
    const before = await findText(app.db, user);
    expect(before).toEqual(
      expect.arrayContaining(['conversations', 'messages', 'idempotency_keys', 'webhook_deliveries']),
    );
    const erasure = await erase(scope, user);
    expect(erasure).toEqual({
      id: UUID,
      pseudonym: expect.stringMatching(/^erased:[0-9a-f]{16}$/),
      createdTime: TIME,
      createdBy: null,
      finishedTime: TIME,
      erased: {
        conversations: 1,
        messages: 1,
        feedback: 1,
        judgedQuestions: 2,
        webhookDeliveries: 3,
        idempotentResults: 2,
        // Of the assignment, the relayed message, the review, its change of the status, and of what the user has made.
        names: expect.any(Number),
        auditEvents: expect.any(Number),
      },
      held: 0,
    });
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from conversations where tenant_id = ${elsewhere.tenantId} and user_id = ${user}
    `.execute(app.db);
    expect(rows).toEqual([{ count: 1 }]);
    await erase(elsewhere, user);
    await expectNothing(user);

    const c = app.trpc();
    const { items: conversations } = await c.conversations.list.query({ scope });
    expect(conversations).toEqual([
      {
        ...other,
        status: 'reviewed',
        assignmentId: null,
        updatedBy: null,
        updatedTime: TIME,
        messageCount: 2,
        version: 3,
      },
    ]);
    const { items: messages } = await c.messages.list.query({ scope, conversationId: other.id });
    expect(
      messages.map(({ content, feedback, feedbackNote, feedbackBy, createdBy }) => ({
        content,
        feedback,
        feedbackNote,
        feedbackBy,
        createdBy,
      })),
    ).toEqual([
      { content: 'Kept.', feedback: null, feedbackNote: null, feedbackBy: null, createdBy: 'bob' },
      { content: 'Relayed.', feedback: null, feedbackNote: null, feedbackBy: null, createdBy: null },
    ]);
    const { items: reviews } = await c.conversations.reviews.query({ scope, conversationId: other.id });
    expect(reviews).toEqual([{ id: UUID, verdict: 'bad', note: null, reviewedTime: TIME, reviewedBy: null }]);
    expect(await c.documents.get.query({ scope, documentId: document.id })).toMatchObject({
      createdBy: null,
    });
    const unit = { ...scope, tenantUnitId: 'sales' };
    const { items: questions } = await c.evaluations.questions.query({ scope: unit, collection: 'judged' });
    expect(questions.map(({ query }) => query)).toEqual(['Kept.']);
    const { rows: sent } = await sql<{ type: string }>`
      select event_type as type from webhook_deliveries where tenant_id = ${scope.tenantId} order by sequence
    `.execute(app.db);
    expect(sent.map(({ type }) => type)).toEqual([
      'conversation.created',
      'message.created',
      'message.created',
      'conversation.deleted',
    ]);
  });

  test('has a pseudonym in the audit log, whose events stay in their places', async () => {
    const { audit, users } = app.trpc();
    const [erasure] = (await users.erasures.query({ scope })).items;
    const { pseudonym } = erasure!;
    const { items } = await audit.list.query({ scope, pageSize: 100 });
    expect(items.filter(({ userId }) => userId === pseudonym).length).toBeGreaterThan(8);
    const own = items.find(({ action, userId }) => action === 'conversations.create' && userId === pseudonym);
    expect(own).toEqual({
      id: expect.any(Number),
      tenantId: scope.tenantId,
      tenantUnitId: 'sales',
      time: TIME,
      action: 'conversations.create',
      subjectType: 'conversation',
      subjectId: UUID,
      keyId: null,
      userId: pseudonym,
      userIssuer: null,
      userName: null,
      address: null,
      requestId: expect.any(String),
      before: null,
      after: { status: 'running', agentId: AGENT.agentId, assignmentId: null },
    });
    const assigned = items.find(({ after }) => after?.topic === 'Of Bob');
    expect(assigned).toMatchObject({ userId: 'bob', after: { assignmentId: pseudonym } });
    expect(items.filter(({ subjectType }) => subjectType === 'user')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: 'users.erase',
          subjectId: pseudonym,
          after: { erasureId: erasure!.id },
        }),
        expect.objectContaining({ subjectId: pseudonym, after: { auditEvents: expect.any(Number) } }),
      ]),
    );
    const ids = items.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(items.map(({ time }) => time)).toEqual(
      items
        .map(({ time }) => time)
        .toSorted()
        .reverse(),
    );
  });
});

test('erases the name from every column that takes one', async () => {
  const scope = { tenantId: 'names' };
  await leaveTraces(scope, 'carol-5512');
  await fillNames(scope.tenantId, 'carol-5512');
  await erase(scope, 'carol-5512');
  await expectNothing('carol-5512');
});

test('keeps what is under a legal hold until it is lifted', async () => {
  const scope = { tenantId: 'held' };
  const user = 'dave-8805';
  const { own, other } = await leaveTraces(scope, user);
  const c = app.trpc();
  for (const { id: conversationId } of [own, other])
    await c.conversations.setLegalHold.mutate({ scope, conversationId, legalHold: true });
  const { id, held, erased } = await erase(scope, user);
  // The conversation, its message, and the message in the other one.
  expect({ held, erased }).toMatchObject({ held: 3, erased: { conversations: 0, messages: 0, feedback: 0 } });
  expect(await c.conversations.get.query({ scope, conversationId: own.id })).toMatchObject({ userId: user });
  for (const { id: conversationId } of [other, own])
    await c.conversations.setLegalHold.mutate({ scope, conversationId, legalHold: false });
  await expect
    .poll(() => c.users.erasure.query({ scope, erasureId: id }), { timeout: 60_000 })
    .toMatchObject({ finishedTime: TIME, held: 0, erased: { conversations: 1, messages: 1 } });
  await expectNothing(user);
});

test('erases in steps, and finishes at once what is nowhere', async () => {
  const scope = { tenantId: 'many' };
  await sql`
    insert into conversations (id, tenant_id, tenant_unit_id, agent_id, user_id, agent_mode, extend_properties, created_time, updated_time)
    select 'c ' || i, ${scope.tenantId}, 'sales', 'agent', case when i % 2 = 0 then 'erin-1' else 'bob' end, 'chat', '{}', now(), now()
    from generate_series(1, 1001) as i
  `.execute(app.db);
  expect((await erase(scope, 'erin-1')).erased).toMatchObject({ conversations: 500 });
  expect((await app.trpc().conversations.list.query({ scope, userId: 'bob' })).totalCount).toBe(501);
  const { erased } = await erase(scope, 'nobody');
  expect(Object.values(erased).every((count) => count === 0)).toBe(true);
});

test('an erasure that is under way is not begun twice', async () => {
  const scope = { tenantId: 'twice' };
  const { users } = app.trpc();
  const [one, two] = await Promise.all([1, 2].map(() => users.erase.mutate({ scope, userId: 'frank' })));
  expect(two).toEqual(one);
});

test('is for keys of the whole tenant that may erase', async () => {
  const scope = { tenantId: 'acme' };
  const { key: all } = await closed.makeKey();
  const { key } = await closed.makeKey({ scope: { tenantId: 'acme', tenantUnitId: ['sales'] } });
  const restricted = closed.trpc({ 'x-api-key': key });
  await expect(restricted.users.erase.mutate({ scope, userId: 'x' })).rejects.toMatchObject({
    message: 'An erasure concerns all units of the tenant; this API key is restricted to some.',
    data: { httpStatus: 403 },
  });
  const { key: other } = await closed.makeKey({ scopes: ['keys:admin', 'retention:write', 'operations'] });
  await expect(closed.trpc({ 'x-api-key': other }).users.erasures.query({ scope })).rejects.toMatchObject({
    data: { httpStatus: 403 },
  });
  await expect(
    closed.trpc({ 'x-api-key': all }).users.erase.mutate({ scope, userId: '' }),
  ).rejects.toMatchObject({
    data: { httpStatus: 422, detail: [{ loc: ['userId'] }] },
  });
});
