import type { JWTPayload } from 'jose';
import { afterAll, expect, test } from 'vitest';
import { startTokenIssuer } from '../../bench/support/token-issuer.js';
import { type Environment, startProgram } from '../support/run-command.js';
import { startSignInProvider } from '../support/sign-in-provider.js';

const issuer = await startTokenIssuer();
const { audience, tenants } = issuer.config();
const configured = (fields: object = {}): Environment => ({
  AUTH_MODE: 'required',
  AUTH_ISSUERS: JSON.stringify({ issuer: issuer.url, audience, tenants, ...fields }),
});
afterAll(() => issuer.close());

const EXPIRY = Math.floor(Date.now() / 1000) + 600;
const sign = (claims: JWTPayload = {}) =>
  issuer.sign({
    sub: 'ann-1',
    name: 'Ann\u001b[2K',
    tenant_id: 'acme',
    scope: 'search',
    exp: EXPIRY,
    ...claims,
  });

async function explain(input: string, env: Environment = configured(), ...args: string[]) {
  const { child, ended } = startProgram(['auth', 'explain', ...args], env, undefined, input);
  expect(child.pid).toBeGreaterThan(0);
  const { status, stdout, stderr } = await ended;
  for (const secret of input.split('.').filter((part) => part.length > 40))
    expect(stdout + stderr).not.toContain(secret);
  return { status, stdout, stderr };
}

test('tells what a token permits', async () => {
  expect(await explain(`Bearer ${await sign()}\n`)).toEqual({
    status: 0,
    stdout: `Accepted.

  issuer       ${issuer.url}
  user         ann-1 (Ann\\u001b[2K)
  tenant       acme
  units        all
  datasets     all
  permissions  search
  expires      ${new Date(EXPIRY * 1000).toISOString()}
`,
    stderr: '',
  });
});

test('tells that a token is for the MCP endpoint alone', async () => {
  const env = { ...configured(), PUBLIC_URL: 'https://lectern.test' };
  const { status, stdout } = await explain(await sign({ aud: 'https://lectern.test/mcp' }), env);
  expect([status, stdout.split('\n')[0]]).toEqual([
    0,
    'Accepted at the MCP endpoint alone, as its aud says.',
  ]);
});

test('tells why one is refused, also as JSON', async () => {
  const token = await sign({ aud: 'others' });
  expect(await explain(token)).toEqual({
    status: 1,
    stdout: 'Refused: Its aud is none of lectern.\n',
    stderr: '',
  });
  const { status, stdout } = await explain(token, configured(), '--json');
  expect([status, JSON.parse(stdout)]).toEqual([
    1,
    { accepted: false, issuer: issuer.url, reason: 'Its aud is none of lectern.' },
  ]);
  expect((await explain('lectern_key')).stdout).toBe('Refused: It is no JSON Web Token.\n');
});

test('tells what is wrong with the issuer', async () => {
  issuer.answerWith((_, res) => res.writeHead(302, { location: '/elsewhere' }).end());
  expect(await explain(await sign())).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining(
      'The keys of the issuer cannot be loaded: This URL redirects too many times',
    ),
  });
  issuer.answerWith();
});

test('needs an issuer and a token', async () => {
  expect(await explain(await sign(), {})).toMatchObject({ status: 2, stdout: '' });
  expect(await explain('')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('Standard input is empty: pipe a token into it.'),
  });
});

const doctorLines = async (env: Environment, check = 'token issuers') => {
  const { stdout } = await startProgram(['doctor'], env).ended;
  return stdout
    .split('\n')
    .map((line) => line.replace(/ +/g, ' '))
    .filter((line) => line.split(' ').slice(1).join(' ').startsWith(check));
};

test('lectern doctor looks at each issuer', async () => {
  expect(await doctorLines(configured())).toEqual([
    `ok token issuers ${issuer.url} has 1 key at ${issuer.url}/keys.`,
  ]);
  issuer.answerWith((req, res) => {
    res.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
    issuer.serve(req, res);
  });
  expect(await doctorLines(configured())).toEqual([
    expect.stringMatching(
      /^warning token issuers The clock of .* is (59 min \d+ s|1 h 0 min) behind this machine's: valid tokens are refused\. Let NTP/,
    ),
  ]);
  issuer.answerWith((_, res) => res.end('<html>'));
  expect(await doctorLines(configured())).toEqual([
    `problem token issuers The keys of ${issuer.url} cannot be loaded: The server sent no valid JSON. Compare issuer and jwksUri in AUTH_ISSUERS with the provider. Until then its tokens get 503.`,
  ]);
  issuer.answerWith();
});

test('lectern doctor prints what a provider has to know of the console', async () => {
  const publicUrl = 'http://127.0.0.1:8080';
  const claims = { name: 'Ann', email: 'ann@acme.test', tenant_id: 'acme', roles: [] };
  const provider = await startSignInProvider({ publicUrl }, claims);
  const env = (PUBLIC_URL: string) => ({
    ...configured(),
    PUBLIC_URL,
    AUTH_ISSUERS: JSON.stringify({ ...provider.settings, displayName: 'Acme', tenants: ['acme'] }),
  });
  const registered = `Its client must have the redirect URI ${provider.redirectUri} and the post-logout redirect URI ${publicUrl}/.`;
  expect(await doctorLines(env(publicUrl), 'console sign-in')).toEqual([
    `ok console sign-in People sign in with Acme. ${registered}`,
  ]);
  const [first] = await doctorLines(env('http://lectern.test'), 'console sign-in');
  expect(first).toBe(
    'warning console sign-in PUBLIC_URL is http://lectern.test, so codes and session cookies of people who sign in are not encrypted. Put a proxy with TLS in front, and set PUBLIC_URL to its https:// address. Most providers refuse others.',
  );
  provider.setAway(true);
  expect(await doctorLines(env(publicUrl), 'console sign-in')).toEqual([
    `problem console sign-in The discovery document of ${provider.url} cannot be loaded, so nobody can sign in by it: The server answered with status 503; check that the page is public and still there. Compare issuer in AUTH_ISSUERS with the provider.`,
  ]);
  await provider.close();
});
