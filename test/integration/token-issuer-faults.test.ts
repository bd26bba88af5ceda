import type { ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTokenIssuer } from '../../bench/support/token-issuer.js';
import { useApp } from '../support/app.js';
import { CONVERSATIONS } from './support/rest-client.js';

let now = new Date('2026-11-27T12:00:00Z');
const MINUTE_MS = 60_000;
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
const issuer = await startTokenIssuer();
const rotating = await startTokenIssuer();
/** Its key set is elsewhere, where nothing may be fetched. */
const astray = await startTokenIssuer();
const app = useApp(
  {
    authMode: 'required',
    authIssuers: [issuer.config(), rotating.config(), astray.config({ algorithms: ['RS256', 'ES256'] })],
  },
  { clock: () => now },
);
afterAll(() => Promise.all([issuer.close(), rotating.close(), astray.close()]));

const sign = (from = issuer, kid = 'first', alg = 'ES256') =>
  from.sign(
    {
      sub: 'ann',
      tenant_id: 'acme',
      scope: 'conversations:read',
      exp: Math.floor(now.getTime() / 1000) + 86_400,
    },
    { kid, header: { alg } },
  );
const ask = (token: string) =>
  app.request('GET', CONVERSATIONS, { headers: { authorization: `Bearer ${token}` } });
const UNAVAILABLE = [
  503,
  '2',
  null,
  {
    detail: [
      {
        type: 'unavailable',
        loc: [],
        msg: 'The keys of the issuer of this token are not known at the moment; try again.',
      },
    ],
  },
];
const told = ({ status, headers, body }: Awaited<ReturnType<typeof ask>>) => [
  status,
  headers.get('retry-after'),
  headers.get('www-authenticate'),
  body,
];

/** Ways in which an issuer does not answer. */
const FAULTS: Record<string, (res: ServerResponse, url: string) => void> = {
  'answers garbage': (res) => res.end('<html>'),
  'answers other JSON': (res) => res.end('[null]'),
  'answers a deep list': (res) => res.end('['.repeat(400_000)),
  'answers an error': (res) => res.writeHead(500).end(),
  'answers megabytes': (res) => res.end('x'.repeat(2_000_000)),
  redirects: (res) =>
    res.writeHead(302, { location: `${rotating.url}/.well-known/openid-configuration` }).end(),
  'breaks off': (res) => void res.socket?.destroy(),
  'is another': (res) => res.end(JSON.stringify({ issuer: rotating.url, jwks_uri: `${rotating.url}/keys` })),
  'has its keys in the network': (res, url) =>
    res.end(JSON.stringify({ issuer: url, jwks_uri: 'https://192.168.0.1/keys' })),
  'has its keys at a file': (res, url) =>
    res.end(JSON.stringify({ issuer: url, jwks_uri: 'file:///etc/passwd' })),
  'is silent': () => {},
  'sends byte by byte': (res) => {
    const timer = setInterval(() => res.write(' '), 200);
    res.once('close', () => clearInterval(timer));
  },
};

describe('while no keys are known', () => {
  beforeEach(() => pass(5_000));
  afterEach(() => issuer.answerWith());

  test.each(Object.keys(FAULTS))('an issuer that %s makes its tokens wait, and no others', async (how) => {
    issuer.answerWith((_, res) => FAULTS[how]?.(res, issuer.url));
    const token = await sign();
    const before = issuer.requests.length;
    const asked = Promise.all([ask(token), ask(token), ask(token)]);
    await expect.poll(() => issuer.requests.length).toBe(before + 1);
    const { key } = await app.makeKey();
    expect((await app.request('GET', CONVERSATIONS, { headers: { 'x-api-key': key } })).status).toBe(200);
    expect((await ask(await sign(rotating))).status).toBe(200);
    expect((await asked).map(told)).toEqual([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE]);
    // The failure is remembered for a moment.
    expect(told(await ask(token))).toEqual(UNAVAILABLE);
    expect(issuer.requests.length).toBe(before + 1);
  });

  test.each<[string, () => Promise<object> | object]>([
    ['no list', () => ({ keys: {} })],
    ['none at all', () => ({ keys: [] })],
    ['more than a hundred', () => ({ keys: Array(101).fill(issuer.keys.get('first')?.jwk) })],
    ['shared secrets alone', () => ({ keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: 'first' }] })],
    ['keys for encryption alone', () => ({ keys: [{ ...issuer.keys.get('first')?.jwk, use: 'enc' }] })],
    [
      'private ones',
      async () => {
        const { privateKey } = await generateKeyPair('ES256', { extractable: true });
        return { keys: [{ ...(await exportJWK(privateKey)), kid: 'first' }] };
      },
    ],
    [
      'short ones',
      () => ({
        keys: [{ kty: 'RSA', kid: 'first', n: Buffer.alloc(128, 255).toString('base64url'), e: 'AQAB' }],
      }),
    ],
  ])('a key set with %s is none', async (_, keys) => {
    const set = JSON.stringify(await keys());
    issuer.answerWith((req, res) => (req.url === '/keys' ? res.end(set) : issuer.serve(req, res)));
    expect(told(await ask(await sign()))).toEqual(UNAVAILABLE);
  });

  test('tokens are accepted as soon as there are keys', async () => {
    expect((await ask(await sign())).status).toBe(200);
  });
});

describe('once keys are known', () => {
  test.each(Object.keys(FAULTS))('an issuer that %s changes nothing', async (how) => {
    expect((await ask(await sign())).status).toBe(200);
    pass(2 * 60 * MINUTE_MS);
    issuer.answerWith((_, res) => FAULTS[how]?.(res, issuer.url));
    const tokens = [await sign(), await sign(issuer, 'first')];
    for (const token of tokens) expect((await ask(token)).status).toBe(200);
    issuer.answerWith();
    pass(MINUTE_MS);
    await ask(tokens[0] ?? '');
  });
});

test('keys are loaded again when they are old, while requests go on', async () => {
  const token = await sign(rotating);
  expect((await ask(token)).status).toBe(200);
  const before = rotating.requests.length;
  pass(9 * MINUTE_MS);
  await ask(token);
  expect(rotating.requests.length).toBe(before);
  pass(MINUTE_MS);
  expect((await ask(token)).status).toBe(200);
  await expect
    .poll(() => rotating.requests.slice(before))
    .toEqual(['/.well-known/openid-configuration', '/keys']);
});

test('a new key is accepted at once, and an old one until it is withdrawn', async () => {
  const old = await sign(rotating);
  expect((await ask(old)).status).toBe(200);
  await rotating.addKey('second');
  pass(MINUTE_MS);
  const renewed = await sign(rotating, 'second');
  expect([(await ask(renewed)).status, (await ask(old)).status]).toEqual([200, 200]);

  const withdrawn = await sign(rotating);
  rotating.keys.delete('first');
  expect((await ask(withdrawn)).status).toBe(200);
  pass(11 * MINUTE_MS);
  await expect.poll(async () => (await ask(withdrawn)).status).toBe(401);
  expect([(await ask(old)).status, (await ask(renewed)).status]).toEqual([401, 200]);
});

test('keys that are much too old are not used again first', async () => {
  const token = await sign(rotating, 'second');
  expect((await ask(token)).status).toBe(200);
  const third = await rotating.addKey('third');
  rotating.keys.delete('second');
  pass(61 * MINUTE_MS);
  expect((await ask(token)).status).toBe(401);
  expect(third.jwk.kid).toBe('third');
  expect((await ask(await sign(rotating, 'third'))).status).toBe(200);
});
