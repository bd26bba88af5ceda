import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { TRPCClientError } from '@trpc/client';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { formatApiKey, generateApiKey } from '../../src/auth/api-key-format.js';
import type { IssuedApiKey } from '../../src/services/api-keys/api-keys.schema.js';
import { sendRaw } from '../contract/raw-request.js';
import { useApp } from '../support/app.js';
import { CONVERSATIONS, DOCUMENTS, TENANT_UNIT } from './support/rest-client.js';

/** So slow that a bucket gains nothing while a test runs. */
const SECONDS = 1_000_000;
const limits = {
  store: 'postgres' as const,
  keyRequests: { amount: 3, seconds: SECONDS },
  tenantRequests: { amount: 5, seconds: SECONDS },
};
const MIB = 1024 * 1024;

const TENANT = { tenant_id: 'acme' };
const listWith = (app: ReturnType<typeof useApp>, key: string, query = TENANT) =>
  app.request('GET', CONVERSATIONS, { query, headers: { 'x-api-key': key } });

/** Time goes on while a test runs, a little. */
const nearly = (seconds: number) =>
  `(${Array.from({ length: 60 }, (_, passed) => seconds - passed).join('|')})`;

describe('with keys', () => {
  const app = useApp({ authMode: 'required', rateLimits: limits });
  const beside = useApp({ authMode: 'required', rateLimits: limits }, { beside: app });

  test('all servers of a database count the requests of a key and of its tenant', async () => {
    const { key } = await app.makeKey();
    const first = await listWith(app, key);
    expect(first.status).toBe(200);
    expect(first.headers.get('ratelimit-policy')).toBe(`"key";q=3;w=${SECONDS}, "tenant";q=5;w=${SECONDS}`);
    expect(first.headers.get('ratelimit')).toMatch(
      new RegExp(`^"key";r=2;t=${nearly(333_334)}, "tenant";r=4;t=${nearly(200_000)}$`),
    );
    expect((await listWith(beside, key)).status).toBe(200);
    const last = await listWith(app, key);
    expect(last.headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+, "tenant";r=2;t=\d+$/);

    for (const server of [app, beside]) {
      const refused = await listWith(server, key);
      const after = refused.headers.get('retry-after');
      expect(after).toMatch(new RegExp(`^${nearly(333_334)}$`));
      expect(refused.headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+, "tenant";r=2;t=\d+$/);
      expect({ status: refused.status, body: refused.body }).toEqual({
        status: 429,
        body: {
          detail: [
            {
              type: 'too_many_requests',
              loc: [],
              msg: `Too many requests with this API key: at most 3 in ${SECONDS} seconds. Try again in ${after} seconds.`,
            },
          ],
        },
      });
    }

    const { key: second } = await app.makeKey();
    expect((await listWith(app, second)).status).toBe(200);
    expect((await listWith(beside, second)).status).toBe(200);
    const tenantIsOut = await listWith(app, second);
    expect(tenantIsOut.status).toBe(429);
    expect(tenantIsOut.body.detail[0].msg).toMatch(/^Too many requests for this tenant: at most 5 in /);
    expect(tenantIsOut.headers.get('ratelimit')).toMatch(/^"key";r=1;t=\d+, "tenant";r=0;t=\d+$/);

    const { key: foreign } = await app.makeKey({ scope: { tenantId: 'globex' } });
    expect((await listWith(app, foreign, { tenant_id: 'globex' })).status).toBe(200);
  });

  test('calls over tRPC count one by one, and are refused in its own shape', async () => {
    const { key } = await app.makeKey({ scope: { tenantId: 'initech' } });
    const scope = { tenantId: 'initech' };
    const client = app.trpc({ 'x-api-key': key });
    await Promise.all([
      client.conversations.list.query({ scope }),
      client.conversations.list.query({ scope, page: 2 }),
    ]);
    const twoMore = Promise.all([
      client.conversations.list.query({ scope }),
      client.conversations.list.query({ scope, page: 2 }),
    ]);
    const error = await twoMore.catch((error) => error);
    expect(error).toBeInstanceOf(TRPCClientError);
    expect(error.data).toEqual({
      code: 'TOO_MANY_REQUESTS',
      httpStatus: 429,
      detail: [
        {
          type: 'too_many_requests',
          loc: [],
          msg: expect.stringMatching(/^Too many requests with this API key: at most 3 in /),
        },
      ],
    });
    // Both were refused together: what is left serves one.
    expect((await client.conversations.list.query({ scope })).items).toEqual([]);
  });

  test.each([
    ['twice', 'batch=1&batch=1'],
    ['behind a thousand other things', `${'a&'.repeat(1_000)}batch=1`],
    ['in other characters', '%62atch=%31'],
  ])('a batch that says %s that it is one costs what is in it', async (_how, query) => {
    const { key } = await app.makeKey({ scope: { tenantId: 'hooli' } });
    await app.db.deleteFrom('rateBuckets').execute();
    const call = () =>
      app.request('GET', `/trpc/conversations.list,conversations.list?${query}`, {
        headers: { 'x-api-key': key },
      });
    expect((await call()).headers.get('ratelimit')).toMatch(/^"key";r=1;t=\d+, "tenant";r=3;t=\d+$/);
    const { status, body } = await call();
    expect({ status, answers: body.length }).toEqual({ status: 429, answers: 2 });
  });

  test('what needs no key is not limited', async () => {
    for (let i = 0; i < 6; i++) expect((await app.get('/healthz')).status).toBe(200);
    expect((await app.get('/openapi.json')).headers.get('ratelimit')).toBeNull();
  });
});

describe('suggestions', () => {
  const app = useApp({
    authMode: 'required',
    rateLimits: {
      ...limits,
      keySuggestions: { amount: 2, seconds: SECONDS },
      tenantSuggestions: { amount: 5, seconds: SECONDS },
    },
  });
  const ask = async (key: string, calls: string) => {
    const { status, headers } = await app.request('GET', `/trpc/${calls}`, { headers: { 'x-api-key': key } });
    return { status, left: headers.get('ratelimit')?.replaceAll(/;t=\d+/g, '') };
  };
  const BATCH = 'chunks.suggest,conversations.list?batch=1';

  test('have a bucket of their own', async () => {
    const { key } = await app.makeKey();
    // Without input the call is wrong, but allowed.
    expect(await ask(key, 'chunks.suggest')).toEqual({
      status: 422,
      left: '"key-suggestions";r=1, "tenant-suggestions";r=4',
    });
    expect(await ask(key, BATCH)).toMatchObject({
      left: '"key";r=2, "tenant";r=4, "key-suggestions";r=0, "tenant-suggestions";r=3',
    });
    const refused = await app.request('GET', '/trpc/chunks.suggest', { headers: { 'x-api-key': key } });
    expect(refused.status).toBe(429);
    expect(refused.body.error.data.detail).toEqual([
      {
        type: 'too_many_requests',
        loc: [],
        msg: expect.stringMatching(/^Too many suggestions with this API key: at most 2 in /),
      },
    ]);
    expect(await ask(key, 'chunks.search')).toMatchObject({ status: 422 });
  });

  test.each(['chunks%2Esuggest', 'chunks.suggest/conversations.list', 'chunks.suggest,conversations.list'])(
    'that are called in another way cost what others do: %s',
    async (calls) => {
      const { key } = await app.makeKey({ scope: { tenantId: calls } });
      expect((await ask(key, calls)).left).toBe('"key";r=2, "tenant";r=4');
    },
  );
});

describe('uploads', () => {
  const app = useApp({
    authMode: 'required',
    rateLimits: {
      store: 'postgres',
      keyUploadBytes: { amount: MIB, seconds: SECONDS },
      tenantUploadBytes: { amount: 100 * MIB, seconds: SECONDS },
    },
  });
  const bytes = new Uint8Array(2 * MIB).fill(97);
  const boundary = 'frontier';
  const FORM = `multipart/form-data; boundary=${boundary}`;

  function formBody(): Buffer {
    const fields = { ...TENANT_UNIT, documentType: 'UnstructuredFile', datasetIds: '[]' };
    const parts = Object.entries(fields).map(
      ([name, value]) =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`;
    return Buffer.concat([Buffer.from(parts.join('') + file), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  }

  const send = (key: string, target: string, type: string, body: Buffer | Readable) =>
    sendRaw(app.address, {
      method: 'POST',
      target,
      headers: { 'x-api-key': key, 'content-type': type },
      body,
    });

  /** What has no length is counted while the request is answered. */
  const isCharged = (keyId: string) =>
    expect
      .poll(async () => {
        const bucket = app.db.selectFrom('rateBuckets').where('bucket', '=', `key-bytes:${keyId}`);
        return (await bucket.select('tokens').executeTakeFirst())?.tokens ?? 0;
      })
      .toBeLessThan(0);

  const whole = () => formBody();
  const inChunks = () => {
    const body = formBody();
    const pieces = Array.from({ length: Math.ceil(body.length / 65_536) }, (_, i) =>
      body.subarray(i * 65_536, (i + 1) * 65_536),
    );
    return Readable.from(pieces);
  };

  test.each([
    ['a form of known length', `${DOCUMENTS}/upload`, FORM, whole],
    ['a form of unknown length', `${DOCUMENTS}/upload`, FORM, inChunks],
    ['a file over tRPC', '/trpc/files.upload', 'application/octet-stream', whole],
    ['a file of unknown length over tRPC', '/trpc/files.upload', 'application/octet-stream', inChunks],
  ])('%s may be larger than its limit, and is paid for afterwards', async (_name, target, type, body) => {
    const { id, key } = await app.makeKey();
    const first = await send(key, target, type, body());
    expect(first.status).toBe(200);
    expect(first.headers['ratelimit-policy']).toBe(
      `"key-bytes";q=${MIB};qu="content-bytes";w=${SECONDS}, ` +
        `"tenant-bytes";q=${100 * MIB};qu="content-bytes";w=${SECONDS}`,
    );

    await isCharged(id);
    const second = await send(key, target, type, body());
    expect(second.status).toBe(429);
    expect(second.text).toContain(`Too much was sent with this API key: at most ${MIB} bytes in`);
    // A debt of one MiB and a little: as long again as the window, before there is a byte to spend.
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(SECONDS * 0.99);
    expect(Number(second.headers['retry-after'])).toBeLessThan(SECONDS * 1.01);
    expect(second.headers.ratelimit).toMatch(/^"key-bytes";r=0;t=\d+, "tenant-bytes";r=\d+;t=1$/);

    // Requests are counted apart.
    const list = await app.request('GET', CONVERSATIONS, { query: TENANT, headers: { 'x-api-key': key } });
    expect(list.status).toBe(200);
    expect(list.headers.get('ratelimit')).toBeNull();
  });

  const text = JSON.stringify({ ...TENANT_UNIT, topic: 'a'.repeat(2 * MIB) });
  const piecesOf = (body: string) =>
    Readable.from(body.match(/.{1,65536}/gs)!.map((one) => Buffer.from(one)));

  test.each([
    ['JSON of known length', CONVERSATIONS, () => Buffer.from(text)],
    ['JSON of unknown length', CONVERSATIONS, () => piecesOf(text)],
    ['JSON over tRPC', '/trpc/conversations.create', () => Buffer.from(text)],
    ['JSON of unknown length over tRPC', '/trpc/conversations.create', () => piecesOf(text)],
  ])('%s counts as well', async (_name, target, body) => {
    const { id, key } = await app.makeKey();
    const first = await send(key, target, 'application/json', body());
    expect(first.status).not.toBe(429);
    await isCharged(id);
    const second = await send(key, target, 'application/json', body());
    expect(second.status).toBe(429);
    expect(second.text).toContain(`Too much was sent with this API key: at most ${MIB} bytes in`);
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(SECONDS * 0.99);
  });

  test('a compressed body counts with its decompressed size', async () => {
    const { key } = await app.makeKey();
    const packed = () =>
      sendRaw(app.address, {
        method: 'POST',
        target: CONVERSATIONS,
        headers: { 'x-api-key': key, 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: gzipSync(text),
      });
    expect((await packed()).status).toBe(422);
    // It is counted while the request is answered.
    await expect.poll(async () => (await packed()).status).toBe(429);
  });

  test.each([
    ['known', (body: string) => Buffer.from(body)],
    ['unknown', piecesOf],
  ])('small bodies of %s length cost nothing but the request', async (_name, bodyOf) => {
    const { key, id } = await app.makeKey();
    const body = bodyOf(JSON.stringify({ ...TENANT_UNIT, topic: 'a'.repeat(60_000) }));
    await send(key, CONVERSATIONS, 'application/json', body);
    const charged = await app.db
      .selectFrom('rateBuckets')
      .select('tokens')
      .where('bucket', '=', `key-bytes:${id}`)
      .where('tokens', '<', MIB)
      .execute();
    expect(charged).toEqual([]);
  });

  test('a file that is announced to be too large costs no more than the largest that may come', async () => {
    const { key, id } = await app.makeKey();
    const refused = await sendRaw(app.address, {
      method: 'POST',
      target: `${DOCUMENTS}/upload`,
      headers: { 'x-api-key': key, 'content-type': FORM, 'content-length': 10_000_000_000 },
    });
    expect(refused.status).toBe(413);
    const { tokens } = await app.db
      .selectFrom('rateBuckets')
      .select('tokens')
      .where('bucket', '=', `key-bytes:${id}`)
      .executeTakeFirstOrThrow();
    expect(tokens).toBe(MIB - 100 * MIB);
  });
});

describe('each process for itself', () => {
  const memory = { ...limits, store: 'memory' as const, tenantRequests: undefined };
  const app = useApp({ authMode: 'required', rateLimits: memory });
  const beside = useApp({ authMode: 'required', rateLimits: memory }, { beside: app });

  test('memory limits apply per process', async () => {
    const { key } = await app.makeKey();
    for (const server of [app, beside]) {
      for (const status of [200, 200, 200, 429]) expect((await listWith(server, key)).status).toBe(status);
    }
    expect(await app.db.selectFrom('rateBuckets').selectAll().execute()).toEqual([]);
  });
});

describe('without a valid key', () => {
  const app = useApp({
    authMode: 'required',
    trustProxy: 1,
    rateLimits: { store: 'postgres', failedKeys: { amount: 2, seconds: SECONDS } },
  });
  let valid: IssuedApiKey;
  beforeAll(async () => {
    valid = await app.makeKey();
  });
  const call = (address: string, key?: string, target = CONVERSATIONS) =>
    callWith(address, key === undefined ? {} : { 'x-api-key': key }, target);
  const callWith = (address: string, headers: Record<string, string>, target = CONVERSATIONS) =>
    app.request('GET', target, { query: TENANT, headers: { 'x-forwarded-for': address, ...headers } });

  test('an address without valid keys is rejected above the limit', async () => {
    expect((await call('192.0.2.1')).status).toBe(401);
    expect((await call('192.0.2.1', 'guess')).status).toBe(401);

    const refused = await call('192.0.2.1', 'guess');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(new RegExp(`^${nearly(500_000)}$`));
    expect(refused.headers.get('ratelimit-policy')).toBe(`"failed-keys";q=2;w=${SECONDS}`);
    expect(refused.body).toEqual({
      detail: [
        {
          type: 'too_many_requests',
          loc: [],
          msg: expect.stringMatching(
            /^Too many requests without a valid API key from this address: at most 2 in /,
          ),
        },
      ],
    });
    expect((await call('192.0.2.1')).status).toBe(429);
    expect((await call('192.0.2.1', formatApiKey(generateApiKey()))).status).toBe(429);
    expect((await call('192.0.2.1', 'guess', '/trpc/conversations.list')).body).toMatchObject({
      error: { data: { code: 'TOO_MANY_REQUESTS', httpStatus: 429 } },
    });
    expect((await call('192.0.2.2', 'guess')).status).toBe(401);
  });

  test('valid keys are accepted from a limited address', async () => {
    const { key, id } = valid;
    for (const status of [401, 401, 429]) expect((await call('192.0.2.7')).status).toBe(status);
    expect((await call('192.0.2.7', key)).status).toBe(200);
    expect((await callWith('192.0.2.7', { authorization: `Bearer ${key}` })).status).toBe(200);
    expect((await callWith('192.0.2.7', { authorization: 'Basic YTpi', 'x-api-key': key })).status).toBe(200);

    // To know which keys there are is of no help.
    const { secret } = generateApiKey();
    expect((await call('192.0.2.7', formatApiKey({ id, secret }))).status).toBe(429);
    expect((await callWith('192.0.2.7', { authorization: 'Bearer other', 'x-api-key': key })).status).toBe(
      429,
    );
    expect((await call('192.0.2.7', key)).status).toBe(200);
  });

  test('an address above the limit takes few database connections, and its valid keys wait for them', async () => {
    const address = '192.0.2.8';
    for (const status of [401, 401, 429]) expect((await call(address)).status).toBe(status);
    const answers = await app.db.transaction().execute(async (tx) => {
      await sql`lock table api_keys in access exclusive mode`.execute(tx);
      const flood = Array.from({ length: 40 }, () => call(address, formatApiKey(generateApiKey())));
      const waiting = [...flood, call(address, valid.key)];
      const blocked = async () => {
        const { rows } = await sql<{ count: number }>`
          select count(*) as count from pg_locks where relation = 'api_keys'::regclass and not granted
        `.execute(tx);
        return rows[0]?.count;
      };
      await expect.poll(blocked).toBe(4);
      expect((await app.get('/readyz')).status).toBe(200);
      expect(await blocked()).toBe(4);
      return waiting;
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual([...Array(40).fill(429), 200]);
  });

  test('all addresses of one IPv6 network are one', async () => {
    expect((await call('2001:db8::1')).status).toBe(401);
    expect((await call('2001:db8::2')).status).toBe(401);
    expect((await call('2001:db8::3')).status).toBe(429);
    expect((await call('2001:db8:0:1::1')).status).toBe(401);
  });

  test('a key that has stopped to be valid counts as any other', async () => {
    const { key, id } = await app.makeKey();
    expect((await call('192.0.2.9', key)).status).toBe(200);
    await app.app.services.apiKeys.revoke({ scope: { tenantId: 'acme' }, keyId: id }, { userId: undefined });
    expect((await call('192.0.2.9', key)).status).toBe(401);
    expect((await call('192.0.2.9', key)).status).toBe(401);
    expect((await call('192.0.2.9', key)).status).toBe(429);
  });
});

describe('in open mode', () => {
  const unlimited = useApp();
  const limited = useApp({
    trustProxy: 1,
    rateLimits: { store: 'postgres', keyRequests: limits.keyRequests },
  });

  test('nothing is limited', async () => {
    const { status, headers } = await unlimited.get(CONVERSATIONS, TENANT);
    expect({ status, policy: headers.get('ratelimit-policy') }).toEqual({ status: 200, policy: null });
  });

  test('addresses are limited where that is configured', async () => {
    const call = (address: string) =>
      limited.request('GET', CONVERSATIONS, { query: TENANT, headers: { 'x-forwarded-for': address } });
    for (const status of [200, 200, 200, 429]) expect((await call('192.0.2.1')).status).toBe(status);
    const other = await call('192.0.2.2');
    expect(other.status).toBe(200);
    expect(other.headers.get('ratelimit-policy')).toBe(`"address";q=3;w=${SECONDS}`);
  });
});
