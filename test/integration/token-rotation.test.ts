import { decodeJwt, decodeProtectedHeader, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { useApp } from '../support/app.js';
import { RESOURCE, startOidcProvider } from '../support/oidc-server.js';
import { CONVERSATIONS } from './support/rest-client.js';

const provider = await startOidcProvider({ tenant_id: 'acme' });
const { authIssuers } = readConfig({
  AUTH_MODE: 'required',
  AUTH_ISSUERS: JSON.stringify({ issuer: provider.url, audience: RESOURCE, tenants: ['acme'] }),
});
const app = useApp({ authMode: 'required', authIssuers });
afterAll(() => provider.close());

/** People and attackers who send one request after the other. */
const CALLERS = 8;
const { privateKey: ofAnAttacker } = await generateKeyPair('RS256');
const issue = () => provider.issueToken('conversations:read');

/** The same claims under the same key id or another, signed by somebody else. */
async function forge(token: string, kid?: string): Promise<string> {
  const header = decodeProtectedHeader(token) as JWTHeaderParameters;
  return new SignJWT(decodeJwt(token))
    .setProtectedHeader(kid === undefined ? header : { ...header, kid })
    .sign(ofAnAttacker);
}

async function statusOf(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await app.request('GET', CONVERSATIONS, { headers })).status;
}

test('while keys of a provider change and it is away, all its tokens are accepted and no forged ones', async () => {
  const issued = [await issue()];
  const forged = await Promise.all([forge(issued[0] as string)]);
  const statuses = { issued: new Set<number>(), forged: new Set<number>() };
  let requests = 0;
  let isOver = false;
  const call = async (place: number) => {
    for (let i = place; !isOver; i++, requests++) {
      statuses.issued.add(await statusOf(issued[i % issued.length] as string));
      statuses.forged.add(await statusOf(forged[i % forged.length] as string));
    }
  };
  const callers = Promise.all(Array.from({ length: CALLERS }, (_, place) => call(place)));
  const progress = async (count = 50) => {
    const before = requests;
    await expect.poll(() => requests - before, { timeout: 30_000 }).toBeGreaterThan(count);
  };
  try {
    await progress();
    await provider.rotateKeys();
    const renewed = await issue();
    issued.push(renewed);
    forged.push(await forge(renewed));
    await progress();
    await provider.close();
    forged.push(await forge(renewed, 'unknown'), await forge(renewed, '../../keys'));
    await progress();
    await provider.rotateKeys();
    await provider.reopen();
    await progress();
  } finally {
    isOver = true;
    await callers;
  }
  expect(statuses).toEqual({ issued: new Set([200]), forged: new Set([401]) });
  const latest = await issue();
  await expect.poll(() => statusOf(latest), { timeout: 15_000 }).toBe(200);
});
