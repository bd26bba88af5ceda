import { createTRPCClient, httpBatchStreamLink } from '@trpc/client';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { formatApiKey, generateApiKey } from '../../src/auth/api-key-format.js';
import { permissions } from '../../src/auth/permissions.js';
import { formatSession, generateSession, parseSession } from '../../src/auth/session-token.js';
import { version } from '../../src/config/version.js';
import { deleteExpired } from '../../src/retention/expired-rows.js';
import type { AppRouter } from '../../src/routers/index.js';
import type { IssuedApiKey } from '../../src/services/api-keys/api-keys.schema.js';
import { useApp } from '../support/app.js';
import { drain } from '../support/drain.js';
import { openStream, progressUrl } from '../support/sse-client.js';
import { CONVERSATIONS, TENANT } from './support/rest-client.js';
import { callSession, signIn } from './support/sign-in.js';

const START = new Date('2026-11-21T12:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let now = START;
const app = useApp({ authMode: 'required' }, { clock: () => now });
const beside = useApp({ authMode: 'required' }, { beside: app, clock: () => now });
const open = useApp({ searchMode: 'semantic' });

beforeEach(() => {
  now = START;
});

const later = (ms: number) => new Date(START.getTime() + ms);
const SESSION = '/trpc/session.get';
const LIST = '/trpc/conversations.list?input={}';
/** What a page of the server sends in reads. */
const statusOf = async (cookie: string, { one = app, route = SESSION } = {}) =>
  (await one.request('GET', route, { headers: { cookie } })).status;
const signedIn = async (fields?: Parameters<typeof app.makeKey>[0]) => {
  const key = await app.makeKey(fields);
  return { key, ...(await signIn(app, key.key)) };
};
const revoke = (key: IssuedApiKey, one = app) =>
  one.app.services.apiKeys.revoke({ scope: TENANT, keyId: key.id }, { userId: undefined });

const server = {
  version,
  maxUploadBytes: 104_857_600,
  maxJsonBytes: 16_777_216,
  maxPageSize: 100,
  chunking: { size: 1_000, overlap: 100 },
  extraction: null,
  search: { engine: 'postgres', mode: 'lexical', meaning: false, reranking: false },
  defaultTenantUnit: { tenantId: 'default', tenantUnitId: 'default' },
};
const UNAUTHORIZED = {
  type: 'unauthorized',
  loc: ['X-Api-Key'],
  msg: 'A valid API key is needed, in X-Api-Key or as a bearer token.',
};

/** A cookie as it is set, without its date, which follows from Max-Age. */
const attributesOf = (cookie = '') => cookie.split('; ').filter((part) => !part.startsWith('Expires='));

describe('signing in', () => {
  test('sets a cookie, and tells who is asking and of the server', async () => {
    const key = await app.makeKey({
      scope: { ...TENANT, tenantUnitId: 'sales' },
      datasetIds: ['faq'],
      scopes: ['search'],
      name: 'Ann',
      expiresIn: 90 * DAY_MS,
    });
    const told = {
      mode: 'required',
      key: {
        id: key.id,
        name: 'Ann',
        scopes: ['search'],
        ...TENANT,
        tenantUnitIds: ['sales'],
        datasetIds: ['faq'],
        expiresTime: later(90 * DAY_MS).toISOString(),
      },
      expiresTime: later(DAY_MS).toISOString(),
      server,
    };
    const answer = await callSession(app, 'create', { authorization: `Bearer ${key.key}` });
    expect([answer.status, answer.body]).toEqual([200, { result: { data: told } }]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [cookie, ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(attributesOf(cookie)).toEqual([
      expect.stringMatching(/^lectern=[\w-]{16}\.[\w-]{43}$/),
      'Max-Age=1209600',
      'Path=/',
      'HttpOnly',
      'SameSite=Strict',
    ]);

    const { session } = app.trpc({ cookie: cookie?.split(';')[0] as string });
    expect(await session.get.query()).toEqual(told);
    expect(await app.trpc({ 'x-api-key': key.key }).session.get.query()).toEqual({
      ...told,
      expiresTime: null,
    });
  });

  test.each([
    ['no key', {}],
    ['a key that nobody made', { 'x-api-key': formatApiKey(generateApiKey()) }],
    ['two keys', { 'x-api-key': 'one', authorization: 'Bearer other' }],
  ])('is refused with %s', async (_, headers) => {
    const answer = await callSession(app, 'create', headers as Record<string, string>);
    expect([answer.status, answer.body.error.data.detail]).toEqual([401, [UNAUTHORIZED]]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('takes the key itself: a session does not make another', async () => {
    const { cookie, origin } = await signedIn();
    const answer = await callSession(app, 'create', { cookie, origin });
    expect([answer.status, answer.body.error.data.detail]).toEqual([
      409,
      [
        {
          type: 'conflict',
          loc: [],
          msg: 'To create a session, send the API key itself, not another session.',
        },
      ],
    ]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('is refused in a streamed batch, whose headers are sent first', async () => {
    const { key } = await app.makeKey();
    const { session } = createTRPCClient<AppRouter>({
      links: [httpBatchStreamLink({ url: `${app.address}/trpc`, headers: { 'x-api-key': key } })],
    });
    const detail = (error: { data?: { detail: unknown } }) => error.data?.detail;
    const msg = 'A streamed batch cannot set a cookie; send this call by itself.';
    const refused = [{ type: 'value_error', loc: [], msg }];
    expect(await session.create.mutate().catch(detail)).toEqual(refused);
    expect(await session.delete.mutate().catch(detail)).toEqual(refused);
  });

  test('is ended by a call of its own: what comes with it would go on after the session', async () => {
    const { cookie, origin } = await signedIn();
    const response = await fetch(`${app.address}/trpc/session.delete,conversations.create?batch=1`, {
      method: 'POST',
      headers: { cookie, origin, 'content-type': 'application/json' },
      body: JSON.stringify({ 0: null, 1: { scope: { tenantId: 'acme', tenantUnitId: 'sales' } } }),
    });
    const [ended, created] = (await response.json()) as any[];
    expect(ended.error.data).toMatchObject({
      httpStatus: 422,
      detail: [{ loc: [], msg: 'Send this call by itself, not in a batch.' }],
    });
    expect(created.result.data.tenantId).toBe('acme');
  });

  test('stores no more than a hash of the secret', async () => {
    const { cookie } = await signedIn();
    const { id, secret } = parseSession(cookie.slice('lectern='.length)) ?? {};
    const row = await app.db
      .selectFrom('sessions')
      .selectAll()
      .where('tenantId', '=', 'acme')
      .where('id', '=', id as string)
      .executeTakeFirstOrThrow();
    expect(row.secretHash).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(secret);
  });

  test('ends the oldest of a thousand sessions of the key', async () => {
    const { key, ...first } = await signedIn();
    const other = await signedIn();
    now = later(1);
    const second = await signIn(app, key.key);
    await sql`
      insert into sessions (tenant_id, id, secret_hash, key_id, created_time, expires_time)
      select 'acme', ${key.id} || number, ${Buffer.alloc(32)}, ${key.id}, ${now}, ${later(DAY_MS + 1)}
      from generate_series(1, 998) as number
    `.execute(app.db);
    now = later(2);
    const last = await signIn(app, key.key);
    const statuses = [first, second, last, other].map(({ cookie }) => statusOf(cookie));
    expect(await Promise.all(statuses)).toEqual([401, 200, 200, 200]);
  });
});

describe('behind a proxy that speaks https', () => {
  const proxied = useApp({ authMode: 'required', trustProxy: 1 });
  const https = { 'x-forwarded-proto': 'https' };

  test('the cookie is for https alone', async () => {
    const { key } = await proxied.makeKey();
    const answer = await callSession(proxied, 'create', { 'x-api-key': key, ...https });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(attributesOf(cookie)).toEqual([
      expect.stringMatching(/^__Host-lectern=[\w-]{16}\.[\w-]{43}$/),
      'Max-Age=1209600',
      'Path=/',
      'HttpOnly',
      'Secure',
      'SameSite=Strict',
    ]);
    const [pair = ''] = cookie.split(';');
    const ask = async (headers: Record<string, string>) =>
      (await proxied.request('GET', SESSION, { headers })).status;
    expect(await ask({ cookie: pair, ...https })).toBe(200);
    expect(await ask({ cookie: pair.replace('__Host-', ''), ...https })).toBe(401);
    expect(await ask({ cookie: pair })).toBe(401);

    const page = {
      cookie: pair,
      ...https,
      'x-forwarded-host': 'lectern.test',
      origin: 'https://lectern.test',
    };
    const left = await callSession(proxied, 'delete', page);
    expect([left.status, left.headers.getSetCookie()]).toEqual([
      200,
      ['__Host-lectern=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Strict'],
    ]);
  });
});

describe('a session', () => {
  test('does over tRPC what its key may do, where it may', async () => {
    const { key, ...page } = await signedIn({
      scope: { ...TENANT, tenantUnitId: 'sales' },
      scopes: ['conversations:write'],
    });
    const { conversations } = app.trpc({ ...page, 'x-user-id': 'ann' });
    const { tenantId, tenantUnitId } = await conversations.create.mutate({ topic: 'Mine' });
    expect([tenantId, tenantUnitId]).toEqual(['acme', 'sales']);
    const codeOf = (error: { data?: { code: string } }) => error.data?.code;
    expect(await conversations.list.query({}).catch(codeOf)).toBe('FORBIDDEN');
    expect(await conversations.create.mutate({ scope: { tenantId: 'rival' } } as never).catch(codeOf)).toBe(
      'FORBIDDEN',
    );
    const [event] = await app.db
      .selectFrom('auditEvents')
      .select(['action', 'userId'])
      .where('tenantId', '=', 'acme')
      .where('keyId', '=', key.id)
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(event).toEqual({ action: 'conversations.create', userId: 'ann' });
  });

  test('uploads a file', async () => {
    const { cookie, origin } = await signedIn();
    const { files } = app.trpc({ cookie, origin });
    expect(await files.upload.mutate(new Blob(['text']))).toMatchObject({ sizeBytes: 4 });
  });

  test.each(['GET', 'POST'])('is no credential for REST: %s', async (method) => {
    const { cookie, origin } = await signedIn();
    const answer = await app.request(method, CONVERSATIONS, { headers: { cookie, origin }, ...body(method) });
    expect([answer.status, answer.headers.get('www-authenticate'), answer.body]).toEqual([
      401,
      'Bearer realm="Lectern"',
      { detail: [{ ...UNAUTHORIZED, loc: ['header', 'X-Api-Key'] }] },
    ]);
  });
  const body = (method: string) => (method === 'POST' ? { body: {} } : {});

  test('yields to a key in a header, also to a wrong one', async () => {
    const { cookie } = await signedIn();
    const reader = await app.makeKey({ scopes: ['search'] });
    const ask = async (key: string) =>
      (await app.request('GET', LIST, { headers: { cookie, 'x-api-key': key } })).status;
    expect([await statusOf(cookie, { route: LIST }), await ask(reader.key), await ask('wrong')]).toEqual([
      200, 403, 401,
    ]);
    const basic = { cookie, authorization: 'Basic YTpi' };
    expect((await app.request('GET', LIST, { headers: basic })).status).toBe(200);
  });
});

describe('the same 401 for', () => {
  const WRONG: Record<string, () => Promise<string> | string> = {
    'an empty cookie': () => 'lectern=',
    'something else': () => 'lectern=secret',
    'a session that nobody has': () => `lectern=${formatSession(generateSession())}`,
    "a session with another's secret": async () => {
      const { id } = parseSession((await signedIn()).cookie.slice('lectern='.length)) ?? { id: '' };
      return `lectern=${formatSession({ id, secret: generateSession().secret })}`;
    },
    'two sessions': async () => `${(await signedIn()).cookie}; ${(await signedIn()).cookie}`,
    'a session of a revoked key': async () => {
      const { cookie, key } = await signedIn();
      await revoke(key);
      return cookie;
    },
    'a session of an expired key': async () => {
      const { cookie } = await signedIn({ expiresIn: HOUR_MS });
      expect(await statusOf(cookie)).toBe(200);
      now = later(HOUR_MS);
      return cookie;
    },
    'a session that was not used for a day': async () => {
      const { cookie } = await signedIn();
      now = later(DAY_MS);
      return cookie;
    },
    'a session that was signed out': async () => {
      const { cookie, origin } = await signedIn();
      expect((await callSession(app, 'delete', { cookie, origin })).status).toBe(200);
      return cookie;
    },
  };

  test.each(Object.keys(WRONG))('%s', async (what) => {
    const cookie = (await WRONG[what]?.()) as string;
    for (const route of [SESSION, LIST, '/trpc/no.such']) {
      const answer = await app.request('GET', route, { headers: { cookie } });
      expect([answer.status, answer.headers.get('www-authenticate'), answer.body.error.data]).toEqual([
        401,
        'Bearer realm="Lectern"',
        { code: 'UNAUTHORIZED', httpStatus: 401, detail: [UNAUTHORIZED] },
      ]);
    }
  });

  test('the same cookie twice is one session', async () => {
    const { cookie } = await signedIn();
    expect(await statusOf(`theme=dark; ${cookie};lectern2=a; ${cookie}`)).toBe(200);
  });
});

describe('the end of a session', () => {
  const expiryOf = async (cookie: string) =>
    (await app.trpc({ cookie }).session.get.query()).expiresTime as unknown as string;
  const storedExpiry = async (keyId: string) =>
    (
      await app.db
        .selectFrom('sessions')
        .select('expiresTime')
        .where('tenantId', '=', 'acme')
        .where('keyId', '=', keyId)
        .executeTakeFirstOrThrow()
    ).expiresTime;

  test('moves on with each use, by the minute, and the use counts for the key', async () => {
    const { cookie, key } = await signedIn();
    now = later(59_999);
    expect(await expiryOf(cookie)).toBe(later(DAY_MS).toISOString());
    now = later(DAY_MS - 1);
    expect(await expiryOf(cookie)).toBe(later(2 * DAY_MS - 1).toISOString());
    await expect.poll(() => storedExpiry(key.id)).toEqual(later(2 * DAY_MS - 1));
    const lastUse = async () =>
      await app.db
        .selectFrom('apiKeys')
        .select('lastUsedTime')
        .where('tenantId', '=', 'acme')
        .where('id', '=', key.id)
        .executeTakeFirstOrThrow();
    await expect.poll(lastUse).toEqual({ lastUsedTime: now });
  });

  test('comes after two weeks, however much it is used', async () => {
    const { cookie, key } = await signedIn();
    for (let use = 1; use <= 14; use++) {
      const used = use * 23 * HOUR_MS;
      now = later(used);
      const expiryAfterUse = async () => {
        expect(await statusOf(cookie)).toBe(200);
        return storedExpiry(key.id);
      };
      await expect.poll(expiryAfterUse).toEqual(later(Math.min(used + DAY_MS, 14 * DAY_MS)));
    }
    now = later(14 * DAY_MS - 1);
    expect(await expiryOf(cookie)).toBe(later(14 * DAY_MS).toISOString());
    now = later(14 * DAY_MS);
    expect(await statusOf(cookie)).toBe(401);
  });

  test('removes the row within the hour', async () => {
    const gone = await signedIn();
    now = later(1);
    const kept = await signedIn();
    const rule = { table: 'sessions', column: 'expires_time', keepMs: 0 };
    await drain(deleteExpired(app.db, rule, () => later(DAY_MS + 1)));
    const left = await app.db
      .selectFrom('sessions')
      .select('keyId')
      .where('tenantId', '=', 'acme')
      .where('keyId', 'in', [gone.key.id, kept.key.id])
      .execute();
    expect(left).toEqual([{ keyId: kept.key.id }]);
  });
});

describe('signing out', () => {
  test('ends that session in all processes, clears the cookie, and is audited', async () => {
    const { key, cookie, origin } = await signedIn();
    const other = await signIn(beside, key.key);
    expect([await statusOf(cookie), await statusOf(cookie, { one: beside })]).toEqual([200, 200]);

    const answer = await callSession(beside, 'delete', { cookie, origin: beside.address });
    expect([answer.status, answer.body]).toEqual([200, { result: { data: { endSessionUrl: null } } }]);
    expect(answer.headers.getSetCookie()).toEqual([
      'lectern=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict',
    ]);
    expect([await statusOf(cookie), await statusOf(cookie, { one: beside })]).toEqual([401, 401]);
    expect([await statusOf(other.cookie), await statusOf(other.cookie, { one: beside })]).toEqual([200, 200]);
    expect((await callSession(app, 'delete', { cookie, origin })).status).toBe(401);

    const { audit } = app.trpc({ 'x-api-key': key.key });
    const { items } = await audit.list.query({ scope: TENANT, subjectId: key.id });
    const sessionId = cookie.slice('lectern='.length).split('.')[0];
    const subject = { subjectType: 'apiKey', keyId: key.id };
    expect(
      items.map(({ action, subjectType, keyId, before, after }) => ({
        action,
        subjectType,
        keyId,
        before,
        after,
      })),
    ).toEqual([
      { ...subject, action: 'session.delete', before: { sessionId }, after: null },
      { ...subject, action: 'session.create', before: null, after: { sessionId: expect.any(String) } },
      { ...subject, action: 'session.create', before: null, after: { sessionId } },
      { ...subject, keyId: null, action: 'apiKeys.create', before: null, after: expect.anything() },
    ]);
  });

  test('takes a session', async () => {
    const { key } = await app.makeKey();
    const answer = await callSession(app, 'delete', { 'x-api-key': key });
    expect([answer.status, answer.body.error.data.detail]).toEqual([
      409,
      [{ type: 'conflict', loc: [], msg: 'You have no session to end.' }],
    ]);
  });

  test.each<[string, (page: { cookie: string; origin: string }, key: IssuedApiKey) => Promise<unknown>]>([
    ['it', (page) => callSession(beside, 'delete', { ...page, origin: beside.address })],
    ['revoking its key', (_, key) => revoke(key, beside)],
  ])('a session in use is refused from the answer on: %s', async (_, end) => {
    const { key, ...page } = await signedIn();
    let isOver = false;
    let served = 0;
    const ask = async (one: typeof app) => {
      for (let rejected = 0; rejected < 10; ) {
        const isAfter = isOver;
        // What runs meanwhile may be aborted.
        const status = await statusOf(page.cookie, { one }).catch(() => undefined);
        if (status === 200) served++;
        if (isAfter) expect(status).toBe(401);
        if (status === 401) rejected++;
      }
    };
    const callers = [app, beside, app, beside].map(ask);
    await expect.poll(() => served).toBeGreaterThan(20);
    await end(page, key);
    isOver = true;
    await Promise.all(callers);
  });
});

describe('streams of a session end', () => {
  type Page = { cookie: string; origin: string };
  const HOW: Record<string, (page: Page, key: IssuedApiKey) => Promise<unknown>> = {
    'when it is signed out elsewhere': (page) =>
      callSession(beside, 'delete', { ...page, origin: beside.address }),
    'when its key is revoked': (_, key) => revoke(key, beside),
    'when it was last used a day ago': async () => {
      now = later(2 * DAY_MS);
    },
  };

  test.each(Object.keys(HOW))('%s', async (how) => {
    const { key, ...page } = await signedIn();
    const documentId = `watched ${how}`;
    await app.db
      .insertInto('documents')
      .values({
        id: documentId,
        tenantId: 'acme',
        tenantUnitId: 'sales',
        documentType: 'UnstructuredFile',
        status: 'created',
        source: 'content',
        createdTime: START,
        updatedTime: START,
      })
      .execute();
    const stream = await openStream(progressUrl(app.address, TENANT, [documentId]), {
      cookie: page.cookie,
      'sec-fetch-site': 'same-origin',
    });
    expect(stream.status).toBe(200);
    await stream.until('"status":"created"');
    await HOW[how]?.(page, key);
    await expect(stream.until('never')).rejects.toThrow('the stream ended without never');
  });
});

describe('pages of other origins', () => {
  const ORIGIN = 'https://console.test';
  const cors = useApp({ authMode: 'required', corsOrigins: [ORIGIN] }, { beside: app, clock: () => now });
  const OWN = () => app.address;
  const refused = 'Sessions are only for pages of this server.';

  test.each<[string, 'GET' | 'POST', Record<string, string | (() => string)>, number]>([
    ['a page of the server', 'POST', { 'sec-fetch-site': 'same-origin' }, 200],
    [
      'a page of the server, behind a proxy that changes Host',
      'POST',
      { 'sec-fetch-site': 'same-origin', origin: 'https://lectern.test' },
      200,
    ],
    ['a page of the server over http', 'POST', { origin: OWN }, 200],
    ['reads of the server over http', 'GET', {}, 200],
    ['a page of another site', 'GET', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a write of another site', 'POST', { 'sec-fetch-site': 'cross-site', origin: OWN }, 403],
    ['another port or subdomain', 'GET', { 'sec-fetch-site': 'same-site' }, 403],
    ['a write of another port', 'POST', { 'sec-fetch-site': 'same-site' }, 403],
    ['an address that a person enters', 'GET', { 'sec-fetch-site': 'none' }, 403],
    ['a write of another port over http', 'POST', { origin: 'http://127.0.0.1:1' }, 403],
    ['a write of another host over http', 'POST', { origin: 'http://evil.test' }, 403],
    ['a write of a page without origin', 'POST', { origin: 'null' }, 403],
    ['a write that names no origin', 'POST', {}, 403],
  ])('%s: %s', async (_, method, headers, status) => {
    const { cookie } = await signedIn();
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value()]),
    );
    const answer = await app.request(method, method === 'GET' ? LIST : '/trpc/conversations.create', {
      headers: { cookie, ...sent },
      ...(method === 'POST' && { body: { scope: { ...TENANT, tenantUnitId: 'sales' } } }),
    });
    expect([answer.status, answer.body.error?.data.detail]).toEqual([
      status,
      status === 403 ? [{ type: 'forbidden', loc: [], msg: refused }] : undefined,
    ]);
  });

  test('sessions are also refused to origins that CORS allows, and keys are not', async () => {
    const { key, cookie } = await signedIn();
    for (const site of [undefined, 'cross-site']) {
      const headers = { origin: ORIGIN, ...(site && { 'sec-fetch-site': site }) };
      const ask = (credential: object) =>
        cors.request('POST', '/trpc/conversations.create', {
          headers: { ...headers, ...credential },
          body: { scope: { ...TENANT, tenantUnitId: 'sales' } },
        });
      const answer = await ask({ cookie });
      expect([answer.status, answer.headers.get('access-control-allow-credentials')]).toEqual([403, null]);
      expect((await ask({ 'x-api-key': key.key })).status).toBe(200);
    }
  });
});

describe('failed sessions', () => {
  const limited = useApp({
    authMode: 'required',
    trustProxy: 1,
    rateLimits: { store: 'memory', failedKeys: { amount: 2, seconds: 1_000_000 } },
  });
  const from = async (address: string, headers: Record<string, string>) =>
    (await limited.request('GET', SESSION, { headers: { 'x-forwarded-for': address, ...headers } })).status;

  test('are always 401, and use up nothing of the limit of failed keys', async () => {
    const cookie = 'lectern=ended';
    for (let i = 0; i < 5; i++) expect(await from('192.0.2.1', { cookie })).toBe(401);
    for (const status of [401, 401, 429]) {
      expect(await from('192.0.2.1', { 'x-api-key': 'guess' })).toBe(status);
    }
    expect(await from('192.0.2.1', { cookie })).toBe(401);
    const { key } = await limited.makeKey();
    const { cookie: valid } = await signIn(limited, key);
    expect(await from('192.0.2.1', { cookie: valid })).toBe(200);
  });
});

describe('in open mode', () => {
  test('there is nothing to sign in to', async () => {
    const told = { mode: 'open', key: null, expiresTime: null, server };
    for (const headers of [{}, { cookie: 'lectern=secret' }, { 'x-api-key': 'secret' }]) {
      const answer = await open.request('GET', SESSION, { headers: headers as Record<string, string> });
      expect([answer.status, answer.body]).toEqual([200, { result: { data: told } }]);
    }
    for (const [name, msg] of [
      ['create', 'This server needs no API key, so you do not need to sign in.'],
      ['delete', 'You have no session to end.'],
    ] as const) {
      const answer = await callSession(open, name, {});
      expect([answer.status, answer.body.error.data.detail]).toEqual([
        409,
        [{ type: 'conflict', loc: [], msg }],
      ]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });
});

test('a key with everything has all its permissions in a session', async () => {
  const { cookie } = await signedIn();
  expect((await app.trpc({ cookie }).session.get.query()).key?.scopes).toEqual([...permissions]);
});
