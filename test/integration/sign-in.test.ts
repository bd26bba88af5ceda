import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { findFreePort } from '../../src/cli/demo/find-free-port.js';
import { readConfig } from '../../src/config/config.js';
import { useApp } from '../support/app.js';
import { createVisitor, startSignInProvider } from '../support/sign-in-provider.js';
import { waitFor } from '../support/wait-for.js';
import { callSession } from './support/sign-in.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FACTS = { name: 'Ann', email: 'ann@acme.test', tenant_id: 'acme', roles: ['staff'] };

const port = await findFreePort();
const publicUrl = `http://127.0.0.1:${port}`;
const claims: Parameters<typeof startSignInProvider>[1] = { ...FACTS };
const provider = await startSignInProvider({ publicUrl }, claims);
const settings = { ...provider.settings, tenants: ['acme', 'globex'], roles: { staff: ['viewer'] } };
const { authIssuers } = readConfig({
  AUTH_MODE: 'required',
  PUBLIC_URL: publicUrl,
  AUTH_ISSUERS: JSON.stringify(settings),
});
const config = { authMode: 'required', authIssuers, publicUrl } as const;
let offsetMs = 0;
const clock = () => new Date(Date.now() + offsetMs);
const app = useApp({ ...config, port }, { clock });
const beside = useApp(config, { beside: app, clock });
afterAll(() => provider.close());
beforeEach(() => {
  offsetMs = 0;
  Object.assign(claims, FACTS);
  provider.setAway(false);
  provider.setGone(false);
  provider.setRefreshing(true);
  provider.setDelay(0);
});

const START = `${publicUrl}/sign-in/${new URL(provider.redirectUri).pathname.split('/')[2]}`;
const startAt = (returnTo: string) => `${START}?return_to=${encodeURIComponent(returnTo)}`;
const isBack = (url: URL) => url.origin === publicUrl && !url.pathname.startsWith('/sign-in/');
const isCallback = (url: URL) => url.href.startsWith(provider.redirectUri);
/** Where somebody gets to who signs in. */
async function arrive(start = startAt('/documents/42?tenant=acme'), visitor = createVisitor(), who = 'ann') {
  const { url } = await visitor.signIn(start, { who, stop: isBack });
  return { visitor, place: `${url.pathname}${url.search}${decodeURIComponent(url.hash)}` };
}
const PROVIDER = new URL(provider.redirectUri).pathname.split('/')[2];
const failed = (code: string, more = '') => `#sign-in=${code}&provider=${PROVIDER}${more}`;
const headersOf = (visitor: ReturnType<typeof createVisitor>) => ({
  cookie: `lectern=${visitor.cookies.get('lectern')}`,
  origin: publicUrl,
});
async function signedIn() {
  const { visitor } = await arrive();
  return headersOf(visitor);
}
const ask = (headers: Record<string, string>, one = app) =>
  one.request('GET', '/trpc/session.get', { headers: { ...headers, 'sec-fetch-site': 'same-origin' } });
const statusOf = async (headers: Record<string, string>, one = app) => (await ask(headers, one)).status;
const scopesOf = async (headers: Record<string, string>, one = app) =>
  (await ask(headers, one)).body.result.data.user.scopes;
const rows = () => app.db.selectFrom('userSessions').selectAll().execute();

describe('signing in', () => {
  test('a person comes back with a session to the page that was asked for', async () => {
    const { visitor, place } = await arrive();
    expect(place).toBe('/documents/42?tenant=acme');
    expect([...visitor.cookies.keys()]).not.toContain('lectern-sign-in');
    const { body } = await ask(headersOf(visitor));
    expect(body.result.data).toMatchObject({ mode: 'required', key: null, expiresTime: expect.any(String) });
    expect(body.result.data.user).toEqual({
      id: 'ann',
      name: 'Ann',
      email: 'ann@acme.test',
      issuer: provider.url,
      role: null,
      tenantId: 'acme',
      scopes: ['conversations:read', 'documents:read', 'chunks:read', 'search'],
      tenantUnitIds: null,
      datasetIds: null,
      expiresTime: expect.any(String),
    });
    const { items } = await app
      .trpc({ 'x-api-key': (await app.makeKey()).key })
      .members.list.query({ scope: { tenantId: 'acme' } });
    expect(items).toMatchObject([{ issuer: provider.url, subject: 'ann', name: 'Ann', role: null }]);
    const events = await app.db
      .selectFrom('auditEvents')
      .select(['action', 'subjectType', 'subjectId', 'userId', 'userIssuer', 'userName', 'keyId'])
      .where('action', '=', 'session.create')
      .execute();
    expect(events).toEqual([
      {
        action: 'session.create',
        subjectType: 'member',
        subjectId: items[0]?.id,
        userId: 'ann',
        userIssuer: provider.url,
        userName: 'Ann',
        keyId: null,
      },
    ]);
  });

  test('the console learns of the provider without a session', async () => {
    const { body } = await app.get('/');
    expect(body.signIn).toEqual([
      { id: PROVIDER, name: new URL(provider.url).host, issuer: provider.url, url: START },
    ]);
  });

  test('the provider gets a challenge, and the browser a cookie that no script reads', async () => {
    const answer = await fetch(START, { redirect: 'manual' });
    expect(answer.status).toBe(302);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^lectern-sign-in=[\w-]{43}; Max-Age=600; Path=\/; .*HttpOnly; SameSite=Lax$/),
    ]);
    const { searchParams } = new URL(answer.headers.get('location') ?? '');
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'console',
      response_type: 'code',
      redirect_uri: provider.redirectUri,
      scope: 'openid profile email offline_access',
      state: expect.any(String),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
  });

  test.each([
    '//evil.test/documents',
    '/\\evil.test',
    'https://evil.test/documents',
    '/.//evil.test',
    '/documents/..//evil.test',
    'javascript:alert(1)',
    '/trpc/session.get',
    `/documents/${'x'.repeat(2_000)}`,
    '',
  ])('%j is no page to return to', async (returnTo) => {
    expect((await arrive(startAt(returnTo))).place).toBe('/?tenant=acme');
  });

  test('the page is that of the tenant', async () => {
    const { place } = await arrive(startAt('/documents?tenant=demo&unit=demo&status=ready'));
    expect(place).toBe('/documents?tenant=acme&status=ready');
  });

  test('who has several tenants chooses one', async () => {
    claims.tenant_id = ['acme', 'globex'];
    const { visitor, place } = await arrive(startAt('/search'));
    expect(place).toBe(`/search${failed('tenant', '&tenant=acme&tenant=globex')}`);
    const chosen = await arrive(`${startAt('/search')}&tenant=globex`, visitor);
    expect(chosen.place).toBe('/search?tenant=globex');
    const { body } = await ask(headersOf(visitor));
    expect(body.result.data.user.tenantId).toBe('globex');
    const foreign = await arrive(`${startAt('/search')}&tenant=other`);
    expect(foreign.place).toBe(`/search${failed('tenant', '&tenant=acme&tenant=globex')}`);
  });
});

describe('what goes wrong', () => {
  test('nobody signs in who says no', async () => {
    expect((await arrive(undefined, undefined, 'cancel')).place).toBe(
      `/documents/42?tenant=acme${failed('denied')}`,
    );
  });

  test.each<[string, Partial<typeof claims>]>([
    ['a tenant that the issuer may not speak for', { tenant_id: 'other' }],
    ['no tenant', { tenant_id: [] }],
    ['no role', { roles: [] }],
  ])('a user with %s is refused', async (_, changes) => {
    Object.assign(claims, changes);
    const { visitor, place } = await arrive();
    expect(place).toBe(`/documents/42?tenant=acme${failed('refused')}`);
    expect(visitor.cookies.get('lectern')).toBeUndefined();
  });

  test('a callback is of use once, and in the browser that began alone', async () => {
    const visitor = createVisitor();
    const { url } = await visitor.signIn(START, { stop: isCallback });
    const stranger = createVisitor();
    expect((await stranger.visit(START, { stop: (at) => at.port !== String(port) })).status).toBe(0);
    const cookies = new Map(visitor.cookies);
    const { place: foreign } = await arrive(url.href, stranger);
    expect(foreign).toBe(`/${failed('expired')}`);
    const tampered = new URL(url);
    tampered.searchParams.set('state', `${url.searchParams.get('state')?.slice(0, -4)}AAAA`);
    expect((await arrive(tampered.href, visitor)).place).toBe(`/${failed('expired')}`);
    expect((await arrive(url.href, visitor)).place).toBe('/?tenant=acme');
    // The cookie is gone; and with it, the code is used.
    expect((await arrive(url.href, visitor)).place).toBe(`/${failed('expired')}`);
    for (const [name, value] of cookies) visitor.cookies.set(name, value);
    expect((await arrive(url.href, visitor)).place).toBe(`/${failed('expired')}`);
  });

  test('who takes too long begins again', async () => {
    const visitor = createVisitor();
    const { url } = await visitor.signIn(START, { stop: isCallback });
    offsetMs = 11 * MINUTE_MS;
    expect((await arrive(url.href, visitor)).place).toBe(`/${failed('expired')}`);
  });

  test('while the provider is away, the screen says so', async () => {
    const visitor = createVisitor();
    const { url } = await visitor.signIn(startAt('/search'), { stop: isCallback });
    provider.setAway(true);
    expect((await arrive(url.href, visitor)).place).toBe(`/search${failed('unavailable')}`);
    expect((await app.get('/healthz')).status).toBe(200);
  });

  test.each(['/sign-in/other', '/sign-in/other/callback?state=x'])('%s is of no provider', async (route) => {
    expect((await arrive(`${publicUrl}${route}`)).place).toBe('/#sign-in=expired&provider=other');
  });

  test('the database has no token that could be read, and no session that could be used', async () => {
    const headers = await signedIn();
    const [row, ...others] = (await rows()).reverse();
    expect(others.length).toBeGreaterThan(0);
    const stored = row?.sealedSecret.toString('latin1');
    // What a token begins with; shorter, it would be found in random bytes now and then.
    expect(stored).not.toContain('eyJhbGciOi');
    for (const secret of [row?.secretHash.toString('base64url'), 'x'.repeat(43), 'x'])
      expect(await statusOf({ ...headers, cookie: `lectern=user.${row?.id}.${secret}` })).toBe(401);
  });
});

describe('a session that goes on', () => {
  test('gets what the provider says now, and what roles give', async () => {
    const headers = await signedIn();
    claims.roles = [];
    offsetMs = 4 * MINUTE_MS;
    const asked = provider.countTokenRequests();
    expect(await statusOf(headers)).toBe(200);
    expect(provider.countTokenRequests()).toBe(asked);
    offsetMs = 6 * MINUTE_MS;
    claims.roles = ['staff', 'other'];
    claims.name = 'Ann of Acme';
    expect(await statusOf(headers)).toBe(200);
    await waitFor(async () => (await ask(headers)).body.result.data.user.name === 'Ann of Acme', {
      what: 'the session to be refreshed',
    });
    const admin = app.trpc({ 'x-api-key': (await app.makeKey()).key });
    const scope = { tenantId: 'acme' };
    const ann = (await admin.members.list.query({ scope })).items.find((one) => one.subject === 'ann');
    await admin.members.setRole.mutate({ scope, memberId: ann?.id ?? '', role: 'operator' });
    expect(await scopesOf(headers, beside)).toContain('operations');
    await admin.members.setRole.mutate({ scope, memberId: ann?.id ?? '', role: null });
    expect(await scopesOf(headers, beside)).not.toContain('operations');
  });

  test('two processes use a refresh token once', async () => {
    const headers = await signedIn();
    provider.setDelay(300);
    for (const hours of [2, 4]) {
      offsetMs = hours * HOUR_MS;
      const asked = provider.countTokenRequests();
      const both = [app, beside, app, beside].map((one) => statusOf(headers, one));
      expect(await Promise.all(both)).toEqual([200, 200, 200, 200]);
      expect(provider.countTokenRequests()).toBe(asked + 1);
    }
  });

  test('ends where the provider knows the user no more', async () => {
    const headers = await signedIn();
    const before = await rows();
    provider.setGone(true);
    offsetMs = 2 * HOUR_MS;
    expect(await statusOf(headers)).toBe(401);
    expect((await rows()).length).toBe(before.length - 1);
    provider.setGone(false);
    expect(await statusOf(headers)).toBe(401);
  });

  test('ends where the user lost the tenant', async () => {
    const headers = await signedIn();
    claims.tenant_id = 'globex';
    offsetMs = 2 * HOUR_MS;
    expect(await statusOf(headers)).toBe(401);
  });

  test('lives on for a while if the provider is away, and then waits for it', async () => {
    const headers = await signedIn();
    provider.setAway(true);
    offsetMs = 30 * MINUTE_MS;
    expect(await statusOf(headers)).toBe(200);
    offsetMs = 90 * MINUTE_MS;
    const answer = await ask(headers);
    expect([answer.status, answer.headers.get('retry-after'), answer.body.error.data.detail]).toEqual([
      503,
      '2',
      [
        {
          type: 'unavailable',
          loc: [],
          msg: 'Your identity provider does not answer at the moment; try again.',
        },
      ],
    ]);
    provider.setAway(false);
    await app.db.updateTable('userSessions').set({ retryTime: null }).execute();
    expect(await statusOf(headers)).toBe(200);
  });

  test('lasts an hour where the provider gives no refresh token', async () => {
    provider.setRefreshing(false);
    const headers = await signedIn();
    offsetMs = 6 * MINUTE_MS;
    expect(await statusOf(headers)).toBe(200);
    // What goes on in the background would be over.
    await setTimeout(300);
    offsetMs = 59 * MINUTE_MS;
    expect(await statusOf(headers, beside)).toBe(200);
    offsetMs = 61 * MINUTE_MS;
    expect(await statusOf(headers)).toBe(401);
    expect(await statusOf(headers, beside)).toBe(401);
  });

  test('is forgotten with its user', async () => {
    const headers = await signedIn();
    await app.trpc({ 'x-api-key': (await app.makeKey()).key }).users.erase.mutate({
      scope: { tenantId: 'acme' },
      userId: 'ann',
    });
    await waitFor(async () => (await statusOf(headers)) === 401, { what: 'the session to end' });
  });
});

describe('signing out', () => {
  test('ends the session here, and then at the provider', async () => {
    const { visitor } = await arrive();
    const headers = { ...headersOf(visitor), 'sec-fetch-site': 'same-origin' };
    const answer = await callSession(app, 'delete', headers);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([
      200,
      [expect.stringMatching(/^lectern=;/)],
    ]);
    expect(await statusOf(headers)).toBe(401);
    expect(await statusOf(headers, beside)).toBe(401);
    const { endSessionUrl } = answer.body.result.data;
    const { origin, searchParams } = new URL(endSessionUrl);
    expect([origin, Object.fromEntries(searchParams)]).toEqual([
      provider.url,
      {
        client_id: 'console',
        id_token_hint: expect.stringMatching(/^eyJ/),
        post_logout_redirect_uri: `${publicUrl}/`,
      },
    ]);
    const page = await visitor.visit(endSessionUrl);
    const [, form = ''] = /action="([^"]+)"/.exec(page.text) ?? [];
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.text) ?? [];
    const out = await visitor.visit(form, { method: 'POST', body: `xsrf=${xsrf}&logout=yes`, stop: isBack });
    expect(out.url.href).toBe(`${publicUrl}/`);
    // Whoever begins again is asked.
    expect((await visitor.visit(START)).url.pathname).toMatch(/^\/interaction\//);
  });

  test('while the provider is away, it ends here alone', async () => {
    const headers = { ...(await signedIn()), 'sec-fetch-site': 'same-origin' };
    provider.setAway(true);
    expect((await callSession(app, 'delete', headers)).status).toBe(200);
    expect(await statusOf(headers)).toBe(401);
  });
});
