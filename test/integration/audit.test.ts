import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { tenantTransaction } from '../../db/tenant-isolation/tenant-transaction.js';
import { type Permission, permissions } from '../../src/auth/permissions.js';
import { appRouter } from '../../src/routers/index.js';
import { useApp } from '../support/app.js';
import { CONVERSATIONS, TENANT, TENANT_UNIT, TIME, UUID } from './support/rest-client.js';
import { callSession, signIn } from './support/sign-in.js';

const app = useApp({ authMode: 'required' });
const TEXT = 'The secret recipe is salt.';
const SECRET = /lectern_\w{12}_\w+|whsec_|\.[\w-]{43}/;
/** What was received and is not wanted belongs to nobody; a preview and a search token store nothing; a message says itself
 * who wrote it and when. */
const UNRECORDED = [
  'files.discard',
  'documents.previewChunks',
  'search.token',
  'messages.append',
  'messages.stream',
];

type Caller = ReturnType<typeof app.trpc>;
interface Made {
  conversationId: string;
  documentId: string;
  chunkId: string;
  webhookId: string;
  keyId: string;
  questionId: string;
  synonymsId: string;
  labelId: string;
  ruleId: string;
  memberId: string;
  /** The caller's. */
  key: string;
}
type Row = (caller: Caller, made: Made) => Promise<unknown>;

const label = (made: Made) => ({ scope: TENANT, labelId: made.labelId });
const document = (made: Made) => ({ scope: TENANT, documentId: made.documentId });
const documents = (made: Made) => ({ scope: TENANT, documentIds: [made.documentId] });
const conversation = (made: Made) => ({ scope: TENANT, conversationId: made.conversationId });
const chunk = (made: Made) => ({ ...document(made), chunkId: made.chunkId });
const chunks = (made: Made) => ({ ...document(made), chunkIds: [made.chunkId] });
const webhook = (made: Made) => ({ scope: TENANT, webhookId: made.webhookId });
const collection = { scope: TENANT_UNIT, collection: 'judged' };
const url = 'https://pages.test/hook';

/** Each write, in an order in which all succeed. */
const WRITES: Record<string, Row> = {
  'conversations.create': async ({ conversations }, made) => {
    made.conversationId = (await conversations.create.mutate({ scope: TENANT_UNIT, topic: 'Refund' })).id;
  },
  'conversations.update': (c, made) => c.conversations.update.mutate({ ...conversation(made), topic: 'New' }),
  'conversations.setStatus': (c, made) =>
    c.conversations.setStatus.mutate({ ...conversation(made), status: 'failed' }),
  'conversations.review': (c, made) =>
    c.conversations.review.mutate({ ...conversation(made), verdict: 'bad', note: TEXT }),
  'messages.setFeedback': async (c, made) => {
    const messages = [{ id: 'answered', messageFrom: 'user', content: TEXT }];
    await c.messages.append.mutate({ ...conversation(made), messages });
    await c.messages.setFeedback.mutate({
      ...conversation(made),
      messageId: 'answered',
      feedback: 'down',
      note: TEXT,
    });
  },
  'labels.create': async ({ labels }, made) => {
    made.labelId = (await labels.create.mutate({ scope: TENANT, name: 'Refund', color: '#ff0000' })).id;
  },
  'labels.update': (c, made) => c.labels.update.mutate({ ...label(made), name: 'Refunds' }),
  'conversations.setLabels': (c, made) =>
    c.conversations.setLabels.mutate({ ...conversation(made), add: [made.labelId] }),
  'conversations.bulk': (c) =>
    c.conversations.bulk.mutate({
      scope: TENANT_UNIT,
      filter: {},
      change: { action: 'assign', assignmentId: 'desk' },
    }),
  'conversations.setLegalHold': async (c, made) => {
    await c.conversations.setLegalHold.mutate({ ...conversation(made), legalHold: true });
    await c.conversations.setLegalHold.mutate({ ...conversation(made), legalHold: false });
  },
  'retention.create': async (c, made) => {
    made.ruleId = (await c.retention.create.mutate({ scope: TENANT, keepDays: 30 })).id;
  },
  'retention.update': (c, made) =>
    c.retention.update.mutate({ scope: TENANT, ruleId: made.ruleId, keepDays: 60 }),
  'retention.delete': (c, made) => c.retention.delete.mutate({ scope: TENANT, ruleId: made.ruleId }),
  'members.setRole': async (c, made) => {
    made.memberId = 'member';
    const now = new Date();
    await app.db
      .insertInto('members')
      .values({
        tenantId: TENANT.tenantId,
        id: made.memberId,
        issuer: 'https://id.test',
        subject: 'ann-1',
        userId: 'ann',
        createdTime: now,
        lastSeenTime: now,
      })
      .execute();
    await c.members.setRole.mutate({ scope: TENANT, memberId: made.memberId, role: 'viewer' });
  },
  'members.remove': (c, made) => c.members.remove.mutate({ scope: TENANT, memberId: made.memberId }),
  'users.erase': (c) => c.users.erase.mutate({ scope: TENANT, userId: 'nobody' }),
  'labels.delete': (c, made) => c.labels.delete.mutate(label(made)),
  'conversations.delete': (c, made) => c.conversations.delete.mutate(conversation(made)),
  'conversations.import': (c) =>
    c.conversations.import.mutate({
      scope: TENANT,
      conversations: [
        {
          id: 'imported',
          tenantUnitId: TENANT_UNIT.tenantUnitId,
          agentId: 'a',
          userId: 'u',
          createdTime: '2026-01-01T00:00:00Z',
          updatedTime: '2026-01-01T00:00:00Z',
          messages: [],
        },
      ],
    }),
  'documents.create': async ({ documents }, made) => {
    const fields = { scope: TENANT_UNIT, documentType: 'UnstructuredFile', documentContent: TEXT } as const;
    made.documentId = (await documents.create.mutate(fields)).id;
    await app.settle();
  },
  'files.upload': (c) => c.files.upload.mutate(new Blob([TEXT])),
  'documents.createMany': (c) =>
    c.documents.createMany.mutate({ scope: TENANT_UNIT, documents: [{ documentContent: TEXT }] }),
  'documents.upsert': (c) =>
    c.documents.upsert.mutate({ scope: TENANT_UNIT, externalId: 'handbook', documentContent: TEXT }),
  'documents.update': async (c, made) => {
    await c.documents.update.mutate({ ...document(made), customProperties: { a: 1 } });
  },
  'documents.setEnabled': (c, made) => c.documents.setEnabled.mutate({ ...document(made), enabled: false }),
  'chunks.update': async (c, made) => {
    const { items } = await c.chunks.list.query(document(made));
    made.chunkId = items[0]!.id;
    await c.chunks.update.mutate({ ...chunk(made), content: `${TEXT} And pepper.` });
  },
  'chunks.restore': (c, made) => c.chunks.restore.mutate(chunk(made)),
  'chunks.setStatus': (c, made) => c.chunks.setStatus.mutate({ ...chunk(made), status: 'inactive' }),
  'chunks.setStatusMany': (c, made) => c.chunks.setStatusMany.mutate({ ...chunks(made), status: 'active' }),
  'chunks.deleteMany': (c, made) => c.chunks.deleteMany.mutate(chunks(made)),
  'documents.reprocess': (c, made) => c.documents.reprocess.mutate(document(made)),
  'documents.setEnabledMany': (c, made) =>
    c.documents.setEnabledMany.mutate({ ...documents(made), enabled: true }),
  'documents.setDatasetsMany': (c, made) =>
    c.documents.setDatasetsMany.mutate({ ...documents(made), add: ['moved'], remove: ['faq'] }),
  'documents.cancel': (c, made) => c.documents.cancel.mutate(document(made)).catch(() => cancelAnew(c, made)),
  'documents.cancelMany': cancelManyAnew,
  'documents.reprocessMany': (c, made) =>
    c.documents.reprocessMany.mutate({ scope: TENANT, documentIds: [made.documentId] }),
  'documents.deleteMany': async (c) => {
    const { created } = await c.documents.createMany.mutate({
      scope: TENANT_UNIT,
      documents: [{ title: 'Old' }],
    });
    await c.documents.deleteMany.mutate({ scope: TENANT, documentIds: created.map(({ id }) => id) });
  },
  'documents.delete': (c, made) => c.documents.delete.mutate(document(made)),
  'evaluations.saveQuestion': async (c, made) => {
    const { id } = await c.documents.create.mutate({
      scope: TENANT_UNIT,
      documentType: 'UnstructuredFile',
      documentContent: TEXT,
      datasetIds: ['faq'],
    });
    await app.settle();
    const { items } = await c.chunks.list.query({ scope: TENANT, documentId: id });
    const { id: questionId } = await c.evaluations.saveQuestion.mutate({
      ...collection,
      query: 'Which recipe?',
      datasetIds: ['faq'],
      expected: [{ documentId: id, chunkId: items[0]!.id }],
    });
    made.questionId = questionId;
  },
  'evaluations.addFromMessage': async (c) => {
    const { items } = await c.evaluations.questions.query(collection);
    const { conversationId } = await c.messages.append.mutate({
      scope: TENANT_UNIT,
      conversation: {},
      messages: [{ id: 'asked', messageFrom: 'user', content: TEXT }],
    });
    await c.evaluations.addFromMessage.mutate({
      ...collection,
      conversationId,
      messageId: 'asked',
      datasetIds: ['faq'],
      expected: items[0]!.expected.map(({ documentId, chunkId }) => ({ documentId, chunkId })),
    });
  },
  'evaluations.run': (c) => c.evaluations.run.mutate(collection),
  'evaluations.removeQuestion': (c, made) =>
    c.evaluations.removeQuestion.mutate({ scope: TENANT_UNIT, questionId: made.questionId }),
  'webhooks.create': async ({ webhooks }, made) => {
    const { id } = await webhooks.create.mutate({ scope: TENANT, url, eventTypes: ['document.ready'] });
    made.webhookId = id;
  },
  'webhooks.update': (c, made) => c.webhooks.update.mutate({ ...webhook(made), description: 'Mine' }),
  'webhooks.rotateSecret': (c, made) => c.webhooks.rotateSecret.mutate(webhook(made)),
  'webhooks.resume': (c, made) => c.webhooks.resume.mutate(webhook(made)),
  'webhooks.test': (c, made) => c.webhooks.test.mutate(webhook(made)),
  'webhooks.replay': (c, made) =>
    c.webhooks.replay.mutate({ ...webhook(made), failedSince: new Date(0).toISOString() }),
  'webhooks.delete': (c, made) => c.webhooks.delete.mutate(webhook(made)),
  'apiKeys.create': async ({ apiKeys }, made) => {
    made.keyId = (await apiKeys.create.mutate({ scope: TENANT, name: 'Search', scopes: ['search'] })).id;
  },
  'apiKeys.rotate': (c, made) => c.apiKeys.rotate.mutate({ scope: TENANT, keyId: made.keyId }),
  'apiKeys.revoke': (c, made) => c.apiKeys.revoke.mutate({ scope: TENANT, keyId: made.keyId }),
  'search.saveSynonyms': async (c, made) => {
    const { id } = await c.search.saveSynonyms.mutate({ scope: TENANT_UNIT, terms: ['sea', 'ocean'] });
    made.synonymsId = id;
  },
  'search.removeSynonyms': (c, made) =>
    c.search.removeSynonyms.mutate({ scope: TENANT_UNIT, synonymsId: made.synonymsId }),
  'search.importSynonyms': (c) =>
    c.search.importSynonyms.mutate({ scope: TENANT_UNIT, text: 'tv => television' }),
  'search.repair': (c) => c.search.repair.mutate({ scope: TENANT }),
  'session.create': (c) => c.session.create.mutate(),
  'session.delete': async (_, { key }) => {
    const headers = { 'x-user-id': 'zoe', 'x-request-id': 'request-session.delete' };
    await callSession(app, 'delete', { ...(await signIn(app, key)), ...headers });
  },
};

/** A worker may have been faster than the cancellation. */
async function cancelAnew(c: Caller, made: Made): Promise<unknown> {
  await c.documents.reprocess.mutate(document(made));
  return c.documents.cancel.mutate(document(made)).catch(() => cancelAnew(c, made));
}

async function cancelManyAnew(c: Caller, made: Made): Promise<unknown> {
  await c.documents.reprocess.mutate(document(made));
  const { cancelled } = await c.documents.cancelMany.mutate(documents(made));
  return cancelled === 1 || cancelManyAnew(c, made);
}

test('every write has a row in this table', () => {
  const mutations = Object.entries(appRouter._def.procedures as object)
    .filter(([, procedure]) => procedure._def.type === 'mutation')
    .map(([name]) => name);
  expect([...Object.keys(WRITES), ...UNRECORDED].sort()).toEqual(mutations.sort());
});

test('every write is audited: who, what, when, from where, without secrets or text', async () => {
  const { id: keyId, key } = await app.makeKey();
  const made = { key } as Made;
  for (const [action, write] of Object.entries(WRITES)) {
    const requestId = `request-${action}`;
    const caller = app.trpc({ 'x-api-key': key, 'x-user-id': 'zoe', 'x-request-id': requestId });
    await write(caller, made);
    const { items } = await caller.audit.list.query({ scope: TENANT, action, pageSize: 1 });
    expect(items, action).toEqual([
      {
        id: expect.any(Number),
        tenantId: 'acme',
        tenantUnitId: /^(webhooks|labels|apiKeys|session|files|retention|users|members|search\.repair)/.test(
          action,
        )
          ? null
          : 'sales',
        time: TIME,
        action,
        subjectType:
          { conversations: 'conversation', documents: 'document', chunks: 'chunk' }[
            action.split('.')[0] as string
          ] ?? expect.any(String),
        subjectId: expect.any(String),
        keyId,
        userId: 'zoe',
        userIssuer: null,
        userName: null,
        address: expect.stringMatching(/127\.0\.0\.1$/),
        requestId,
        before: items[0]!.before,
        after: items[0]!.after,
      },
    ]);
    expect(JSON.stringify(items)).not.toMatch(SECRET);
    expect(JSON.stringify(items)).not.toContain('recipe');
  }
});

test('changes are audited before and after', async () => {
  const { key } = await app.makeKey();
  const { conversations, documents, audit } = app.trpc({ 'x-api-key': key });
  const { id } = await conversations.create.mutate({
    scope: TENANT_UNIT,
    topic: 'One',
    assignmentId: 'desk',
  });
  await conversations.update.mutate({ scope: TENANT, conversationId: id, topic: 'Two' });
  await conversations.delete.mutate({ scope: TENANT, conversationId: id });
  const told = await audit.list.query({ scope: TENANT, subjectId: id });
  const agentId = '00000000-0000-0000-0000-000000000000';
  expect(told.items.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
    {
      action: 'conversations.delete',
      before: { topic: 'Two', status: 'running', agentId, assignmentId: 'desk' },
      after: null,
    },
    { action: 'conversations.update', before: { topic: 'One' }, after: { topic: 'Two' } },
    {
      action: 'conversations.create',
      before: null,
      after: { topic: 'One', status: 'running', agentId, assignmentId: 'desk' },
    },
  ]);

  const document = await documents.create.mutate({
    scope: TENANT_UNIT,
    documentType: 'UnstructuredWebpage',
    url: 'https://user:word@pages.test/page?signature=abc#part',
    customProperties: { large: 'x'.repeat(2_000) },
    title: 'y'.repeat(300),
  });
  const [event] = (await audit.list.query({ scope: TENANT, subjectId: document.id })).items;
  expect(event?.after).toMatchObject({
    url: 'https://pages.test/page',
    customProperties: '(too large to be kept)',
    title: `${'y'.repeat(256)}…`,
  });
});

test('the audit log is append-only, and failed writes leave no entry', async () => {
  const { key } = await app.makeKey();
  const caller = app.trpc({ 'x-api-key': key });
  const before = await caller.audit.list.query({ scope: TENANT });
  await expect(
    caller.conversations.update.mutate({ scope: TENANT, conversationId: 'none', topic: 'x' }),
  ).rejects.toThrow();
  expect((await caller.audit.list.query({ scope: TENANT })).totalCount).toBe(before.totalCount);
  for (const change of [
    sql`update audit_events set action = 'x' where tenant_id = 'acme'`,
    sql`delete from audit_events where tenant_id = 'acme'`,
    sql`truncate audit_events`,
  ]) {
    const changed = tenantTransaction(app.db, 'acme', (tx) => change.execute(tx));
    await expect(changed).rejects.toThrow('permission denied for table audit_events');
  }
});

test('is paged and filtered; requires keys:admin', async () => {
  const { key } = await app.makeKey();
  const { conversations, audit } = app.trpc({ 'x-api-key': key, 'x-user-id': 'pager' });
  for (const topic of ['a', 'b', 'c']) await conversations.create.mutate({ scope: TENANT_UNIT, topic });
  const filter = { scope: TENANT, userId: 'pager' };
  const second = await audit.list.query({ ...filter, page: 2, pageSize: 2 });
  expect(second).toMatchObject({ totalCount: 3, totalPages: 2, hasNextPage: false });
  expect(second.items.map(({ after }) => after)).toEqual([expect.objectContaining({ topic: 'a' })]);
  const [last] = (await audit.list.query(filter)).items;
  const until = last!.time as unknown as string;
  expect((await audit.list.query({ ...filter, since: until })).totalCount).toBeGreaterThan(0);
  expect((await audit.list.query({ ...filter, until: '2020-01-01T00:00:00Z' })).items).toEqual([]);
  const { key: reader } = await app.makeKey({ scopes: ['conversations:read'] });
  await expect(app.trpc({ 'x-api-key': reader }).audit.list.query({ scope: TENANT })).rejects.toMatchObject({
    data: { httpStatus: 403 },
  });
});

test('without read permission on the subject, fields are redacted except names and states', async () => {
  const { key } = await app.makeKey();
  const caller = app.trpc({ 'x-api-key': key });
  const { id: conversationId } = await caller.conversations.create.mutate({
    scope: TENANT_UNIT,
    topic: 'Layoffs',
  });
  await caller.conversations.update.mutate({ scope: TENANT, conversationId, topic: 'More layoffs' });
  const { id: documentId } = await caller.documents.create.mutate({
    scope: TENANT_UNIT,
    documentType: 'UnstructuredFile',
    documentName: 'plan.txt',
    documentContent: TEXT,
    title: 'Layoffs',
    customProperties: { list: 'Layoffs' },
    datasetIds: ['faq'],
  });
  await app.settle();
  const [found] = (await caller.chunks.list.query({ scope: TENANT, documentId })).items;
  await caller.chunks.update.mutate({ scope: TENANT, documentId, chunkId: found!.id, keywords: ['layoffs'] });

  const { id: synonymsId } = await caller.search.saveSynonyms.mutate({
    scope: TENANT_UNIT,
    terms: ['layoffs', 'reorganization'],
  });

  const needs = (permission: string) => `(needs the scope ${permission})`;
  const agentId = '00000000-0000-0000-0000-000000000000';
  const none = {
    conversation: [
      {
        action: 'conversations.update',
        before: { topic: needs('conversations:read') },
        after: { topic: needs('conversations:read') },
      },
      {
        action: 'conversations.create',
        before: null,
        after: {
          topic: needs('conversations:read'),
          status: 'running',
          agentId,
          assignmentId: null,
        },
      },
    ],
    document: [
      {
        action: 'documents.create',
        before: null,
        after: {
          documentName: 'plan.txt',
          externalId: null,
          documentType: 'UnstructuredFile',
          title: needs('documents:read'),
          category: null,
          source: 'content',
          storageBucket: null,
          storagePath: null,
          url: null,
          customProperties: needs('documents:read'),
          chunking: null,
          extraction: 'auto',
          enabled: true,
          status: 'created',
          datasetIds: ['faq'],
          revision: 1,
        },
      },
    ],
    chunk: [
      {
        action: 'chunks.update',
        before: { keywords: null, revision: 1 },
        after: { keywords: needs('chunks:read'), revision: 2 },
      },
    ],
    synonyms: [
      {
        action: 'search.saveSynonyms',
        before: null,
        after: { terms: needs('search'), replacements: null, datasetIds: null },
      },
    ],
  };
  const subjects = {
    conversation: conversationId,
    document: documentId,
    chunk: found!.id,
    synonyms: synonymsId,
  };
  const permissionOf = {
    conversation: 'conversations:read',
    document: 'documents:read',
    chunk: 'chunks:read',
    synonyms: 'search',
  } as const;
  for (const [type, subjectId] of Object.entries(subjects) as [keyof typeof subjects, string][]) {
    const eventsFor = async (scopes: Permission[]) => {
      const reader = app.trpc({ 'x-api-key': (await app.makeKey({ scopes })).key });
      const { items } = await reader.audit.list.query({ scope: TENANT, subjectId });
      return items.map(({ action, before, after }) => ({ action, before, after }));
    };
    const others = permissions.filter((one) => one !== permissionOf[type]);
    expect(await eventsFor(['keys:admin'])).toEqual(none[type]);
    expect(await eventsFor(others)).toEqual(none[type]);
    const all = await eventsFor(['keys:admin', permissionOf[type]]);
    expect(JSON.stringify(all)).toMatch(/layoffs/i);
    expect(JSON.stringify(all)).not.toContain('needs the scope');
  }
});

test('REST writes are audited too, with the key id if there is no user', async () => {
  const { id: keyId, key } = await app.makeKey();
  const { status, body } = await app.request('POST', CONVERSATIONS, {
    query: { tenant_unit_id: 'sales' },
    body: { topic: 'By REST' },
    headers: { authorization: `Bearer ${key}`, 'x-request-id': 'rest-1' },
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ id: UUID, tenant_id: 'acme', created_by: keyId, user_id: 'anonymous' });
  const { items } = await app
    .trpc({ 'x-api-key': key })
    .audit.list.query({ scope: TENANT, subjectId: body.id });
  expect(items).toMatchObject([{ action: 'conversations.create', keyId, userId: null, requestId: 'rest-1' }]);
});
