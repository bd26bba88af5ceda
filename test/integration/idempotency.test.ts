import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { type Answer, type RequestOptions, useApp } from '../support/app.js';
import {
  CONVERSATIONS,
  chunksPath,
  createRestClient,
  DOCUMENTS,
  externalPath,
  TENANT,
  TENANT_UNIT,
} from './support/rest-client.js';

/* Two server processes on one database: a retry may reach the other one. */
const files = path.join(os.tmpdir(), `lectern-test-retries-${randomUUID()}`);
const config = { storageUrl: pathToFileURL(files).href, fetchAllowHosts: ['127.0.0.1'] };
const app = useApp(config);
const other = useApp(config, { beside: app });
afterAll(() => rm(files, { recursive: true, force: true }));
const { call, createDocument } = createRestClient(app);

type Send = (key: string, fields?: object, through?: typeof app) => Promise<Answer>;

const json = (method: string, route: string | (() => Promise<string>), options: RequestOptions): Send => {
  const routes = new Map<string, Promise<string>>();
  return async (key, fields = {}, through = app) => {
    if (!routes.has(key)) routes.set(key, typeof route === 'string' ? Promise.resolve(route) : route());
    return through.request(method, (await routes.get(key)) as string, {
      ...options,
      body: { ...(options.body as object), ...fields },
      headers: { 'idempotency-key': key },
    });
  };
};
const ready = async () => {
  const { id } = await createDocument({ documentContent: 'One chunk.' });
  await app.settle();
  return id as string;
};
const chunk = async (): Promise<string> => {
  const chunks = chunksPath(await ready());
  return chunks + (await call(200, 'GET', chunks, { query: TENANT })).data[0].id;
};

const place = { ...TENANT_UNIT };
const writes: Record<string, { send: Send; other: object }> = {
  'POST conversation': {
    send: json('POST', CONVERSATIONS, { query: { tenant_id: 'acme' }, body: { topic: 'Once' } }),
    other: { topic: 'Twice' },
  },
  'PATCH conversation': {
    send: json('PATCH', async () => `${CONVERSATIONS}/${(await call(201, 'POST', CONVERSATIONS)).id}`, {
      body: { topic: 'Once' },
    }),
    other: { topic: 'Twice' },
  },
  'PATCH conversation status': {
    send: json(
      'PATCH',
      async () => `${CONVERSATIONS}/${(await call(201, 'POST', CONVERSATIONS)).id}/status`,
      {
        body: { status: 'failed' },
      },
    ),
    other: { status: 'running' },
  },
  'POST document': {
    send: json('POST', DOCUMENTS, {
      query: TENANT,
      body: { ...place, documentType: 'UnstructuredFile', documentContent: 'Some text.' },
    }),
    other: { documentContent: 'Another text.' },
  },
  'PUT document': {
    send: (key, fields = {}, through = app) =>
      through.request('PUT', externalPath(`external-${key}`), {
        query: TENANT,
        body: { externalId: `external-${key}`, ...place, documentContent: 'Some text.', ...fields },
        headers: { 'idempotency-key': key },
      }),
    other: { documentContent: 'Another text.' },
  },
  'PATCH document': {
    send: json('PATCH', async () => `${DOCUMENTS}/${await ready()}`, {
      query: TENANT,
      body: { documentContent: 'New text.' },
    }),
    other: { documentContent: 'Another text.' },
  },
  'PATCH document toggle': {
    send: json('PATCH', async () => `${DOCUMENTS}/${await ready()}/toggle`, {
      query: TENANT,
      body: { enabled: false },
    }),
    other: { enabled: true },
  },
  'PATCH chunk': {
    send: json('PATCH', chunk, {
      query: TENANT,
      body: { content: 'Edited.' },
    }),
    other: { content: 'Edited again.' },
  },
  'PATCH chunk status': {
    send: json('PATCH', async () => `${await chunk()}/status`, {
      query: TENANT_UNIT,
      body: { status: 'inactive' },
    }),
    other: { status: 'active' },
  },
  'PATCH chunks status': { send: switchChunks, other: { status: 'active' } },
  'POST upload': {
    send: (key, fields, through) => upload(key, fields, through),
    other: { text: 'Other bytes.' },
  },
};

/** The same chunk for each request under a key. */
async function switchChunks(key: string, fields: object = {}, through = app): Promise<Answer> {
  const [, documentId, chunkId] =
    (await chunkUnder(key)).match(/documents\/([^/]+)\/documentChunks\/(.+)$/) ?? [];
  return through.request('PATCH', `${DOCUMENTS}/${documentId}/documentChunks/batch/status`, {
    query: TENANT_UNIT,
    body: { status: 'inactive', documentChunkIds: [chunkId], ...fields },
    headers: { 'idempotency-key': key },
  });
}

const chunksByKey = new Map<string, Promise<string>>();
function chunkUnder(key: string): Promise<string> {
  const made = chunksByKey.get(key) ?? chunk();
  chunksByKey.set(key, made);
  return made;
}

async function upload(key: string, fields: { text?: string } = {}, through = app): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries({
    ...place,
    documentType: 'UnstructuredFile',
    datasetIds: 'faq',
  })) {
    form.set(name, value);
  }
  form.set('file', new File([fields.text ?? 'Some bytes.'], 'notes.txt'));
  return through.request('POST', `${DOCUMENTS}/upload`, { body: form, headers: { 'idempotency-key': key } });
}

/** What shows that something was done again. */
async function traces() {
  const { count } = await app.db
    .selectFrom('auditEvents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenantId', 'in', ['acme', 'default'])
    .executeTakeFirstOrThrow();
  return count;
}

describe.each(Object.entries(writes))('%s with an Idempotency-Key', (_, { send, other: otherFields }) => {
  test('runs once and replays the response, across processes', async () => {
    const key = randomUUID();
    const first = await send(key);
    expect(first.status).toBeLessThan(300);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const before = await traces();
    for (const through of [app, other]) {
      const again = await send(key, {}, through);
      expect(again).toMatchObject({ status: first.status, body: first.body });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    }
    expect(await traces()).toBe(before);
  });

  test('rejects another request under the same key', async () => {
    const key = randomUUID();
    await send(key);
    const before = await traces();
    const answer = await send(key, otherFields, other);
    expect(answer).toMatchObject({
      status: 422,
      body: {
        detail: [
          {
            type: 'idempotency_key_reused',
            loc: ['header', 'Idempotency-Key'],
            msg: 'This Idempotency-Key was already used for another request; use a new key for each request.',
          },
        ],
      },
    });
    expect(await traces()).toBe(before);
  });

  test('runs once under concurrency: the others get 409 or the stored response', async () => {
    const key = randomUUID();
    const all = await Promise.all([app, other, app, other, app, other].map((one) => send(key, {}, one)));
    const done = all.filter(({ status }) => status < 300);
    expect(done.length).toBeGreaterThan(0);
    for (const one of done) expect(one.body).toEqual(done[0]?.body);
    expect(done.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    for (const one of all.filter(({ status }) => status >= 300)) {
      expect(one).toMatchObject({ status: 409, body: { detail: [{ type: 'idempotency_key_in_use' }] } });
    }
    expect((await send(key)).body).toEqual(done[0]?.body);
  });
});

test('a failed request may be retried under its key', async () => {
  const id = randomUUID();
  const send = () =>
    app.request('PATCH', `${DOCUMENTS}/${id}`, {
      query: TENANT,
      body: { enabled: false },
      headers: { 'idempotency-key': id },
    });
  expect(await send()).toMatchObject({ status: 404 });
  await createDocument({ id });
  expect(await send()).toMatchObject({ status: 200, body: { enabled: false } });
});

test('responses are stored for a day', async () => {
  const key = randomUUID();
  const { send } = writes['POST conversation']!;
  const first = await send(key);
  const dayAgo = new Date(Date.now() - 24 * 3_600_000 - 1_000);
  await app.db
    .updateTable('idempotencyKeys')
    .set({ createdTime: dayAgo })
    .where('tenantId', '=', 'acme')
    .where('key', '=', key)
    .execute();
  const second = await send(key);
  expect(second.status).toBe(201);
  expect(second.body.id).not.toBe(first.body.id);
  expect((await send(key)).body).toEqual(second.body);
});

test('a key is its tenant’s own', async () => {
  const key = randomUUID();
  const create = (tenant_id: string) =>
    app.request('POST', CONVERSATIONS, {
      query: { tenant_id },
      body: { topic: tenant_id },
      headers: { 'idempotency-key': key },
    });
  expect(await create('acme')).toMatchObject({ status: 201, body: { topic: 'acme' } });
  expect(await create('zenith')).toMatchObject({ status: 201, body: { topic: 'zenith' } });
});

test('a key is its user’s own: another one’s request is another request, whatever it holds', async () => {
  const key = randomUUID();
  const create = (userId?: string, through = app) =>
    through.request('POST', CONVERSATIONS, {
      query: { tenant_id: 'acme' },
      body: { topic: 'Same' },
      headers: { 'idempotency-key': key, ...(userId !== undefined && { 'x-user-id': userId }) },
    });
  const users = ['zoe', 'max', undefined];
  const first = [];
  for (const user of users) first.push(await create(user));
  expect(first.map(({ body }) => body.user_id)).toEqual(['zoe', 'max', 'anonymous']);
  expect(new Set(first.map(({ body }) => body.id)).size).toBe(3);
  for (const { headers } of first) expect(headers.get('idempotency-replayed')).toBeNull();
  for (const [place, user] of users.entries()) {
    const again = await create(user, other);
    expect(again).toMatchObject({ status: 201, body: first[place]?.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  }
});

test('a repeated delete replays its response', async () => {
  const { id } = await createDocument();
  const send = () =>
    app.request('DELETE', `${DOCUMENTS}/${id}`, { query: TENANT, headers: { 'idempotency-key': id } });
  expect(await send()).toMatchObject({ status: 204 });
  expect(await send()).toMatchObject({ status: 204 });
  expect(await app.request('DELETE', `${DOCUMENTS}/${id}`, { query: TENANT })).toMatchObject({ status: 404 });
});

test('deletes the file of a replayed upload', async () => {
  const key = randomUUID();
  await upload(key);
  await upload(key);
  expect(await app.db.selectFrom('uploads').selectAll().execute()).toEqual([]);
});

test('works for typed callers alike', async () => {
  const { create } = app.trpc({ 'idempotency-key': randomUUID() }).conversations;
  const first = await create.mutate({ scope: place, topic: 'Once' });
  expect(await create.mutate({ scope: place, topic: 'Once' })).toEqual(first);
  await expect(create.mutate({ scope: place, topic: 'Twice' })).rejects.toMatchObject({
    data: { httpStatus: 422, detail: [{ type: 'idempotency_key_reused', loc: ['Idempotency-Key'] }] },
  });
});

test.each(['', 'x'.repeat(256), 'caf\u00e9'])('a key such as %j is refused', async (key) => {
  const answer = await app.request('POST', CONVERSATIONS, { headers: { 'idempotency-key': key } });
  expect(answer).toMatchObject({
    status: 422,
    body: { detail: [{ type: 'value_error', loc: ['header', 'Idempotency-Key'] }] },
  });
});

test('stored responses contain no document text', async () => {
  const marker = `marker ${randomUUID()}`;
  const { id } = await createDocument({ documentContent: marker });
  const send = () =>
    app.request('PATCH', `${DOCUMENTS}/${id}`, {
      query: TENANT,
      body: { customProperties: { a: 1 } },
      headers: { 'idempotency-key': id },
    });
  const first = await send();
  expect(first.body.documentContent).toBe(marker);
  expect((await send()).body).toEqual(first.body);
  const kept = await app.db.selectFrom('idempotencyKeys').select('result').where('key', '=', id).execute();
  expect(kept).toHaveLength(1);
  expect(kept[0]?.result.includes(marker)).toBe(false);
  await call(204, 'DELETE', `${DOCUMENTS}/${id}`, { query: TENANT });
  const { documentContent: _, ...withoutText } = first.body;
  expect(await send()).toMatchObject({ status: 200, body: withoutText });
});

test('a retry does not fetch the sitemap again', async () => {
  let reads = 0;
  const server = http.createServer((_, response) => {
    reads++;
    response.setHeader('content-type', 'text/plain');
    response.end('https://pages.test/a\nhttps://pages.test/b\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { createMany } = app.trpc({ 'idempotency-key': randomUUID() }).documents;
  const input = { scope: place, sitemap: `http://127.0.0.1:${port}/sitemap.txt` };
  const first = await createMany.mutate(input);
  expect(first.created).toHaveLength(2);
  await new Promise((resolve) => server.close(resolve));
  expect(await createMany.mutate(input)).toEqual(first);
  expect(reads).toBe(1);
});
