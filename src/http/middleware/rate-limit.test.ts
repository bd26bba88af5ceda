import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { createRateLimiter } from '../../rate-limit/rate-limiter.js';
import { createHttpApp } from '../app.js';
import { allowAnonymous } from './auth.js';
import { rateLimitGuard } from './rate-limit.js';

let server: Server;
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** The application with limits whose store fails with `error`. */
async function serveWithStoreThatFails(error: Error) {
  const store = { take: () => Promise.reject(error), sweep: async function* () {}, stop: async () => {} };
  const limiter = createRateLimiter({ store, limits: { keyRequests: { amount: 1, seconds: 1 } } });
  const app = createHttpApp({
    services: {},
    readiness: async () => ({ database: 'ok', search: 'ok' }),
    version: '1.2.3',
    needsKey: false,
    hostGuards: [],
    allowedHosts: [],
    guards: [allowAnonymous, rateLimitGuard({ limiter, maxUploadBytes: 1_000, onError: () => {} })],
    cancelStatements: () => {},
    trustProxy: 0,
    maxJsonBytes: 1_000,
    maxUploadBytes: 1_000,
    log: pino({ level: 'silent' }),
    stopping: new AbortController().signal,
    observeRequest: () => {},
    requestLog: pino({ level: 'silent' }),
  } as unknown as Parameters<typeof createHttpApp>[0]);
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return async (route: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${route}`);
    return { status: answer.status, after: answer.headers.get('retry-after'), body: await answer.json() };
  };
}

test('rejects requests while the bucket store is unavailable', async () => {
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const ask = await serveWithStoreThatFails(away);
  const detail = [
    { type: 'unavailable', loc: [], msg: 'The service is unavailable at the moment; try again.' },
  ];
  expect(await ask('/admin/api/v2/conversations?tenant_id=acme')).toEqual({
    status: 503,
    after: '2',
    body: { detail },
  });
  expect(await ask('/trpc/conversations.list')).toMatchObject({
    status: 503,
    after: '2',
    body: { error: { data: { code: 'SERVICE_UNAVAILABLE', detail } } },
  });
  expect((await ask('/healthz')).status).toBe(200);
});

test('rejects requests after an unexpected error', async () => {
  const ask = await serveWithStoreThatFails(new Error('no such function'));
  expect(await ask('/admin/api/v2/conversations?tenant_id=acme')).toEqual({
    status: 500,
    after: null,
    body: { detail: [{ type: 'internal_server_error', loc: [], msg: 'Internal server error.' }] },
  });
});
