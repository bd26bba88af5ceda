import { createTRPCClient, httpBatchStreamLink, httpSubscriptionLink, TRPCClientError } from '@trpc/client';
import { EventSource } from 'eventsource';
import { beforeAll, describe, expect, test } from 'vitest';
import { formatApiKey, generateApiKey, parseApiKey } from '../../src/auth/api-key-format.js';
import { listEndpoints } from '../../src/rest-facade/find-endpoints.js';
import { restRouter } from '../../src/rest-facade/index.js';
import { type AppRouter, appRouter } from '../../src/routers/index.js';
import type { IssuedApiKey } from '../../src/services/api-keys/api-keys.schema.js';
import { useApp } from '../support/app.js';
import { CONVERSATIONS, DOCUMENTS } from './support/rest-client.js';

let now = new Date('2026-11-21T12:00:00Z');
const app = useApp({ authMode: 'required' }, { clock: () => now });
const beside = useApp({ authMode: 'required' }, { beside: app, clock: () => now });
const open = useApp();

const HOUR_MS = 3_600_000;
const refusal = {
  type: 'unauthorized',
  loc: ['X-Api-Key'],
  msg: 'A valid API key is needed, in X-Api-Key or as a bearer token.',
};
const detail = [refusal];
const restDetail = [{ ...refusal, loc: ['header', 'X-Api-Key'] }];
const CHALLENGE = 'Bearer realm="Lectern"';
const INVALID_TOKEN = `${CHALLENGE}, error="invalid_token"`;

let key: IssuedApiKey;
const list = (headers: Record<string, string> = {}) => app.request('GET', CONVERSATIONS, { headers });

beforeAll(async () => {
  key = await app.makeKey();
});

/** Every way in which a key can be wrong. */
const WRONG: Record<string, () => Promise<Record<string, string>> | Record<string, string>> = {
  'an empty key': () => ({ 'x-api-key': '' }),
  'something else': () => ({ 'x-api-key': 'secret' }),
  'a key with a typing error': () => ({ 'x-api-key': `${key.key.slice(0, -1)}!` }),
  'a key that nobody made': () => ({ 'x-api-key': formatApiKey(generateApiKey()) }),
  "a key with another's secret": () => ({
    'x-api-key': formatApiKey({ id: key.id, secret: generateApiKey().secret }),
  }),
  'a key that is revoked': async () => {
    const revoked = await app.makeKey();
    await app.app.services.apiKeys.revoke(
      { scope: { tenantId: 'acme' }, keyId: revoked.id },
      { userId: undefined },
    );
    return { 'x-api-key': revoked.key };
  },
  'a key that has expired': async () => {
    const brief = await app.makeKey({ expiresIn: HOUR_MS });
    expect((await list({ 'x-api-key': brief.key })).status).toBe(200);
    now = new Date(now.getTime() + HOUR_MS);
    return { 'x-api-key': brief.key };
  },
  'two keys': async () => {
    const { key: other } = await app.makeKey();
    return { 'x-api-key': key.key, authorization: `Bearer ${other}` };
  },
  'a wrong bearer token': () => ({ authorization: 'Bearer secret' }),
};

describe('the same 401 for', () => {
  test.each(Object.keys(WRONG))('%s', async (what) => {
    const headers = (await WRONG[what]?.()) ?? {};
    const rest = await list(headers);
    expect([rest.status, rest.headers.get('www-authenticate'), rest.body]).toEqual([
      401,
      INVALID_TOKEN,
      { detail: restDetail },
    ]);
    const trpc = await app.request('GET', '/trpc/conversations.list', { headers });
    expect([trpc.status, trpc.headers.get('www-authenticate'), trpc.body.error.data]).toEqual([
      401,
      INVALID_TOKEN,
      { code: 'UNAUTHORIZED', httpStatus: 401, detail },
    ]);
  });

  test.each([
    ['no key', {}],
    ['another kind of authorization', { authorization: 'Basic YTpi' }],
  ])('%s, without a word about a key', async (_, headers) => {
    const answer = await list(headers as Record<string, string>);
    expect([answer.status, answer.headers.get('www-authenticate'), answer.body]).toEqual([
      401,
      CHALLENGE,
      { detail: restDetail },
    ]);
  });
});

describe('a key is accepted', () => {
  test.each([
    ['in X-Api-Key', () => ({ 'x-api-key': key.key })],
    ['as a bearer token', () => ({ authorization: `Bearer ${key.key}` })],
    ['in both', () => ({ authorization: `bearer ${key.key}`, 'x-api-key': key.key })],
    ['beside what a proxy asks for', () => ({ authorization: 'Basic YTpi', 'x-api-key': key.key })],
  ])('%s', async (_, headers) => {
    const answer = await list(headers());
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([200, null]);
    expect(
      await app.trpc(headers()).messages.list.query({ scope: {}, conversationId: 'none' }).catch(codeOf),
    ).toBe('NOT_FOUND');
  });
});

describe('without a key', () => {
  test.each(['/', '/healthz', '/readyz', '/docs', '/docs/swagger-ui.css', '/openapi.json'])(
    'the door %s is open',
    async (route) => expect((await fetch(app.address + route)).status).toBe(200),
  );

  const routes = [
    ...listEndpoints(restRouter).map(({ meta }) => [meta.method, meta.path.replace(/\{\w+\}/g, 'x')]),
    ...Object.keys(appRouter._def.procedures).flatMap((name) => [
      ['GET', `/trpc/${name}`],
      ['POST', `/trpc/${name}`],
    ]),
    ['GET', '/trpc/no.such'],
    ['GET', '/trpc'],
    ['GET', '/trpc/%E0%A4%A'],
    ['GET', '/no/such/path'],
    ['PATCH', CONVERSATIONS],
    ['OPTIONS', DOCUMENTS],
    ['OPTIONS', '/trpc/documents.list'],
  ] as [string, string][];

  test.each(routes)('%s %s is closed', async (method, route) => {
    const { status, body } = await app.request(method, route);
    const isTrpc = route.startsWith('/trpc');
    expect([status, isTrpc ? body.error.data.detail : body.detail]).toEqual([
      401,
      isTrpc ? detail : restDetail,
    ]);
  });

  test.each([CONVERSATIONS, '/trpc/documents.list', '/no/such/path'])('HEAD %s is closed', async (route) => {
    const answer = await app.request('HEAD', route);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, CHALLENGE]);
  });

  test('an invalid body is not reported, since it is not read', async () => {
    const headers = { 'content-type': 'application/json' };
    for (const route of [CONVERSATIONS, '/trpc/conversations.create']) {
      const answer = await fetch(app.address + route, { method: 'POST', headers, body: '{"broken' });
      expect(answer.status).toBe(401);
    }
  });

  test('every call of a batch is rejected with its reason', async () => {
    const answer = await app.request('GET', '/trpc/documents.list,no.such,messages.list?batch=1&input={}');
    const refused = {
      error: {
        code: -32001,
        message: refusal.msg,
        data: { code: 'UNAUTHORIZED', httpStatus: 401, detail },
      },
    };
    expect([answer.status, answer.body]).toEqual([401, [refused, refused, refused]]);

    const { conversations } = app.trpc();
    const errors = await Promise.all([
      conversations.list.query({}).catch((error) => error.data.detail),
      conversations.get.query({ conversationId: 'x' }).catch((error) => error.data.detail),
    ]);
    expect(errors).toEqual([detail, detail]);
  });

  test('a batch with too many calls is rejected once', async () => {
    const answer = await app.request('GET', `/trpc/${','.repeat(100)}?batch=1`);
    expect([answer.status, answer.body]).toEqual([
      401,
      {
        error: {
          code: -32001,
          message: refusal.msg,
          data: { code: 'UNAUTHORIZED', httpStatus: 401, detail },
        },
      },
    ]);
  });

  test('JSONL batches are rejected', async () => {
    const url = `${app.address}/trpc`;
    const { conversations } = createTRPCClient<AppRouter>({ links: [httpBatchStreamLink({ url })] });
    const errors = await Promise.all([
      conversations.list.query({}).catch((error) => error.data.detail),
      conversations.get.query({ conversationId: 'x' }).catch((error) => error.data.detail),
    ]);
    expect(errors).toEqual([detail, detail]);
  });

  test('no stream is opened', async () => {
    const input = { scope: { tenantId: 'acme' }, documentIds: ['x'] };
    const url = `/trpc/documents.progress?input=${encodeURIComponent(JSON.stringify(input))}`;
    const answer = await app.request('GET', url, { headers: { accept: 'text/event-stream' } });
    expect([answer.status, answer.body.error.data.detail]).toEqual([401, detail]);

    const client = createTRPCClient<AppRouter>({
      links: [httpSubscriptionLink({ url: `${app.address}/trpc`, EventSource })],
    });
    const error = await new Promise<unknown>((resolve) => {
      const states = client.documents.progress.subscribe(input, {
        onError: resolve,
        onConnectionStateChange: ({ error: reason }) => {
          if (!reason) return;
          states.unsubscribe();
          resolve(reason);
        },
      });
    });
    expect(error).toBeInstanceOf(TRPCClientError);
  });

  test('an upload is refused, and taken with one', async () => {
    const error = await app
      .trpc()
      .files.upload.mutate(new Blob(['text']))
      .catch(codeOf);
    expect(error).toBe('UNAUTHORIZED');
    const { files } = app.trpc({ 'x-api-key': key.key });
    expect(await files.upload.mutate(new Blob(['text']))).toMatchObject({ sizeBytes: 4 });
  });
});

test('a stream is opened with a key', async () => {
  const input = { scope: { tenantId: 'acme' }, documentIds: ['x'] };
  const client = createTRPCClient<AppRouter>({
    links: [
      httpSubscriptionLink({
        url: `${app.address}/trpc`,
        EventSource,
        eventSourceOptions: {
          fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, 'x-api-key': key.key } }),
        },
      }),
    ],
  });
  await new Promise<void>((resolve, reject) => {
    const stream = client.documents.progress.subscribe(input, {
      onStarted: () => {
        stream.unsubscribe();
        resolve();
      },
      onError: reject,
    });
  });
});

test('a key revoked in one process is rejected in all', async () => {
  const { key: text, id } = await app.makeKey();
  const ask = async (one: typeof app) =>
    (await one.request('GET', CONVERSATIONS, { headers: { 'x-api-key': text } })).status;
  expect([await ask(app), await ask(beside)]).toEqual([200, 200]);
  await beside.app.services.apiKeys.revoke({ scope: { tenantId: 'acme' }, keyId: id }, { userId: undefined });
  expect([await ask(app), await ask(beside)]).toEqual([401, 401]);
});

test.each<[string, (keyId: string) => Promise<unknown>]>([
  [
    'revoked',
    (keyId) => beside.app.services.apiKeys.revoke({ scope: { tenantId: 'acme' }, keyId }, {} as never),
  ],
  [
    'rotated without overlap',
    (keyId) =>
      beside.app.services.apiKeys.rotate({ scope: { tenantId: 'acme' }, keyId, overlap: 0 }, {} as never),
  ],
])('a key that is %s while it is in use is rejected from the answer on', async (_how, invalidate) => {
  const { key: text, id } = await app.makeKey();
  let isInvalid = false;
  let served = 0;
  const ask = async (one: typeof app) => {
    for (let rejected = 0; rejected < 10; ) {
      const isAfter = isInvalid;
      // What runs when the key becomes invalid may be aborted.
      const answer = await one
        .request('GET', CONVERSATIONS, { headers: { 'x-api-key': text } })
        .catch(() => undefined);
      const status = answer?.status;
      if (status === 200) served++;
      if (isAfter) expect(status).toBe(401);
      if (status === 401) rejected++;
    }
  };
  const callers = [app, beside, app, beside].map(ask);
  await expect.poll(() => served).toBeGreaterThan(20);
  await invalidate(id);
  isInvalid = true;
  await Promise.all(callers);
});

describe('the last use', () => {
  const lastUse = async (id: string) =>
    (
      await app.db
        .selectFrom('apiKeys')
        .select('lastUsedTime')
        .where('tenantId', '=', 'acme')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).lastUsedTime;

  test('is updated at most once a minute', async () => {
    const { key: text, id } = await app.makeKey();
    const first = now;
    expect(await lastUse(id)).toBeNull();
    await list({ 'x-api-key': text });
    await expect.poll(() => lastUse(id)).toEqual(first);

    now = new Date(first.getTime() + 59_999);
    await list({ 'x-api-key': text });
    now = new Date(first.getTime() + 60_000);
    await list({ 'x-api-key': text });
    await expect.poll(() => lastUse(id)).toEqual(now);
  });

  test('is not updated for a wrong secret', async () => {
    const { key: text, id } = await app.makeKey();
    await list({ 'x-api-key': formatApiKey({ id, secret: generateApiKey().secret }) });
    // Had that been written down, the next would come too soon to be.
    now = new Date(now.getTime() + 1_000);
    await list({ 'x-api-key': text });
    await expect.poll(() => lastUse(id)).toEqual(now);
  });
});

test('open mode ignores keys', async () => {
  for (const headers of [{}, { 'x-api-key': 'secret' }, { authorization: 'Bearer secret' }]) {
    const answer = await open.request('GET', CONVERSATIONS, { headers: headers as Record<string, string> });
    expect(answer.status).toBe(200);
  }
});

test('only a hash of the secret is in the database', async () => {
  const { key: text, id } = await app.makeKey();
  const { secret } = parseApiKey(text) ?? {};
  const row = await app.db
    .selectFrom('apiKeys')
    .selectAll()
    .where('tenantId', '=', 'acme')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(row.secretHash).toHaveLength(32);
  expect(JSON.stringify(row)).not.toContain(secret);
});

describe('an Idempotency-Key', () => {
  test.each(['', 'x'.repeat(256), 'é'])('may not be "%s"', async (value) => {
    const answer = await open.request('POST', CONVERSATIONS, {
      headers: { 'idempotency-key': value },
      body: {},
    });
    expect([answer.status, answer.body.detail]).toEqual([
      422,
      [
        {
          type: 'value_error',
          loc: ['header', 'Idempotency-Key'],
          msg: 'must be 1 to 255 printable ASCII characters',
        },
      ],
    ]);
  });
});

const codeOf = (error: TRPCClientError<AppRouter>) => error.data?.code;
