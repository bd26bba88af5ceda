import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { CONVERSATIONS, DOCUMENTS } from './support/rest-client.js';

/*
 * A page of http://evil.invalid whose name resolves to the address of the server (DNS rebinding) is of the same origin to
 * a browser. Where no key is needed, its Host header alone tells it from the console.
 */

const open = useApp({ authMode: 'open', allowedHosts: ['lectern.test', 'only.test:8080', 'plain.test:80'] });
const required = useApp({ authMode: 'required' });
const listed = useApp({ authMode: 'required', allowedHosts: ['lectern.test'] });

const LIST = `${CONVERSATIONS}?tenant_id=acme`;

/** Sends lines that no client library would write. */
async function say(app: ReturnType<typeof useApp>, target: string, ...headers: string[]) {
  const { hostname, port } = new URL(app.address);
  const socket = net.connect(Number(port), hostname);
  const version = headers.includes('HTTP/1.0') ? 'HTTP/1.0' : 'HTTP/1.1';
  const lines = headers.filter((line) => line !== version);
  socket.write([`GET ${target} ${version}`, ...lines, 'Connection: close', '', ''].join('\r\n'));
  let text = '';
  for await (const part of socket) text += part;
  const [head = '', ...body] = text.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body: body.join('\r\n\r\n') };
}

const refusal = (name: string, header = 'Host') => ({
  detail: [
    {
      type: 'misdirected',
      loc: ['header', header],
      msg: `${name} is not a host name of this server. Set ALLOWED_HOSTS=${name} if it is, or call the server by its IP address or localhost.`,
    },
  ],
});
const UNREADABLE = {
  detail: [
    {
      type: 'misdirected',
      loc: ['header', 'Host'],
      msg: 'The request names no valid host. Call the server by its IP address, localhost, or a name in ALLOWED_HOSTS.',
    },
  ],
};

describe('without API keys', () => {
  test.each([
    '127.0.0.1',
    '127.0.0.1:8080',
    '192.0.2.7:1',
    '[::1]',
    '[::1]:8080',
    'localhost',
    'localhost:8080',
    'localhost:',
    'LOCALHOST.',
    'app.localhost:3000',
    'lectern.test',
    'Lectern.Test.:81',
    'only.test:8080',
    'plain.test',
  ])('answers to %s', async (host) => {
    expect((await say(open, LIST, `Host: ${host}`)).status).toBe(200);
  });

  test.each([
    ['evil.invalid', 'evil.invalid'],
    ['evil.invalid:8080', 'evil.invalid'],
    ['EVIL.invalid.', 'evil.invalid'],
    ['localhost.evil.invalid', 'localhost.evil.invalid'],
    ['127.0.0.1.evil.invalid', '127.0.0.1.evil.invalid'],
    ['notlocalhost', 'notlocalhost'],
    ['sub.lectern.test', 'sub.lectern.test'],
    ['only.test', 'only.test'],
    ['only.test:8081', 'only.test'],
    ['2130706433', '2130706433'],
    ['.localhost', '.localhost'],
    ['a..localhost', 'a..localhost'],
  ])('refuses %s, and says what to set', async (host, name) => {
    const { status, body } = await say(open, LIST, `Host: ${host}`);
    expect({ status, body: JSON.parse(body) }).toEqual({ status: 421, body: refusal(name) });
  });

  test.each([
    'localhost:65536',
    'localhost:http',
    'localhost:80:80',
    'localhost@evil.invalid',
    'evil.invalid@localhost',
    '[::1',
    '[evil]',
    '::1',
    'local host',
    'localhost, evil.invalid',
    'localhost/',
    '.',
    '',
  ])('refuses %j, which is no host', async (host) => {
    const { status, body } = await say(open, LIST, `Host: ${host}`);
    expect({ status, body: JSON.parse(body) }).toEqual({ status: 421, body: UNREADABLE });
  });

  test('refuses HTTP/1.0 without a host', async () => {
    const { status, body } = await say(open, LIST, 'HTTP/1.0');
    expect({ status, body: JSON.parse(body) }).toEqual({ status: 421, body: UNREADABLE });
  });

  test('goes by the host of an absolute target', async () => {
    const evil = await say(open, `http://evil.invalid${LIST}`, 'Host: localhost');
    expect({ ...evil, body: JSON.parse(evil.body) }).toEqual({ status: 421, body: refusal('evil.invalid') });
    expect((await say(open, `HTTP://localhost:80${LIST}`, 'Host: evil.invalid')).status).toBe(200);
    const user = await say(open, `http://localhost@evil.invalid${LIST}`, 'Host: localhost');
    expect({ ...user, body: JSON.parse(user.body) }).toEqual({ status: 421, body: UNREADABLE });
  });

  test.each(['evil.invalid', 'localhost, evil.invalid', 'evil.invalid, localhost'])(
    'refuses X-Forwarded-Host: %s, of a proxy or not',
    async (forwarded) => {
      const { status, body } = await say(open, LIST, 'Host: localhost', `X-Forwarded-Host: ${forwarded}`);
      expect({ status, body: JSON.parse(body) }).toEqual({
        status: 421,
        body: refusal('evil.invalid', 'X-Forwarded-Host'),
      });
    },
  );

  test('goes by X-Forwarded-Host and by Host', async () => {
    expect((await say(open, LIST, 'Host: localhost', 'X-Forwarded-Host: lectern.test')).status).toBe(200);
    expect((await say(open, LIST, 'Host: evil.invalid', 'X-Forwarded-Host: localhost')).status).toBe(421);
  });

  test.each([
    '/',
    '/documents',
    '/docs',
    '/openapi.json',
    '/metrics',
    '/nowhere',
    `${DOCUMENTS}/1`,
    '/healthz/x',
  ])('refuses %s', async (target) => {
    const { status, body } = await say(open, target, 'Host: evil.invalid', 'Accept: text/html');
    expect({ status, body: JSON.parse(body) }).toEqual({ status: 421, body: refusal('evil.invalid') });
  });

  test('refuses tRPC in its form of errors', async () => {
    const input = encodeURIComponent(JSON.stringify({ scope: { tenantId: 'acme' } }));
    const { status, body } = await say(open, `/trpc/apiKeys.list?input=${input}`, 'Host: evil.invalid');
    const [detail] = refusal('evil.invalid').detail;
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 421,
      body: {
        error: {
          message: detail?.msg,
          code: -32003,
          data: { code: 'FORBIDDEN', httpStatus: 421, detail: [{ ...detail, loc: ['Host'] }] },
        },
      },
    });
  });

  test.each(['/healthz', '/readyz', '/HEALTHZ/'])('answers %s under any name', async (target) => {
    expect((await say(open, target, 'Host: lectern.lectern.svc')).status).toBe(200);
    expect((await say(open, target, 'HTTP/1.0')).status).toBe(200);
  });
});

describe('with API keys', () => {
  test('any name is answered', async () => {
    const { key } = await required.makeKey();
    expect((await say(required, LIST, 'Host: api.invalid', `X-Api-Key: ${key}`)).status).toBe(200);
  });

  test('only the names that are listed, if any are', async () => {
    const { key } = await listed.makeKey();
    expect((await say(listed, LIST, 'Host: lectern.test', `X-Api-Key: ${key}`)).status).toBe(200);
    expect((await say(listed, LIST, 'Host: evil.invalid', `X-Api-Key: ${key}`)).status).toBe(421);
  });
});

describe.each([
  ['without API keys', open],
  ['with API keys', required],
])('%s', (_name, app) => {
  test.each([
    ['two hosts', ['Host: localhost', 'Host: evil.invalid']],
    ['the same host twice', ['Host: localhost', 'host: localhost']],
    ['two hosts over HTTP/1.0', ['HTTP/1.0', 'Host: localhost', 'Host: localhost']],
  ])('refuses %s', async (_, headers) => {
    for (const target of [LIST, '/healthz', '/trpc/session.get']) {
      const { status, body } = await say(app, target, ...headers);
      expect({ status, body: JSON.parse(body) }).toEqual({
        status: 400,
        body: {
          detail: [
            {
              type: 'http_error',
              loc: ['Host'],
              msg: 'There is more than one Host header; send one, and check what a proxy adds.',
            },
          ],
        },
      });
    }
  });
});
