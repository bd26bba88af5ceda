import { describe, expect, test } from 'vitest';
import { version } from '../../src/config/version.js';
import { type RawRequest, sendRaw } from '../contract/raw-request.js';
import { useApp } from '../support/app.js';

/* Requests as clients of 2025 send them, and such as no client should send. */

const app = useApp({
  authMode: 'required',
  allowedHosts: ['lectern.example'],
  corsOrigins: ['https://agents.example'],
  publicUrl: 'https://public.example',
  maxJsonBytes: 2 ** 20,
});
const unnamed = useApp({ authMode: 'required' });

const CLIENT = { capabilities: {}, clientInfo: { name: 'agent', version: '1.20.0' } };
const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

interface Message {
  method: string;
  id?: number;
  params?: object;
}

async function post(message: unknown, headers: Record<string, string> = {}, to = app) {
  const { key } = await to.makeKey();
  const given = { ...HEADERS, authorization: `Bearer ${key}`, ...headers };
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return sendRaw(to.address, { method: 'POST', target: '/mcp', headers: given, body });
}

const rpc = (message: Message) => ({ jsonrpc: '2.0', ...message });
const refused = (code: number, message: unknown, id: number | null = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

describe.each(['2025-11-25', '2025-06-18'])('a client of %s', (protocol) => {
  const headers = { 'mcp-protocol-version': protocol };

  test('shakes hands, lists tools and calls one', async () => {
    const initialize = { method: 'initialize', id: 0, params: { protocolVersion: protocol, ...CLIENT } };
    const hello = await post(rpc(initialize));
    expect([hello.status, hello.headers['mcp-session-id'], hello.body]).toEqual([
      200,
      undefined,
      {
        jsonrpc: '2.0',
        id: 0,
        result: {
          protocolVersion: protocol,
          capabilities: { tools: {}, resources: {} },
          serverInfo: { name: 'lectern', title: 'Lectern', version },
          instructions: expect.stringContaining('search finds passages'),
        },
      },
    ]);
    expect(hello.headers['content-type']).toBe('application/json');
    const initialized = await post(rpc({ method: 'notifications/initialized' }), headers);
    expect([initialized.status, initialized.text]).toEqual([202, '']);
    const { status, body } = await post(rpc({ method: 'tools/list', id: 1 }), headers);
    expect([status, body.result.tools.map(({ name }: { name: string }) => name)]).toEqual([
      200,
      [
        'search',
        'fetch',
        'list_documents',
        'list_datasets',
        'add_document',
        'list_conversations',
        'get_messages',
      ],
    ]);
    const params = { name: 'search', arguments: { query: 'returns' } };
    const found = await post(rpc({ method: 'tools/call', id: 2, params }), headers);
    expect([found.status, found.body]).toEqual([
      200,
      {
        jsonrpc: '2.0',
        id: 2,
        result: { content: [{ type: 'text', text: '{"results":[]}' }], structuredContent: { results: [] } },
      },
    ]);
    const ping = await post(rpc({ method: 'ping', id: 3 }), headers);
    expect(ping.body).toEqual({ jsonrpc: '2.0', id: 3, result: {} });
  });
});

test('a client of another version is offered the latest', async () => {
  const params = { protocolVersion: '2024-11-05', ...CLIENT };
  const { body } = await post(rpc({ method: 'initialize', id: 0, params }));
  expect(body.result.protocolVersion).toBe('2025-11-25');
  const later = await post(rpc({ method: 'tools/list', id: 1 }), { 'mcp-protocol-version': '2024-11-05' });
  expect([later.status, later.body]).toEqual([
    400,
    refused(-32_000, expect.stringContaining('Unsupported protocol version: 2024-11-05')),
  ]);
});

test.each<[string, unknown, Record<string, string>, number, object]>([
  ['no JSON', '{"jsonrpc":', {}, 400, refused(-32_700, expect.any(String))],
  ['an empty body', '', {}, 400, refused(-32_600, 'Send one message of JSON-RPC in a request.')],
  [
    'a batch',
    Array(2_000).fill(rpc({ method: 'tools/list', id: 1 })),
    {},
    400,
    refused(-32_600, 'Send one message of JSON-RPC in a request.'),
  ],
  ['an empty batch', [], {}, 400, refused(-32_600, 'Send one message of JSON-RPC in a request.')],
  ['deep JSON', '['.repeat(60_000), {}, 400, refused(-32_600, 'must hold at most 50000 values')],
  ['a number', '1', {}, 400, refused(-32_600, expect.stringContaining('not a valid JSON-RPC message'))],
  ['another object', {}, {}, 400, refused(-32_600, expect.stringContaining('not a valid JSON-RPC message'))],
  [
    'a large body',
    `"${'x'.repeat(2 ** 20)}"`,
    {},
    413,
    refused(-32_000, 'The request body is larger than allowed.'),
  ],
  ['text', 'search', { 'content-type': 'text/plain' }, 415, refused(-32_000, 'MCP takes application/json.')],
  [
    'another charset',
    '{}',
    { 'content-type': 'application/json; charset=latin1' },
    415,
    refused(-32_000, 'unsupported charset "latin1"'),
  ],
  [
    'headers of another method',
    rpc({
      method: 'tools/list',
      id: 1,
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': CLIENT.clientInfo,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' },
    400,
    { ...refused(-32_020, '', 1), error: expect.objectContaining({ code: -32_020 }) },
  ],
  [
    'an unknown method',
    rpc({ method: 'documents/delete', id: 1 }),
    {},
    200,
    refused(-32_601, 'Method not found', 1),
  ],
])('%s is refused', async (_, message, headers, status, body) => {
  const answer = await post(message, headers);
  expect([answer.status, answer.body]).toEqual([status, body]);
});

test.each(['GET', 'DELETE', 'PUT'])('%s is refused: there are no sessions and no streams', async (method) => {
  const { key } = await app.makeKey();
  const answer = await sendRaw(app.address, { method, target: '/mcp', headers: { 'x-api-key': key } });
  expect([answer.status, answer.headers.allow, answer.body]).toEqual([
    405,
    'POST',
    refused(-32_000, `${method} is not allowed here: MCP takes POST.`),
  ]);
});

test('a subscription ends at once, for nothing can be subscribed to', async () => {
  const { key } = await app.makeKey();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': CLIENT.clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await fetch(`${app.address}/mcp`, {
    method: 'POST',
    headers: {
      ...HEADERS,
      authorization: `Bearer ${key}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify(
      rpc({
        method: 'subscriptions/listen',
        id: 1,
        params: { _meta, notifications: { toolsListChanged: true } },
      }),
    ),
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events = (await response.text()).split('\n\n').filter(Boolean);
  expect(events.map((event) => JSON.parse(event.replace(/^event: message\ndata: /, '')))).toEqual([
    expect.objectContaining({ method: 'notifications/subscriptions/acknowledged' }),
    expect.objectContaining({ id: 1, result: expect.objectContaining({ resultType: 'complete' }) }),
  ]);
});

describe('pages of other origins', () => {
  const ask = async (headers: Record<string, string>) => {
    const { status, body } = await post(rpc({ method: 'ping', id: 1 }), headers);
    return [status, body];
  };

  test.each([
    ['none', {}],
    ['an allowed one', { origin: 'https://agents.example' }],
    ['that of the public address', { origin: 'https://public.example' }],
    ['its own, of an allowed host', { origin: 'http://lectern.example', host: 'lectern.example' }],
    ['its own, of an IP address', { origin: 'http://192.0.2.1:8080', host: '192.0.2.1:8080' }],
  ])('%s is served', async (_, headers) => {
    expect(await ask(headers)).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
  });

  test.each(['https://evil.test', 'null', 'http://agents.example', 'https://public.example:444'])(
    '%s is refused before the key is looked at',
    async (origin) => {
      const message =
        'Pages of this origin may not call the server: neither CORS_ORIGINS nor PUBLIC_URL names it.';
      expect(await ask({ origin, authorization: 'Bearer nonsense' })).toEqual([
        403,
        refused(-32_000, message),
      ]);
    },
  );

  test('a host that is not the server is none of its own origins', async () => {
    const { key } = await unnamed.makeKey();
    const headers = {
      ...HEADERS,
      authorization: `Bearer ${key}`,
      origin: 'http://evil.test',
      host: 'evil.test',
    };
    const body = JSON.stringify(rpc({ method: 'ping', id: 1 }));
    const answer = await sendRaw(unnamed.address, { method: 'POST', target: '/mcp', headers, body });
    expect(answer.status).toBe(403);
  });
});

test('who has no key is told to bring one, and that nobody else grants access', async () => {
  const without: RawRequest = { method: 'POST', target: '/mcp', headers: HEADERS, body: '{}' };
  const answer = await sendRaw(app.address, without);
  const message = 'A valid API key is needed, in X-Api-Key or as a bearer token.';
  expect([answer.status, answer.headers['www-authenticate'], answer.body]).toEqual([
    401,
    'Bearer realm="Lectern"',
    refused(-32_000, message),
  ]);
  for (const name of [
    'oauth-protected-resource/mcp',
    'oauth-protected-resource',
    'oauth-authorization-server',
  ]) {
    const { status, body } = await app.get(`/.well-known/${name}`);
    expect([status, body]).toEqual([
      404,
      { detail: [{ type: 'not_found', loc: ['path'], msg: 'No such path.' }] },
    ]);
  }
});

test('browsers of allowed origins may send the headers of the protocol', async () => {
  const { status, headers } = await app.request('OPTIONS', '/mcp', {
    headers: { origin: 'https://agents.example', 'access-control-request-method': 'POST' },
  });
  expect([status, headers.get('access-control-allow-headers')]).toEqual([
    204,
    expect.stringContaining('MCP-Protocol-Version,Mcp-Method,Mcp-Name'),
  ]);
});
