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

test('a token of a real provider is accepted, with the permissions of its scope', async () => {
  const token = await provider.issueToken('conversations:read');
  const headers = { authorization: `Bearer ${token}` };
  const answer = await app.request('GET', CONVERSATIONS, { headers });
  expect([answer.status, answer.body.data]).toEqual([200, []]);
  const made = await app.request('POST', CONVERSATIONS, { headers, body: {} });
  expect([made.status, made.body]).toEqual([
    403,
    {
      detail: [
        {
          type: 'forbidden',
          loc: [],
          msg: 'This token may not do this: it lacks the scope conversations:write.',
        },
      ],
    },
  ]);
  const { user } = await app.trpc(headers).session.get.query();
  expect(user).toEqual({
    id: 'agent',
    name: null,
    email: null,
    role: null,
    issuer: provider.url,
    tenantId: 'acme',
    scopes: ['conversations:read'],
    tenantUnitIds: null,
    datasetIds: null,
    expiresTime: expect.any(String),
  });
});
