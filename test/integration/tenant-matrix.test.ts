import { randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../db/schema.js';
import { listEndpoints } from '../../src/rest-facade/endpoints.js';
import { restRouter } from '../../src/rest-facade/index.js';
import { appRouter } from '../../src/routers/index.js';
import { createPostgresIndex } from '../../src/search/postgres.js';
import { useApp } from '../support/app.js';

/*
 * Every operation, asked for what belongs to someone else, must answer as it does for what does not exist: byte
 * by byte, once the ids are taken out. Both lists of operations are read from the routers, so a new operation
 * fails here until it has a row.
 */

/** What a request names. A row that uses a name is tried with somebody else's in its place. */
interface Target {
  tenant: string;
  unit: string;
  conversation: string;
  document: string;
  chunk: string;
  externalId: string;
  webhook: string;
  delivery: string;
  apiKey: string;
}

interface RestRequest {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  form?: Record<string, string>;
}

type Row<T> = (target: Target) => T;

const v2 = ({ tenant, unit }: Target) => ({ tenant_id: tenant, tenant_unit_id: unit });
const conversationPath = ({ conversation }: Target) => ({ conversation_id: conversation });
const place = ({ tenant, unit }: Target) => ({ tenantId: tenant, tenantUnitId: unit });
const documentType = 'UnstructuredFile';

const REST: Record<string, Row<RestRequest>> = {
  'conversations.list': (t) => ({ query: v2(t) }),
  'conversations.messages': (t) => ({ path: conversationPath(t), query: v2(t) }),
  'conversations.create': (t) => ({ query: v2(t), body: { topic: 'mine' } }),
  'conversations.get': (t) => ({ path: conversationPath(t), query: v2(t) }),
  'conversations.update': (t) => ({ path: conversationPath(t), query: v2(t), body: { topic: 'taken' } }),
  'conversations.delete': (t) => ({ path: conversationPath(t), query: v2(t) }),
  'conversations.setStatus': (t) => ({ path: conversationPath(t), query: v2(t), body: { status: 'failed' } }),
  'documents.create': (t) => ({
    query: { tenantId: t.tenant },
    // An id is the tenant's own, whatever the unit, so a taken one is no secret between units.
    body: { ...place(t), documentType, ...(t.unit === OWN_UNIT && { id: t.document }) },
  }),
  'documents.upload': (t) => ({ form: { ...place(t), documentType, datasetIds: 'faq' } }),
  'documents.upsert': (t) => ({
    path: { externalId: t.externalId },
    query: { tenantId: t.tenant },
    body: { externalId: t.externalId, ...place(t), documentName: 'mine' },
  }),
  'documents.get': (t) => ({ path: { documentId: t.document }, query: { tenantId: t.tenant } }),
  'documents.list': (t) => ({ query: { ...place(t), datasetIds: 'faq' } }),
  'documents.delete': (t) => ({ path: { documentId: t.document }, query: { tenantId: t.tenant } }),
  'documents.byIds': (t) => ({ query: { tenantId: t.tenant, documentIds: JSON.stringify([t.document]) } }),
  'documents.update': (t) => ({
    path: { documentId: t.document },
    query: { tenantId: t.tenant },
    body: { documentContent: 'taken', enabled: false },
  }),
  'documents.toggle': (t) => ({
    path: { documentId: t.document },
    query: { tenantId: t.tenant },
    body: { enabled: false },
  }),
  'chunks.list': (t) => ({ path: { documentId: t.document }, query: { tenantId: t.tenant } }),
  'chunks.search': (t) => ({
    query: { tenantId: t.tenant },
    body: { ...v2(t), dataset_ids: ['faq'], query: 'secret recipe' },
  }),
  'chunks.update': (t) => ({
    path: { document_id: t.document, chunk_id: t.chunk },
    query: { tenantId: t.tenant },
    body: { content: 'taken', keywords: ['taken'] },
  }),
  'chunks.deleteMany': (t) => ({
    path: { document_id: t.document },
    query: place(t),
    body: { documentChunkIds: [t.chunk] },
  }),
  'chunks.setStatusMany': (t) => ({
    path: { document_id: t.document },
    query: place(t),
    body: { status: 'inactive', documentChunkIds: [t.chunk] },
  }),
  'chunks.setStatus': (t) => ({
    path: { document_id: t.document, chunk_id: t.chunk },
    query: place(t),
    body: { status: 'inactive' },
  }),
};

const documentRef = (t: Target) => ({ scope: { tenantId: t.tenant }, documentId: t.document });
const conversationRef = (t: Target) => ({ scope: place(t), conversationId: t.conversation });
const webhookRef = (t: Target) => ({ scope: place(t), webhookId: t.webhook });

const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;

const TRPC: Record<string, Row<object>> = {
  'conversations.list': (t) => ({ scope: place(t) }),
  'conversations.get': conversationRef,
  'conversations.create': (t) => ({ scope: place(t) }),
  'conversations.update': (t) => ({ ...conversationRef(t), topic: 'taken' }),
  'conversations.setStatus': (t) => ({ ...conversationRef(t), status: 'failed' }),
  'conversations.delete': conversationRef,
  'messages.list': conversationRef,
  'documents.create': (t) => ({
    scope: place(t),
    documentType,
    ...(t.unit === OWN_UNIT && { id: t.document }),
  }),
  'documents.createMany': (t) => ({
    scope: place(t),
    documents: [{ documentType, ...(t.unit === OWN_UNIT && { id: t.document }) }],
  }),
  'documents.upsert': (t) => ({ scope: place(t), externalId: t.externalId, documentName: 'mine' }),
  'documents.get': (t) => ({ scope: place(t), documentId: t.document }),
  'documents.getMany': (t) => ({ scope: place(t), documentIds: [t.document] }),
  'documents.list': (t) => ({ scope: place(t), datasetIds: ['faq'] }),
  'documents.update': (t) => ({ scope: place(t), documentId: t.document, documentContent: 'taken' }),
  'documents.setEnabled': (t) => ({ scope: place(t), documentId: t.document, enabled: false }),
  'documents.delete': (t) => ({ scope: place(t), documentId: t.document }),
  'documents.reprocess': (t) => ({ scope: place(t), documentId: t.document, unconditional: true }),
  'documents.reprocessMany': (t) => ({ scope: place(t), documentIds: [t.document], unconditional: true }),
  'documents.cancel': (t) => ({ scope: place(t), documentId: t.document }),
  'documents.waitUntilSearchable': (t) => ({
    scope: place(t),
    documentId: t.document,
    chunkIds: [t.chunk],
    seconds: 0,
  }),
  'documents.progress': (t) => ({ scope: place(t), documentIds: [t.document] }),
  'chunks.list': (t) => ({ scope: place(t), documentId: t.document }),
  'chunks.search': (t) => ({ scope: place(t), datasetIds: ['faq'], query: 'secret recipe' }),
  'chunks.update': (t) => ({ ...documentRef(t), scope: place(t), chunkId: t.chunk, content: 'taken' }),
  'chunks.setStatus': (t) => ({ ...documentRef(t), scope: place(t), chunkId: t.chunk, status: 'inactive' }),
  'chunks.setStatusMany': (t) => ({
    ...documentRef(t),
    scope: place(t),
    chunkIds: [t.chunk],
    status: 'inactive',
  }),
  'chunks.deleteMany': (t) => ({ ...documentRef(t), scope: place(t), chunkIds: [t.chunk] }),
  'webhooks.create': (t) => ({
    scope: place(t),
    url: 'https://example.com',
    eventTypes: ['document.ready'],
    secret,
  }),
  'webhooks.list': (t) => ({ scope: place(t) }),
  'webhooks.get': webhookRef,
  'webhooks.update': (t) => ({ ...webhookRef(t), url: 'https://example.com/taken' }),
  'webhooks.rotateSecret': (t) => ({ ...webhookRef(t), secret }),
  'webhooks.resume': webhookRef,
  'webhooks.delete': webhookRef,
  'webhooks.deliveries': webhookRef,
  'webhooks.replay': (t) => ({ ...webhookRef(t), deliveryId: t.delivery }),
  'webhooks.test': webhookRef,
  'apiKeys.list': (t) => ({ scope: place(t) }),
  'apiKeys.create': (t) => ({ scope: place(t), name: 'mine', scopes: ['search'] }),
  'apiKeys.rotate': (t) => ({ scope: place(t), keyId: t.apiKey }),
  'apiKeys.revoke': (t) => ({ scope: place(t), keyId: t.apiKey }),
  'search.explain': (t) => ({
    scope: place(t),
    datasetIds: ['faq'],
    query: 'secret recipe',
    chunk: { documentId: t.document, chunkId: t.chunk },
  }),
};

/**
 * No tenant's: a received file is reached by knowing its random id, until a document claims it; and figures of the
 * search as a whole.
 */
const WITHOUT_TENANT = [
  'files.upload',
  'files.discard',
  'search.status',
  'search.settings',
  'search.tasks',
  'search.verify',
];

interface World {
  /** What the caller may see. */
  own: Target;
  /** The same kinds of things of another tenant. */
  foreign: Target;
  /** Another document of the caller's, with its chunk. */
  sibling: Target;
  /** A tenant that has things in another unit only, so that its own do not show. */
  neighbour: Target;
  /** A tenant and ids that nobody has. */
  unknown: Target;
}

/** Whose rows must stay as they are, what is asked for, and what the same request is for unknown ids. */
interface Attempt {
  victim: string;
  asked: Target;
  unknown: Target;
}

const OWN_UNIT = 'unit-own';

const AXES: Record<string, { uses: keyof Target; attempt: (world: World) => Attempt }> = {
  'a foreign tenant': {
    uses: 'tenant',
    attempt: ({ own, neighbour, unknown }) => ({
      victim: own.tenant,
      asked: { ...own, tenant: neighbour.tenant },
      unknown,
    }),
  },
  'a foreign unit': {
    uses: 'unit',
    attempt: ({ own, unknown }) => ({
      victim: own.tenant,
      asked: { ...own, unit: 'unit-two' },
      unknown: { ...unknown, tenant: own.tenant, unit: 'unit-two' },
    }),
  },
  'a foreign conversation': one('conversation', ['conversation']),
  'a foreign document': one('document', ['document', 'chunk']),
  "a foreign document with the caller's chunk": one('document', ['document']),
  'a foreign external id': one('externalId', ['externalId']),
  'a foreign webhook': one('webhook', ['webhook', 'delivery']),
  'a foreign delivery': one('delivery', ['delivery']),
  'a foreign API key': one('apiKey', ['apiKey']),
  'a foreign chunk': one('chunk', ['chunk']),
  'a chunk of another document': {
    uses: 'chunk',
    attempt: ({ own, sibling, unknown }) => ({
      victim: own.tenant,
      asked: { ...own, chunk: sibling.chunk },
      unknown: { ...own, chunk: unknown.chunk },
    }),
  },
};

/** Some of the foreign tenant's ids, under the caller's own tenant and unit. */
function one(uses: keyof Target, taken: (keyof Target)[]) {
  const swap = (base: Target, from: Target) =>
    ({ ...base, ...Object.fromEntries(taken.map((key) => [key, from[key]])) }) as Target;
  return {
    uses,
    attempt: ({ own, foreign, unknown }: World): Attempt => ({
      victim: foreign.tenant,
      asked: swap(own, foreign),
      unknown: swap(own, unknown),
    }),
  };
}

const app = useApp();

describe('REST', () => {
  const endpoints = listEndpoints(restRouter);

  test('every endpoint has a row', () => {
    expect(Object.keys(REST).sort()).toEqual(endpoints.map(({ name }) => name).sort());
    expect(endpoints).toHaveLength(22);
  });

  for (const { name, rest } of endpoints) {
    test.each(axesFor(REST[name]))(`${rest.method} ${rest.path}: %s`, async (_, attempt) => {
      await expectSameAsUnknown(attempt, (target) => {
        const { path = {}, query, body, form } = (REST[name] as Row<RestRequest>)(target);
        const route = rest.path.replace(/\{(\w+)\}/g, (_match, key: string) =>
          encodeURIComponent(path[key] ?? ''),
        );
        return send(rest.method, `${route}?${new URLSearchParams(query)}`, form ? toForm(form) : body);
      });
    });
  }
});

describe('tRPC', () => {
  const procedures = Object.entries(appRouter._def.procedures).map(([name, procedure]) => ({
    name,
    // Subscriptions are read like queries; what these tell of documents that are ready has an end.
    isRead: (procedure as unknown as { _def: { type: string } })._def.type !== 'mutation',
  }));

  test('every procedure has a row', () => {
    const names = procedures.map(({ name }) => name).sort();
    expect([...Object.keys(TRPC), ...WITHOUT_TENANT].sort()).toEqual(names);
  });

  for (const { name, isRead } of procedures) {
    test.each(axesFor(TRPC[name]))(`${name}: %s`, async (_, attempt) => {
      await expectSameAsUnknown(attempt, (target) => {
        const input = (TRPC[name] as Row<object>)(target);
        return isRead
          ? send('GET', `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`)
          : send('POST', `/trpc/${name}`, input);
      });
    });
  }
});

test('the matrix tells an answer with something in it from one without', async () => {
  const { own, unknown } = await createWorld(app.db);
  const [seen, unseen] = await Promise.all(
    [own, unknown].map((target) =>
      send(
        'POST',
        `/admin/api/v1/api/v1/documentChunks/search?tenantId=${target.tenant}`,
        REST['chunks.search']?.(target).body,
      ),
    ),
  );
  expect(seen?.body).toContain('secret recipe');
  expect(unseen).toMatchObject({ status: 200, body: '[]' });
});

/** The axes whose name a row uses, found by building the row with names that can be looked for. */
function axesFor<T>(row: Row<T> | undefined): [string, (world: World) => Attempt][] {
  if (!row) return [];
  const names = [
    ...([
      'tenant',
      'unit',
      'conversation',
      'document',
      'chunk',
      'externalId',
      'webhook',
      'delivery',
      'apiKey',
    ] as const),
  ];
  const marks = Object.fromEntries(names.map((name) => [name, `<${name}>`])) as unknown as Target;
  const used = [marks, { ...marks, unit: OWN_UNIT }].map((target) => JSON.stringify(row(target))).join();
  return Object.entries(AXES)
    .filter(([, { uses }]) => used.includes(JSON.stringify(marks[uses]).slice(1, -1)))
    .map(([name, { attempt }]) => [name, attempt]);
}

interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

async function expectSameAsUnknown(
  attempt: (world: World) => Attempt,
  request: (target: Target) => Promise<RawAnswer>,
): Promise<void> {
  const { victim, asked, unknown } = attempt(await createWorld(app.db));
  const before = await dump(victim);
  const given = anonymise(await request(asked), asked);
  const expected = anonymise(await request(unknown), unknown);
  expect(given).toEqual(expected);
  // What is new there is what an unknown id leads to as well: nothing of the rows that were there may differ.
  expect(await dump(victim)).toEqual(expect.objectContaining(before));
}

async function send(method: string, route: string, body?: unknown): Promise<RawAnswer> {
  const response = await fetch(new URL(route, app.address), {
    method,
    ...(body instanceof FormData
      ? { body }
      : body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
  });
  const { 'x-request-id': _id, date: _date, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text() };
}

function toForm(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new File(['mine'], 'mine.txt'));
  return form;
}

/** Takes out the ids that were asked for, and what differs between any two answers: new ids and times. */
function anonymise(answer: RawAnswer, target: Target): RawAnswer {
  let { body } = answer;
  for (const [name, value] of Object.entries(target)) body = body.replaceAll(value, `<${name}>`);
  body = body
    .replace(/lectern_\w{62}/, '<new key>')
    .replace(/"id":"[0-9A-Za-z]{12}"/, '"id":"<new id>"')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<new id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
  return { ...answer, body };
}

/** Every row of a tenant, by table and primary key. */
async function dump(tenantId: string): Promise<Record<string, unknown>> {
  const tables = [
    ['conversations', ['id']],
    ['conversationStatusChanges', ['id']],
    ['messages', ['id']],
    ['documents', ['id']],
    ['documentSources', ['documentId']],
    ['documentDatasets', ['documentId', 'datasetId']],
    ['chunks', ['id']],
    ['chunkTerms', ['chunkId']],
    ['webhookSubscriptions', ['id']],
    ['webhookDeliveries', ['id']],
    ['apiKeys', ['id']],
  ] as const;
  const rows: [string, unknown][] = [];
  for (const [table, keys] of tables) {
    const found = await app.db.selectFrom(table).selectAll().where('tenantId', '=', tenantId).execute();
    for (const row of found) {
      rows.push([`${table} ${keys.map((key) => (row as Record<string, unknown>)[key]).join()}`, row]);
    }
  }
  return Object.fromEntries(rows);
}

/** Two tenants with a conversation, a message and a searchable document each; the first has one more. */
async function createWorld(db: Database): Promise<World> {
  const target = (tenant: string): Target => ({
    tenant,
    unit: OWN_UNIT,
    conversation: uuid(),
    document: uuid(),
    chunk: uuid(),
    externalId: uuid(),
    webhook: uuid(),
    delivery: uuid(),
    apiKey: uuid(),
  });
  const tenant = () => `tenant-${uuid()}`;
  const own = target(tenant());
  const foreign = target(tenant());
  const neighbour = { ...target(tenant()), unit: 'unit-elsewhere' };
  const sibling = { ...target(own.tenant), conversation: own.conversation };
  for (const one of [own, foreign, neighbour]) await addConversation(db, one);
  for (const one of [own, foreign, neighbour]) await addWebhook(db, one);
  for (const one of [own, foreign, neighbour]) await addApiKey(db, one);
  for (const one of [own, foreign, neighbour, sibling]) await addDocument(db, one);
  return { own, foreign, sibling, neighbour, unknown: target(tenant()) };
}

async function addConversation(db: Database, { tenant, unit, conversation }: Target): Promise<void> {
  const shared = { tenantId: tenant, tenantUnitId: unit, agentId: 'agent', userId: 'user' };
  const now = new Date();
  await db
    .insertInto('conversations')
    .values({
      ...shared,
      id: conversation,
      agentMode: 'chat',
      createdTime: now,
      updatedTime: now,
      status: 'running',
    })
    .execute();
  await db
    .insertInto('messages')
    .values({
      ...shared,
      id: uuid(),
      conversationId: conversation,
      runId: 'run',
      messageFrom: 'user',
      content: 'secret',
      requestedTime: now,
    })
    .execute();
}

async function addWebhook(db: Database, { tenant, unit, webhook, delivery }: Target): Promise<void> {
  const now = new Date();
  await db
    .insertInto('webhookSubscriptions')
    .values({
      id: webhook,
      tenantId: tenant,
      tenantUnitIds: [unit],
      url: 'https://secret.example',
      eventTypes: ['document.ready'],
      secret,
      // Nothing is to be sent here.
      enabled: false,
      createdTime: now,
      updatedTime: now,
    })
    .execute();
  await db
    .insertInto('webhookDeliveries')
    .values({
      id: delivery,
      tenantId: tenant,
      subscriptionId: webhook,
      eventId: uuid(),
      eventType: 'document.ready',
      subjectId: 'secret',
      payload: '{}',
      createdTime: now,
      deliveredTime: now,
    })
    .execute();
}

async function addApiKey(db: Database, { tenant, unit, apiKey }: Target): Promise<void> {
  await db
    .insertInto('apiKeys')
    .values({
      id: apiKey,
      tenantId: tenant,
      tenantUnitIds: [unit],
      scopes: ['search'],
      name: 'secret',
      secretHash: randomBytes(32),
      createdTime: new Date(),
    })
    .execute();
}

async function addDocument(
  db: Database,
  { tenant, unit, document, chunk, externalId }: Target,
): Promise<void> {
  const shared = { tenantId: tenant, tenantUnitId: unit };
  const now = new Date();
  await db
    .insertInto('documents')
    .values({
      ...shared,
      id: document,
      externalId,
      documentType,
      documentName: 'secret.txt',
      source: 'content',
      status: 'ready',
      processingProgress: 100,
      chunkCount: 1,
      createdTime: now,
      updatedTime: now,
    })
    .execute();
  await db
    .insertInto('documentSources')
    .values({ ...shared, documentId: document, content: 'secret recipe', contentHash: 'hash' })
    .execute();
  await db
    .insertInto('documentDatasets')
    .values({ ...shared, documentId: document, datasetId: 'faq' })
    .execute();
  const metadata = {
    file_directory: '',
    filename: 'secret.txt',
    filetype: 'text/plain',
    languages: ['en'],
    last_modified: now.toISOString(),
    page_number: 1,
  };
  await db
    .insertInto('chunks')
    .values({
      ...shared,
      id: chunk,
      documentId: document,
      ordinal: 0,
      sourceHash: 'hash',
      content: 'secret recipe',
      contentComplement: '',
      keywords: '{}',
      metadata: JSON.stringify(metadata),
      createdTime: now,
      updatedTime: now,
    })
    .execute();
  await createPostgresIndex({ db }).apply(db, { changed: [chunk] });
}
