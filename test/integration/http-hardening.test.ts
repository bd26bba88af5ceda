import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { sendRaw } from '../contract/raw-request.js';
import { useApp } from '../support/app.js';
import { waitFor } from '../support/wait-for.js';
import { CONVERSATIONS, DOCUMENTS } from './support/rest-client.js';

const app = useApp();
const TENANT = { tenant_id: 'acme' };

describe('headers', () => {
  const SECURITY = {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
  };
  const security = (headers: Headers) =>
    Object.fromEntries(Object.keys(SECURITY).map((name) => [name, headers.get(name)]));

  test.each([
    ['a list', CONVERSATIONS],
    ['what is refused', `${CONVERSATIONS}?tenant_id=acme&page_size=0`],
    ['an unknown path', '/nowhere'],
    ['tRPC', '/trpc/conversations.list'],
    ['health', '/healthz'],
  ])('tell browsers to be careful with %s', async (_name, route) => {
    const { headers } = await app.get(route);
    expect(security(headers)).toEqual(SECURITY);
    expect(headers.get('strict-transport-security')).toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test('let the reference page run its own scripts and nothing else', async () => {
    const { headers } = await fetch(`${app.address}/docs`);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('behind a proxy that speaks https', () => {
  const proxied = useApp({ trustProxy: 1 });

  test('sends HSTS', async () => {
    const call = (protocol: string) =>
      proxied.request('GET', '/healthz', { headers: { 'x-forwarded-proto': protocol } });
    expect((await call('https')).headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect((await call('http')).headers.get('strict-transport-security')).toBeNull();
  });
});

describe('CORS', () => {
  const ORIGIN = 'https://console.example';
  const some = useApp({ authMode: 'required', corsOrigins: [ORIGIN, 'http://localhost:5173'] });
  const all = useApp({ corsOrigins: ['*'] });

  const preflight = (server: ReturnType<typeof useApp>, origin: string) =>
    fetch(server.address + CONVERSATIONS, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'x-api-key,content-type',
      },
    });
  const allowed = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin');

  test('rejects origins that are not listed', async () => {
    expect(allowed(await preflight(app, ORIGIN))).toBeNull();
    expect(allowed(await preflight(some, 'https://evil.example'))).toBeNull();
    expect(allowed(await preflight(some, `${ORIGIN}.evil.example`))).toBeNull();
  });

  test('answers preflight requests without a key', async () => {
    const { status, headers } = await preflight(some, ORIGIN);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST,PUT,PATCH,DELETE');
    expect(headers.get('access-control-allow-headers')).toBe(
      'Authorization,Content-Type,Idempotency-Key,If-Match,MCP-Protocol-Version,Mcp-Method,Mcp-Name,Prefer,X-Api-Key,X-Request-Id,X-Tenant-Id,X-User-Id',
    );
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('vary')).toContain('Origin');
  });

  test('read answers and what stands in their headers, refusals too', async () => {
    const { key } = await some.makeKey();
    for (const [status, headers] of [
      [200, { 'x-api-key': key }],
      [401, {}],
    ] as const) {
      const answer = await some.request('GET', CONVERSATIONS, {
        query: TENANT,
        headers: { origin: ORIGIN, ...headers },
      });
      expect(answer.status).toBe(status);
      expect(allowed(answer)).toBe(ORIGIN);
      expect(answer.headers.get('access-control-expose-headers')).toBe(
        'ETag,Idempotency-Replayed,Preference-Applied,RateLimit,RateLimit-Policy,Retry-After,WWW-Authenticate,X-Request-Id,X-Search-Engine,X-Search-Mode,X-Search-Reranked,X-Search-Truncated',
      );
      expect(answer.headers.get('vary')).toContain('Origin');
    }
  });

  test('may all call where that is configured', async () => {
    expect(allowed(await preflight(all, 'https://anything.example'))).toBe('*');
  });
});

/** Any page that somebody visits can send forms to a server on their machine. */
describe('pages of other origins', () => {
  const ORIGIN = 'https://console.example';
  const some = useApp({ corsOrigins: [ORIGIN] });
  const all = useApp({ corsOrigins: ['*'] });
  const own = () => app.address;

  const upload = (server: ReturnType<typeof useApp>, headers: Record<string, string>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...UPLOAD, datasetIds: '[]' })) body.set(name, value);
    body.set('file', new File(['text'], 'a.txt'));
    return server.request('POST', `${DOCUMENTS}/upload`, { headers, body });
  };
  const UPLOAD = { tenantId: 'acme', tenantUnitId: 'sales', documentType: 'UnstructuredFile' };

  test.each<[string, () => Record<string, string>]>([
    ['another site', () => ({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })],
    ['another port', () => ({ 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' })],
    ['another site that names none', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['another host over http', () => ({ origin: 'http://evil.example' })],
    ['another port over http', () => ({ origin: 'http://127.0.0.1:1' })],
    ['a file', () => ({ origin: 'null' })],
  ])('do not write: %s', async (_, headers) => {
    const msg = 'Pages of other origins may write only if CORS_ORIGINS names them.';
    const detail = [{ type: 'forbidden', loc: [], msg }];
    for (const server of [app, some]) {
      const answer = await upload(server, headers());
      expect([answer.status, answer.body]).toEqual([403, { detail }]);
    }
    const call = { headers: headers(), body: { scope: { tenantId: 'acme', tenantUnitId: 'sales' } } };
    const { status, body } = await app.request('POST', '/trpc/conversations.create', call);
    expect([status, body.error.data.detail]).toEqual([403, detail]);
    const removed = await app.request('DELETE', `${DOCUMENTS}/x`, { headers: headers(), query: TENANT });
    expect([removed.status, removed.body]).toEqual([403, { detail }]);
    // They cannot read the answer, and links to it work.
    const read = await app.request('GET', CONVERSATIONS, { headers: headers(), query: TENANT });
    expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });

  test.each<[string, () => Record<string, string>]>([
    ['pages of the server', () => ({ 'sec-fetch-site': 'same-origin', origin: own() })],
    ['pages of the server over http', () => ({ origin: own() })],
    ['pages behind a proxy that changes Host', () => ({ 'sec-fetch-site': 'same-origin', origin: ORIGIN })],
    ['people', () => ({ 'sec-fetch-site': 'none' })],
    ['other clients', () => ({})],
  ])('are not %s', async (_, headers) => {
    expect((await upload(app, headers())).status).toBe(200);
  });

  test('write where CORS allows them', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: ORIGIN };
    for (const server of [some, all]) expect((await upload(server, headers)).status).toBe(200);
    expect((await upload(all, { origin: 'null' })).status).toBe(200);
  });
});

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');

/** Says something over a connection, and gives all that comes back until it is closed. */
function say(text: string | string[], address = app.address): Promise<string> {
  const { hostname, port } = new URL(address);
  const pieces = [text].flat();
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => {
      for (const piece of pieces) socket.write(piece);
    });
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

/** The status of such an answer, and its body if it is the documented one. */
function read(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]);
  expect(head).toMatch(/\r\nX-Request-Id: \S+/i);
  expect(head).toMatch(/\r\nX-Content-Type-Options: nosniff/i);
  expect(head).toMatch(/\r\nContent-Type: application\/json; charset=utf-8/i);
  return { status, ...JSON.parse(body) };
}

describe('malformed HTTP requests', () => {
  test.each([
    ['nonsense', 'NONSENSE\r\n\r\n', 400, { type: 'http_error', loc: [] }],
    [
      'a header without a colon',
      'GET / HTTP/1.1\r\nHost: x\r\nbad\r\n\r\n',
      400,
      { type: 'http_error', loc: [] },
    ],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
      { type: 'http_error', loc: [] },
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      { type: 'http_error', loc: [] },
    ],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, { type: 'http_error', loc: ['Host'] }],
    [
      'an expectation',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n',
      417,
      { type: 'http_error', loc: ['Expect'] },
    ],
    [
      'too many headers',
      `GET / HTTP/1.1\r\nHost: x\r\n${'X-A: 1\r\n'.repeat(100)}\r\n`,
      431,
      { type: 'too_large', loc: [] },
    ],
    [
      'too long headers',
      `GET / HTTP/1.1\r\nHost: x\r\n${'X-A: 1234567890\r\n'.repeat(2_000)}\r\n`,
      431,
      { type: 'too_large', loc: [] },
    ],
    [
      'too long an address',
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      { type: 'too_large', loc: [] },
    ],
  ])('is answered in the documented form: %s', async (_name, text, status, detail) => {
    expect(read(await say(text))).toEqual({
      status,
      detail: [{ ...detail, msg: expect.stringMatching(/\w.*\.$/) }],
    });
  });

  test('a request with much in its headers is served', async () => {
    const { status } = await app.request('GET', '/healthz', { headers: { 'x-much': 'a'.repeat(12_000) } });
    expect(status).toBe(200);
  });

  test('HTTP/1.0 needs no host', async () => {
    expect(await say('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});

test('TRACE is not allowed', async () => {
  for (const target of ['/trpc/conversations.list', CONVERSATIONS])
    expect(await say(`TRACE ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 405 /,
    );
});

describe('bodies in many small chunks', () => {
  const FORM_START = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
  const UPLOAD_PATH = `${DOCUMENTS}/upload?tenantId=acme`;
  const OCTETS = 'application/octet-stream';
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const head = (target: string, type: string) =>
    `POST ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const files = async () => {
    const found = await readdir(path.join(app.dataDir, 'files'), { recursive: true, withFileTypes: true });
    return found.filter((entry) => entry.isFile()).map(({ name }) => name);
  };
  const detail = [
    { type: 'too_large', loc: ['body'], msg: 'The body comes in too many small chunks; send larger ones.' },
  ];

  test.each([
    ['chunks of a line', 20_000, 70],
    ['tiny chunks, where all bodies together have not too many', 9_000, 1],
    ['tiny chunks after a large one', 9_000, 1, 400_000],
  ])('are taken: %s', async (_name, count, length, first = 0) => {
    const parts = [...(first > 0 ? ['y'.repeat(first)] : []), ...Array(count).fill('x'.repeat(length))];
    const { status, body } = await sendRaw(app.address, {
      method: 'POST',
      target: '/trpc/files.upload',
      headers: { 'content-type': OCTETS },
      body: Readable.from(parts, { objectMode: false }),
    });
    const { sizeBytes, sha256 } = body.result.data;
    expect([status, sizeBytes, sha256]).toEqual([200, first + count * length, sha256Of(parts.join(''))]);
  });

  test.each([
    ['JSON over REST', CONVERSATIONS, 'application/json', '{"title":"', '"}'],
    ['JSON over tRPC', '/trpc/conversations.create', 'application/json', '{"title":"', '"}'],
    ['a file over tRPC', '/trpc/files.upload', OCTETS, 'text', ''],
    ['a form', UPLOAD_PATH, 'multipart/form-data; boundary=b', FORM_START, '\r\n--b--\r\n'],
  ])('are refused, and nothing is stored: %s', async (_name, target, type, start, end) => {
    const before = await files();
    const records = () =>
      Promise.all(
        (['uploads', 'conversations', 'documents'] as const).map((table) =>
          app.db.selectFrom(table).select('id').orderBy('id').execute(),
        ),
      );
    const recorded = await records();
    const body = chunk(start) + chunk('x').repeat(100_000) + chunk(end) + chunk('');
    // What follows is not served: its response would be taken for that of the first.
    const answer = await say(head(target, type) + body + head(CONVERSATIONS, 'application/json') + chunk(''));
    expect(read(answer)).toEqual({ status: 413, detail });
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    await waitFor(async () => (await files()).length === before.length, { what: 'the file to be removed' });
    expect(await records()).toEqual(recorded);
  });

  test('are refused after the responses to the requests before', async () => {
    const first = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
    const body = chunk('x').repeat(100_000) + chunk('');
    const text = first + head(CONVERSATIONS, 'application/json') + body + first;
    const statuses = [...(await say(text)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(['200', '413']);
  });
});

test('no response contains a stack trace', async () => {
  for (const target of [
    '/docs/%ff',
    '/docs/%00',
    '/%ff',
    `${DOCUMENTS}/%c0%ae`,
    '/trpc/%ff',
    '/openapi.json/%ff',
  ]) {
    const { text, status } = await sendRaw(app.address, { method: 'GET', target });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(text).not.toMatch(/\bat .*[:(]\d+|node_modules|\.[jt]s\b/);
  }
});
