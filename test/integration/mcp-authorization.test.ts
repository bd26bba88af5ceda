import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { useApp } from '../support/app.js';
import {
  authorize,
  CALLBACK,
  DOCUMENTED_CLIENT,
  REGISTERED_CLIENT,
  startOidcProvider,
} from '../support/oidc-server.js';
import { CONVERSATIONS } from './support/rest-client.js';

const PUBLIC_URL = 'https://lectern.test';
const METADATA = '/.well-known/oauth-protected-resource';

const provider = await startOidcProvider({ tenant_id: 'acme' });
const { authIssuers, publicUrl } = readConfig({
  AUTH_MODE: 'required',
  PUBLIC_URL,
  AUTH_ISSUERS: JSON.stringify({
    issuer: provider.url,
    audience: 'https://lectern.example',
    tenants: ['acme'],
    mcpScopes: ['search', 'conversations:read'],
  }),
});
const app = useApp({ authMode: 'required', authIssuers, publicUrl });
const withKeys = useApp({ authMode: 'required', publicUrl });
afterAll(() => provider.close());

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** A client program with a user; the public address leads to the server. */
function createProgram(registration: Partial<OAuthClientProvider>) {
  const saved: {
    verifier?: string;
    tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
    page?: URL;
  } = {};
  let client = registration.clientInformation?.();
  const authProvider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' },
    clientInformation: () => client,
    saveClientInformation(information) {
      client = information;
    },
    tokens: () => saved.tokens,
    saveTokens(tokens) {
      saved.tokens = tokens;
    },
    redirectToAuthorization(page) {
      saved.page = page;
    },
    saveCodeVerifier(verifier) {
      saved.verifier = verifier;
    },
    codeVerifier: () => saved.verifier ?? '',
    ...registration,
    ...(registration.clientInformation && { clientInformation: () => client }),
  };
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(new URL(`${PUBLIC_URL}/mcp`), {
      authProvider,
      fetch: (url, init) => fetch(`${url}`.replace(PUBLIC_URL, app.address), init),
    });
    const mcp = new Client({ name: 'test', version: '1' });
    return { transport, mcp, connected: mcp.connect(transport) };
  };
  return { saved, connect };
}

describe('a client of MCP', () => {
  test.each([
    ['by the address of its metadata', { clientMetadataUrl: DOCUMENTED_CLIENT }],
    ['by an id that the provider knows', { clientInformation: () => ({ client_id: REGISTERED_CLIENT }) }],
  ])('finds the provider, and gets a token for the MCP endpoint alone: %s', async (_by, registration) => {
    const { saved, connect } = createProgram(registration);
    const first = await connect();
    await expect(first.connected).rejects.toThrow(UnauthorizedError);
    expect(Object.fromEntries(saved.page?.searchParams ?? [])).toMatchObject({
      resource: `${PUBLIC_URL}/mcp`,
      scope: 'search conversations:read',
    });
    const { searchParams } = await authorize(saved.page as URL);
    await first.transport.finishAuth(searchParams);
    const { mcp, connected } = await connect();
    await connected;
    const { tools } = await mcp.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'get_messages',
      'list_conversations',
      'list_datasets',
      'search',
    ]);
    const { structuredContent } = await mcp.callTool({ name: 'list_conversations', arguments: {} });
    expect(structuredContent).toEqual({ conversations: [], nextCursor: null, total: 0 });
    await mcp.close();
    const headers = { authorization: `Bearer ${saved.tokens?.access_token}` };
    const { status, body } = await app.request('GET', CONVERSATIONS, { headers });
    expect([status, body]).toEqual([401, { detail: [expect.objectContaining({ type: 'unauthorized' })] }]);
  });

  test('may use a token for the configured audience', async () => {
    const headers = { ...MCP_HEADERS, authorization: `Bearer ${await provider.issueToken('search')}` };
    const { status, body } = await app.request('POST', '/mcp', { headers, body: INITIALIZE });
    expect([status, body.result.serverInfo.name]).toEqual([200, 'lectern']);
  });
});

describe('the metadata of the MCP endpoint', () => {
  test.each([`${METADATA}/mcp`, METADATA])('names the providers at %s', async (path) => {
    const { status, body } = await app.request('GET', path);
    expect([status, body]).toEqual([
      200,
      {
        resource: `${PUBLIC_URL}/mcp`,
        resource_name: 'Lectern',
        authorization_servers: [provider.url],
        bearer_methods_supported: ['header'],
        scopes_supported: ['search', 'conversations:read'],
      },
    ]);
  });

  test('is named by refusals of the MCP endpoint, and by no others', async () => {
    const challengeOf = async (path: string, headers = {}) =>
      (await fetch(`${app.address}${path}`, { method: 'POST', headers })).headers.get('www-authenticate');
    const rest = `resource_metadata="${PUBLIC_URL}${METADATA}/mcp", scope="search conversations:read"`;
    expect(await challengeOf('/mcp')).toBe(`Bearer realm="Lectern", ${rest}`);
    expect(await challengeOf('/MCP/', { authorization: 'Bearer x' })).toBe(
      `Bearer realm="Lectern", error="invalid_token", ${rest}`,
    );
    expect(await challengeOf(CONVERSATIONS)).toBe('Bearer realm="Lectern"');
  });

  test('is not there without providers', async () => {
    for (const path of [`${METADATA}/mcp`, METADATA])
      expect((await withKeys.request('GET', path)).status).toBe(404);
    const { headers } = await fetch(`${withKeys.address}/mcp`, { method: 'POST' });
    expect(headers.get('www-authenticate')).toBe('Bearer realm="Lectern"');
  });
});
