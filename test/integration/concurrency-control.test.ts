import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import {
  CONVERSATIONS,
  chunksPath,
  createRestClient,
  DOCUMENTS,
  TENANT,
  TENANT_UNIT,
} from './support/rest-client.js';

const app = useApp();
const { call, createDocument } = createRestClient(app);
const CHANGED = {
  status: 412,
  body: {
    detail: [
      {
        type: 'precondition_failed',
        loc: [],
        msg: 'This has changed since you read it; fetch it again and repeat your change.',
      },
    ],
  },
};

const conversation = async () => `${CONVERSATIONS}/${(await call(201, 'POST', CONVERSATIONS)).id}`;
const document = async () => {
  const { id } = await createDocument({ documentContent: 'One chunk.' });
  await app.settle();
  return `${DOCUMENTS}/${id}`;
};
const chunk = async () => {
  const [, id] = (await document()).match(/([^/]+)$/) as unknown as [string, string];
  return chunksPath(id) + (await call(200, 'GET', chunksPath(id), { query: TENANT })).data[0].id;
};
const send = (method: string, route: string, body: unknown, ifMatch?: string) =>
  app.request(method, route, {
    query: TENANT_UNIT,
    ...(body !== undefined && { body }),
    ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
  });

test.each([
  ['conversation', conversation, { topic: 'Mine' }, '', { topic: 'Theirs' }],
  ['status of a conversation', conversation, { status: 'failed' }, '/status', { status: 'running' }],
  ['document', document, { customProperties: { a: 1 } }, '', { customProperties: { a: 2 } }],
  ['switch of a document', document, { enabled: false }, '/toggle', { enabled: true }],
])(
  'the ETag of a %s is told, and a change of what somebody else changed refused',
  async (_, make, mine, at, theirs) => {
    const route = await make();
    const read = await app.request('GET', route, { query: TENANT });
    const etag = read.headers.get('etag') as string;
    expect(etag).toBe('"1"');

    const first = await send('PATCH', route + at, theirs, etag);
    expect(first).toMatchObject({ status: 200 });
    expect(first.headers.get('etag')).toBe('"2"');
    const before = await app.request('GET', route, { query: TENANT });
    expect(before.headers.get('etag')).toBe('"2"');

    expect(await send('PATCH', route + at, mine, etag)).toMatchObject(CHANGED);
    expect(await send('PATCH', route + at, mine, 'W/"2"')).toMatchObject(CHANGED);
    expect(await send('DELETE', route, undefined, etag)).toMatchObject(CHANGED);
    expect((await app.request('GET', route, { query: TENANT })).body).toEqual(before.body);

    expect(await send('PATCH', route + at, mine, '"1", "2"')).toMatchObject({ status: 200 });
    expect(await send('PATCH', route + at, theirs)).toMatchObject({ status: 200 });
    expect(await send('PATCH', route + at, theirs, '*')).toMatchObject({ status: 200 });
    expect(await send('DELETE', route, undefined, '"5"')).toMatchObject({ status: 204 });
  },
);

test('processing does not change the version', async () => {
  const created = await app.request('POST', DOCUMENTS, {
    query: TENANT,
    body: { ...TENANT_UNIT, documentType: 'UnstructuredFile', documentContent: 'Text.' },
  });
  expect(created.headers.get('etag')).toBe('"1"');
  await app.settle();
  const read = await app.request('GET', `${DOCUMENTS}/${created.body.id}`, { query: TENANT });
  expect(read.body.status).toBe('ready');
  expect(read.headers.get('etag')).toBe('"1"');
});

test('chunks have their own version', async () => {
  const route = await chunk();
  const first = await send('PATCH', route, { content: 'Edited.' });
  const etag = first.headers.get('etag') as string;
  expect(await send('PATCH', `${route}/status`, { status: 'inactive' }, etag)).toMatchObject({ status: 200 });
  expect(await send('PATCH', route, { content: 'Edited again.' }, etag)).toMatchObject(CHANGED);
});

test('If-Match on a resource without ETag fails', async () => {
  const parts = (await chunk()).split('/');
  const [documentId, id] = [parts.at(-3), parts.at(-1)];
  const body = { status: 'inactive', documentChunkIds: [id] };
  const route = `/admin/api/v1/documents/${documentId}/documentChunks/batch/status`;
  expect(await send('PATCH', route, body, '"1"')).toMatchObject({
    status: 412,
    body: {
      detail: [
        {
          type: 'precondition_failed',
          loc: ['header', 'If-Match'],
          msg: 'This has no ETag that If-Match could name.',
        },
      ],
    },
  });
  expect(await send('PATCH', route, body, '*')).toMatchObject({ status: 200 });
});

test('rejects an invalid If-Match', async () => {
  expect(await send('PATCH', await conversation(), { topic: 'x' }, '1')).toMatchObject({
    status: 422,
    body: { detail: [{ type: 'value_error', loc: ['header', 'If-Match'] }] },
  });
});

describe('for typed callers', () => {
  test('the version is a field, and what they expect another', async () => {
    const { conversations } = app.trpc();
    const made = await conversations.create.mutate({ scope: TENANT_UNIT, topic: 'One' });
    expect(made.version).toBe(1);
    const ref = { scope: TENANT_UNIT, conversationId: made.id };
    const renamed = await conversations.update.mutate({ ...ref, topic: 'Two', expectedVersion: 1 });
    expect(renamed.version).toBe(2);
    await expect(
      conversations.update.mutate({ ...ref, topic: 'Three', expectedVersion: 1 }),
    ).rejects.toMatchObject({ data: { httpStatus: 412, code: 'PRECONDITION_FAILED' } });
  });

  test('of concurrent changes exactly one succeeds', async () => {
    const { conversations } = app.trpc();
    const { id } = await conversations.create.mutate({ scope: TENANT_UNIT });
    const ref = { scope: TENANT_UNIT, conversationId: id, expectedVersion: 1 };
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => conversations.update.mutate({ ...ref, topic: `Topic ${i}` })),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
