import { createHmac } from 'node:crypto';
import { base64url, exportJWK, exportSPKI, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTokenIssuer } from '../../bench/support/token-issuer.js';
import { permissions } from '../../src/auth/permissions.js';
import { useApp } from '../support/app.js';
import { CONVERSATIONS } from './support/rest-client.js';

let now = new Date('2026-11-27T12:00:00Z');
const issuer = await startTokenIssuer();
const other = await startTokenIssuer();
const lines: { msg: string; reason?: string }[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
const app = useApp(
  {
    authMode: 'required',
    rateLimits: { store: 'memory' },
    authIssuers: [
      issuer.config({ algorithms: ['ES256', 'RS256', 'EdDSA'] }),
      other.config({ tenants: ['globex'], authorizedParties: ['web'], unitsClaim: 'units' }),
    ],
  },
  { clock: () => now, log },
);
afterAll(() => Promise.all([issuer.close(), other.close()]));

const seconds = () => Math.floor(now.getTime() / 1000);
const good = () => ({
  iss: issuer.url,
  aud: 'lectern',
  sub: 'ann-1',
  tenant_id: 'acme',
  scope: permissions.join(' '),
  iat: seconds(),
  exp: seconds() + 300,
});
const sign = (claims: JWTPayload = {}, how: Parameters<typeof issuer.sign>[1] = {}) =>
  issuer.sign({ ...good(), ...claims }, how);
const signFor = (claims: JWTPayload) =>
  other.sign({ ...good(), iss: other.url, tenant_id: 'globex', azp: 'web', units: ['sales'], ...claims });
const ask = (token: string) =>
  app.request('GET', CONVERSATIONS, { headers: { authorization: `Bearer ${token}` } });
const unsigned = (header: object, claims: object = good()) =>
  `${base64url.encode(JSON.stringify(header))}.${base64url.encode(JSON.stringify(claims))}`;
const without = (name: string) => Object.fromEntries(Object.entries(good()).filter(([key]) => key !== name));

const NO_TENANT = 'The claim tenant_id must be a text of at most 255 bytes, or a list of 1 to 1000 of them.';
const deepClaims = () => base64url.encode(`${'{"a":'.repeat(900)}1${'}'.repeat(900)}`);

/** Every token that is refused, and what the log says. */
const REFUSED: Record<string, { token: () => Promise<string> | string; reason: string }> = {
  'another audience': {
    token: () => sign({ aud: 'elsewhere' }),
    reason: 'Its aud is none of lectern.',
  },
  'alg none': {
    token: () => `${unsigned({ alg: 'none', kid: 'first' })}.`,
    reason: 'Its alg is none of ES256, RS256, EdDSA.',
  },
  'the public key as a shared secret': {
    async token() {
      const { jwk } = issuer.keys.get('first') as never;
      const pem = await exportSPKI((await importJWK(jwk, 'ES256')) as never);
      const text = unsigned({ alg: 'HS256', kid: 'first' });
      return `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`;
    },
    reason: 'Its alg is none of ES256, RS256, EdDSA.',
  },
  'a kid that is a path': {
    token: () => sign({}, { header: { kid: '../../../../dev/null' } }),
    reason: 'The issuer has no key with its kid and alg.',
  },
  'a kid that is no text': {
    token: async () => {
      const [, claims, signature] = (await sign()).split('.');
      return `${base64url.encode(JSON.stringify({ alg: 'ES256', kid: { a: 1 } }))}.${claims}.${signature}`;
    },
    reason: 'The issuer has no key with its kid and alg.',
  },
  'an alg that the key is not for': {
    async token() {
      const { privateKey } = await generateKeyPair('RS256');
      return new SignJWT(good()).setProtectedHeader({ alg: 'RS256', kid: 'first' }).sign(privateKey);
    },
    reason: 'The issuer has no key with its kid and alg.',
  },
  'an embedded key': {
    async token() {
      const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
      const jwk = await exportJWK(publicKey);
      const header = { alg: 'ES256', kid: 'first', jwk, jku: `${other.url}/keys`, x5u: `${other.url}/cert` };
      return new SignJWT(good()).setProtectedHeader(header).sign(privateKey);
    },
    reason: 'Its signature is not that of the key which it names.',
  },
  "another issuer's key": {
    token: () => other.sign(good()),
    reason: 'Its signature is not that of the key which it names.',
  },
  'a changed claim': {
    async token() {
      const [header, , signature] = (await sign()).split('.');
      return `${header}.${base64url.encode(JSON.stringify({ ...good(), sub: 'eve' }))}.${signature}`;
    },
    reason: 'Its signature is not that of the key which it names.',
  },
  expired: { token: () => sign({ exp: seconds() - 31 }), reason: 'It has expired.' },
  'not yet valid': { token: () => sign({ nbf: seconds() + 31 }), reason: 'It is not valid yet.' },
  'issued in the future': { token: () => sign({ iat: seconds() + 31 }), reason: 'Its iat is in the future.' },
  'without end': {
    token: () => issuer.sign(without('exp')),
    reason: 'It has no exp.',
  },
  'with an end beyond all times': {
    token: () => sign({ exp: 1e300 }),
    reason: 'Its exp is beyond all times.',
  },
  'without a user': { token: () => issuer.sign(without('sub')), reason: 'It has no sub.' },
  'an empty user': {
    token: () => sign({ sub: '' }),
    reason: 'The claim sub must be a text of at most 255 bytes.',
  },
  'a user that cannot be stored': {
    token: () => sign({ sub: 'ann\0' }),
    reason: 'The claim sub must be a text of at most 255 bytes.',
  },
  'a user that is a number': {
    token: () => sign({ sub: 7 as never }),
    reason: 'The claim sub must be a text of at most 255 bytes.',
  },
  'another issuer': {
    token: () => sign({ iss: 'https://id.invalid' }),
    reason: 'No configured issuer has its iss.',
  },
  'an issuer with a slash': {
    token: () => sign({ iss: `${issuer.url}/` }),
    reason: 'No configured issuer has its iss.',
  },
  'an issuer that is a list': {
    token: () => sign({ iss: [issuer.url] as never }),
    reason: 'No configured issuer has its iss.',
  },
  'a notice of a logout': {
    token: () => sign({}, { header: { typ: 'logout+jwt' } }),
    reason: 'Its typ is not that of an access token.',
  },
  'an unknown critical header': {
    token: () => `${unsigned({ alg: 'ES256', kid: 'first', crit: ['x'], x: 1 })}.AAAA`,
    reason: 'It cannot be verified (ERR_JOSE_NOT_SUPPORTED).',
  },
  'a payload that is not encoded': {
    token: () => `${unsigned({ alg: 'ES256', kid: 'first', crit: ['b64'], b64: false })}.AAAA`,
    reason: 'Its signature is not that of the key which it names.',
  },
  'too long': {
    token: () => sign({ filler: 'x'.repeat(8_192) }),
    reason: 'It is longer than 8192 characters.',
  },
  'deeply nested claims': {
    token: () => `${base64url.encode('{"alg":"ES256","kid":"first"}')}.${deepClaims()}.AAAA`,
    reason: 'No configured issuer has its iss.',
  },
  'no JSON': { token: () => 'aaaa.bbbb.cccc', reason: 'It is no JSON Web Token.' },
  'a list of claims': {
    token: () => `${base64url.encode('{"alg":"ES256"}')}.${base64url.encode('[]')}.AAAA`,
    reason: 'It is no JSON Web Token.',
  },
  'a foreign tenant': {
    token: () => sign({ tenant_id: 'globex' }),
    reason: 'The claim tenant_id names a tenant that the issuer may not speak for.',
  },
  'a foreign tenant among others': {
    token: () => sign({ tenant_id: ['acme', 'globex'] }),
    reason: 'The claim tenant_id names a tenant that the issuer may not speak for.',
  },
  'all tenants': {
    token: () => sign({ tenant_id: '*' }),
    reason: 'The claim tenant_id names a tenant that the issuer may not speak for.',
  },
  'a tenant that is an object': { token: () => sign({ tenant_id: { id: 'acme' } }), reason: NO_TENANT },
  'a tenant that is a number': { token: () => sign({ tenant_id: 7 }), reason: NO_TENANT },
  'a list that is not of texts': { token: () => sign({ tenant_id: ['acme', 7] }), reason: NO_TENANT },
  'no tenant': { token: () => issuer.sign(without('tenant_id')), reason: NO_TENANT },
  'an empty list of tenants': { token: () => sign({ tenant_id: [] }), reason: NO_TENANT },
  'no permission': { token: () => sign({ scope: 'openid unheard:of' }), reason: 'It grants no permission.' },
  'several audiences, and no party': {
    token: () => sign({ aud: ['lectern', 'account'] }),
    reason: 'It has several audiences, and no azp says who got it.',
  },
  'another party': {
    token: () => signFor({ azp: 'mobile' }),
    reason: 'Its azp is none of authorizedParties.',
  },
  'no units where they are expected': {
    token: () => signFor({ units: undefined }),
    reason: 'The claim units must be a text of at most 255 bytes, or a list of 1 to 1000 of them.',
  },
};

beforeAll(async () => {
  expect((await ask(await sign())).status).toBe(200);
  expect((await ask(await signFor({}))).status).toBe(200);
});

describe('the same 401 for a token with', () => {
  test.each(Object.keys(REFUSED))('%s', async (what) => {
    const { token, reason } = REFUSED[what] as (typeof REFUSED)[string];
    const text = await token();
    lines.length = 0;
    const { status, headers, body } = await ask(text);
    expect([status, headers.get('www-authenticate'), body]).toEqual([
      401,
      'Bearer realm="Lectern", error="invalid_token"',
      {
        detail: [
          {
            type: 'unauthorized',
            loc: ['header', 'X-Api-Key'],
            msg: 'A valid API key is needed, in X-Api-Key or as a bearer token.',
          },
        ],
      },
    ]);
    expect(lines.filter(({ msg }) => msg === 'refused a token').map((line) => line.reason)).toEqual([reason]);
    expect(JSON.stringify(lines)).not.toContain(text.slice(-20));
  });
});

describe('a token is accepted', () => {
  test.each<[string, () => Promise<string>]>([
    ['within the clock skew', () => sign({ exp: seconds() - 29, iat: seconds() + 29, nbf: seconds() + 29 })],
    ['for several audiences', () => sign({ aud: ['account', 'lectern'], azp: 'web' })],
    ['with the type of RFC 9068', () => sign({}, { header: { typ: 'at+jwt' } })],
    ['of a client', () => signFor({ azp: undefined, client_id: 'web' })],
  ])('%s', async (_, token) => expect((await ask(await token())).status).toBe(200));

  test('by every kind of key', async () => {
    for (const [kid, alg] of [
      ['rsa', 'RS256'],
      ['ed', 'EdDSA'],
    ] as const) {
      await issuer.addKey(kid, alg);
      now = new Date(now.getTime() + 31_000);
      expect((await ask(await sign({}, { kid, header: { alg } }))).status).toBe(200);
    }
  });
});

test('a role that a member has is of no use to other issuers and in other tenants', async () => {
  const member = (tenantId: string, id: string, from: string) => ({
    tenantId,
    id,
    issuer: from,
    subject: 'ann-1',
    userId: 'ann-1',
    role: 'admin' as const,
    createdTime: now,
    lastSeenTime: now,
  });
  await app.db
    .insertInto('members')
    .values([
      member('globex', 'theirs', issuer.url),
      member('acme', 'foreign', other.url),
      member('umbrella', 'elsewhere', issuer.url),
    ])
    .execute();
  const scopesOf = async (token: string) =>
    (await app.trpc({ authorization: `Bearer ${token}` }).session.get.query()).user?.scopes;
  expect(await scopesOf(await sign({ scope: 'search' }))).toEqual(['search']);
  expect(await scopesOf(await signFor({ scope: 'search' }))).toEqual(['search']);
  for (const tenant of ['globex', 'umbrella'])
    expect((await ask(await sign({ tenant_id: tenant }))).status).toBe(401);
  expect((await ask(await signFor({ tenant_id: 'acme' }))).status).toBe(401);
  const claims = {
    scope: 'search',
    role: 'admin',
    roles: ['admin', 'operator'],
    members: [{ role: 'admin' }],
  };
  expect(await scopesOf(await sign(claims))).toEqual(['search']);
});

test('thousands of unknown kids have the keys loaded once', async () => {
  now = new Date(now.getTime() + 31_000);
  const before = issuer.requests.length;
  const token = await sign();
  const [, claims, signature] = token.split('.');
  const forge = (i: number) =>
    `${base64url.encode(JSON.stringify({ alg: 'ES256', kid: `unknown-${i}` }))}.${claims}.${signature}`;
  for (let i = 0; i < 10_000; i += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, j) => ask(forge(i + j))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  }
  expect(issuer.requests.slice(before)).toEqual(['/.well-known/openid-configuration', '/keys']);
  expect((await ask(token)).status).toBe(200);
});
