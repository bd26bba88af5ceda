import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { unauthorized } from '../../errors/errors.js';
import type { Services } from '../../routers/index.js';
import { createHttpApp } from '../app.js';
import { allowAnonymous, type Guard, requireCredential } from './auth.js';

const CONVERSATIONS = '/admin/api/v2/conversations';
const CALL = '/trpc/conversations.list?input={}';

let server: Server;
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** The application with these steps, in front of conversations that note who makes one. */
async function serve(guards: Guard[], trustProxy: number | string[] = 0, more: object = {}) {
  const services = {
    ...more,
    conversations: {
      list: () => {
        going++;
        return new Promise(() => {});
      },
      create: async (_: unknown, actor: object) => {
        actors.push(actor);
        throw new Error('seen');
      },
    },
  } as unknown as Services;
  let going = 0;
  const actors: object[] = [];
  const written: string[] = [];
  const app = createHttpApp({
    services,
    readiness: async () => ({ database: 'ok', search: 'ok' }),
    version: '1.2.3',
    needsKey: false,
    hostGuards: [],
    allowedHosts: [],
    guards,
    cancelStatements: () => {},
    trustProxy,
    maxJsonBytes: 1_000,
    maxUploadBytes: 1_000,
    log: pino({ level: 'warn' }, { write: (line: string) => written.push(line) }),
    stopping: new AbortController().signal,
    observeRequest: () => {},
    requestLog: pino({ level: 'silent' }),
  } as unknown as Parameters<typeof createHttpApp>[0]);
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    actors,
    written,
    /** How many lists are being made. */
    going: () => going,
    async ask(route: string, headers: Record<string, string> = {}, method = 'GET') {
      const body = method === 'POST' ? { body: '{}' } : {};
      const answer = await fetch(`http://127.0.0.1:${port}${route}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...body,
      });
      const { detail, error } = (await answer.json()) as any;
      return { status: answer.status, headers: answer.headers, detail: detail ?? error?.data.detail };
    },
  };
}

const ACCESS: Parameters<typeof requireCredential>[0] = async () => ({
  keyId: 'k1',
  permissions: ['conversations:read', 'conversations:write'],
  tenantId: 'acme',
  tenantUnitIds: ['sales'],
  datasetIds: null,
  expiresTime: null,
});
const outage = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));

test.each([CONVERSATIONS, CALL])(
  'while keys cannot be looked up, %s is away, and nobody unauthorized',
  async (route) => {
    const { ask } = await serve([requireCredential(outage)]);
    const { status, headers, detail } = await ask(route, { 'x-api-key': 'key' });
    expect([status, headers.get('retry-after'), headers.get('www-authenticate'), detail]).toEqual([
      503,
      '2',
      null,
      [{ type: 'unavailable', loc: [], msg: 'The service is unavailable at the moment; try again.' }],
    ]);
  },
);

test.each([CONVERSATIONS, CALL])(
  'a step that breaks lets nobody pass to %s, and is told of in the log',
  async (route) => {
    const { ask, written } = await serve([
      () => {
        throw new Error('broken step');
      },
      allowAnonymous,
    ]);
    const { status, detail } = await ask(route);
    expect([status, detail]).toEqual([
      500,
      [{ type: 'internal_server_error', loc: [], msg: 'Internal server error.' }],
    ]);
    expect(written.join()).toContain('broken step');
  },
);

test.each([CONVERSATIONS, CALL])('%s is not served without authentication guard', async (route) => {
  const { ask, written } = await serve([]);
  expect((await ask(route)).status).toBe(500);
  expect(written.join()).toContain('A request was not authenticated');
});

test('guards run in order until the first rejection', async () => {
  const taken: number[] = [];
  const { ask } = await serve([
    () => void taken.push(1),
    requireCredential(outage),
    () => void taken.push(3),
  ]);
  expect((await ask(CONVERSATIONS)).status).toBe(401);
  expect(taken).toEqual([1]);
});

test.each([CONVERSATIONS, CALL])(
  'what goes on at %s is cut off when its key is revoked, not while keys cannot be looked up',
  async (route) => {
    const revoked = () => Promise.reject(unauthorized());
    const answers = [ACCESS, outage, ACCESS, revoked];
    const { ask } = await serve([requireCredential((one) => (answers.shift() ?? revoked)(one), 5)]);
    const failure = await ask(route, { 'x-api-key': 'key' }).catch(() => 'cut off');
    expect(failure).toBe('cut off');
    expect(answers).toEqual([]);
  },
);

test('one revalidation aborts all requests of a revoked key', async () => {
  const GOING_ON = 20;
  let [looks, isRevoked] = [0, false];
  const authenticate: typeof ACCESS = async (credential) => {
    looks++;
    if (isRevoked) throw unauthorized();
    return ACCESS(credential);
  };
  const { ask, going } = await serve([requireCredential(authenticate, 20)]);
  const asked = Array.from({ length: GOING_ON }, () =>
    ask(CONVERSATIONS, { 'x-api-key': 'key' }).catch(() => 'cut off'),
  );
  await expect.poll(going).toBe(GOING_ON);
  isRevoked = true;
  looks = 0;
  expect(await Promise.all(asked)).toEqual(asked.map(() => 'cut off'));
  expect(looks).toBeLessThan(GOING_ON / 2);
});

test('signing out is answered, although its session is over before', async () => {
  let [isOver, refused] = [false, 0];
  const authenticate: typeof ACCESS = async (credential) => {
    if (isOver) {
      refused++;
      throw unauthorized();
    }
    return { ...(await ACCESS(credential)), session: { id: 's1', expiresTime: new Date() } };
  };
  const end = async () => {
    isOver = true;
    await expect.poll(() => refused).toBeGreaterThan(2);
    return { endSessionUrl: null };
  };
  const sessions = { end };
  const { ask } = await serve([requireCredential(authenticate, 5)], 0, { sessions });
  const page = { cookie: 'lectern=token', 'sec-fetch-site': 'same-origin' };
  const { status, headers } = await ask('/trpc/session.delete', page, 'POST');
  expect([status, headers.getSetCookie()]).toEqual([200, [expect.stringMatching(/^lectern=;/)]]);
});

test('warns once about an untrusted proxy', async () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9' };
  const ignored = await serve([allowAnonymous]);
  await ignored.ask('/nowhere');
  expect(ignored.written).toEqual([]);
  for (let i = 0; i < 2; i++) await ignored.ask('/nowhere', forwarded);
  expect(ignored.written.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 40, msg: expect.stringContaining('set TRUST_PROXY') }),
  ]);
  server.close();
  const trusted = await serve([allowAnonymous], 1);
  await trusted.ask('/nowhere', forwarded);
  expect(trusted.written).toEqual([]);
});

test.each([
  ['the one that connects', 0, '127.0.0.1'],
  ['told by as many proxies as are trusted', 1, '203.0.113.9'],
  ['told by a proxy that is trusted', ['127.0.0.0/8'], '203.0.113.9'],
  ['not told by another', ['10.0.0.0/8'], '127.0.0.1'],
])('the address of a caller is %s', async (_, trustProxy, address) => {
  const { ask, actors } = await serve([requireCredential(ACCESS)], trustProxy);
  await ask(
    CONVERSATIONS,
    {
      'x-api-key': 'key',
      'x-user-id': 'ann',
      'x-request-id': 'r1',
      'x-forwarded-for': '198.51.100.1, 203.0.113.9',
    },
    'POST',
  );
  const signal = expect.any(AbortSignal);
  expect(actors).toEqual([
    { userId: 'ann', keyId: 'k1', isAnonymous: false, address, requestId: 'r1', signal },
  ]);
});
