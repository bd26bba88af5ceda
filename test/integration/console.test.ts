import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CONSOLE_PATHS } from '../../src/http/console/console-paths.js';
import { useApp } from '../support/app.js';
import type { TestApp } from './support/rest-client.js';

/* How the built console is served; test/console opens it in a browser. */

/** What browsers send. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const PAGE = '<!doctype html><title>Lectern</title>';
const SCRIPT = 'assets/index-abcdefgh.js';
const WORKER = 'assets/pdf.worker.min-abcdefgh.mjs';
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

const webDir = mkdtempSync(path.join(os.tmpdir(), 'lectern-web-'));
mkdirSync(path.join(webDir, 'assets'));
for (const [name, content] of Object.entries({
  'index.html': PAGE,
  [SCRIPT]: 'plain',
  [`${SCRIPT}.br`]: 'brotli',
  [`${SCRIPT}.gz`]: 'gzip',
  [WORKER]: 'worker',
  'assets/unlisted-abcdefgh.js': 'unlisted',
  'files.json': JSON.stringify({
    files: {
      'index.html': { type: 'text/html; charset=utf-8', encodings: [], etag: 'W/"page"' },
      [SCRIPT]: { type: 'text/javascript; charset=utf-8', encodings: ['br', 'gzip'], etag: 'W/"script"' },
      [WORKER]: { type: 'text/javascript; charset=utf-8', encodings: [], etag: 'W/"worker"' },
    },
  }),
})) {
  writeFileSync(path.join(webDir, name), content);
}
afterAll(() => rmSync(webDir, { recursive: true, force: true }));

const open = useApp({}, { webDir });
const locked = useApp({ authMode: 'required' }, { webDir });
const without = useApp();

/** A request as it goes over the wire: fetch would decode the body. */
const ask = (app: TestApp, route: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number | undefined; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const sent = request(new URL(route, app.address), { method, headers }, (res) => {
        let body = '';
        res.setEncoding('utf8');
        res.on('data', (data) => {
          body += data;
        });
        res.on('end', () => resolve({ status: res.statusCode, headers: res.headers, body }));
      });
      sent.on('error', reject).end();
    },
  );

test.each(CONSOLE_PATHS)('a browser gets the page at %s, without a key too', async (route) => {
  for (const app of [open, locked]) {
    expect(await ask(app, route, { accept: BROWSER })).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': CSP,
        'cache-control': 'no-cache',
        'cross-origin-opener-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        vary: 'Accept',
        etag: 'W/"page"',
      },
      body: PAGE,
    });
  }
});

test('the script that reads PDFs may load nothing, and compile what it is handed', async () => {
  expect(await ask(open, `/${WORKER}`)).toMatchObject({
    status: 200,
    headers: { 'content-security-policy': "default-src 'none'; script-src 'wasm-unsafe-eval'" },
    body: 'worker',
  });
});

test('a page that has not changed is not sent again', async () => {
  const answer = await ask(open, '/search', { accept: BROWSER, 'if-none-match': 'W/"page"' });
  expect([answer.status, answer.body]).toEqual([304, '']);
});

test.each(['*/*', 'application/json', ''])(
  'a program that accepts %j is told what it was told before',
  async (accept) => {
    const [answer, before] = await Promise.all([ask(open, '/', { accept }), ask(without, '/', { accept })]);
    expect([
      answer.status,
      answer.body,
      answer.headers['content-type'],
      answer.headers['cache-control'],
    ]).toEqual([200, before.body, 'application/json; charset=utf-8', 'no-store']);
    const unknown = await ask(open, '/documents', { accept });
    expect([unknown.status, JSON.parse(unknown.body)]).toEqual([
      404,
      { detail: [{ type: 'not_found', loc: ['path'], msg: 'No such path.' }] },
    ]);
    expect((await ask(locked, '/documents', { accept })).status).toBe(401);
  },
);

test('at a path that nothing has, a browser gets the console, whose page says so', async () => {
  for (const app of [open, locked])
    for (const path of ['/api-keys', '/documents/one/else'])
      expect(await ask(app, path, { accept: BROWSER })).toMatchObject({
        status: 404,
        headers: { 'content-security-policy': CSP, 'cache-control': 'no-store' },
        body: PAGE,
      });
  expect((await ask(open, '/api-keys', { accept: BROWSER, 'if-none-match': 'W/"page"' })).status).toBe(404);
  for (const file of ['/favicon.ico', '/.well-known/security', '/admin/none'])
    expect((await ask(open, file, { accept: BROWSER })).headers['content-type']).toBe(
      'application/json; charset=utf-8',
    );
});

test('without a build a browser gets the landing page, which says so', async () => {
  const { body } = await ask(without, '/', { accept: BROWSER });
  expect(body).toContain('Its console is not built; <code>npm run build</code> builds it.');
  expect((await ask(without, '/documents', { accept: BROWSER })).status).toBe(404);
});

test.each([
  ['br, gzip', 'br', 'brotli'],
  ['gzip, deflate, br, zstd', 'br', 'brotli'],
  ['gzip', 'gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip', 'gzip'],
  ['identity', undefined, 'plain'],
  ['', undefined, 'plain'],
])('who accepts %j gets an asset in %s', async (accepted, encoding, body) => {
  const answer = await ask(locked, `/${SCRIPT}`, { 'accept-encoding': accepted });
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
      etag: 'W/"script"',
    },
    body,
  });
  expect(answer.headers['content-encoding']).toBe(encoding);
});

test('HEAD is answered without a body', async () => {
  for (const [route, accept] of [
    ['/', BROWSER],
    [`/${SCRIPT}`, '*/*'],
  ] as const) {
    const answer = await ask(open, route, { accept }, 'HEAD');
    expect([answer.status, answer.body]).toEqual([200, '']);
  }
});

test.each([
  '/assets/unlisted-abcdefgh.js',
  '/assets/index-00000000.js',
  `/${SCRIPT}.br`,
  '/assets/..%2Ffiles.json',
  '/assets/',
  '/files.json',
  '/index.html',
  '/admin',
])('%s is no part of it', async (route) => {
  const answer = await ask(open, route, { accept: BROWSER });
  expect([answer.status, answer.headers['cache-control']]).toEqual([404, 'no-store']);
  expect((await ask(locked, route, { accept: BROWSER })).status).toBe(401);
});

test('another method is answered as ever', async () => {
  expect((await ask(open, '/documents', { accept: BROWSER }, 'POST')).status).toBe(404);
});

test('the server answers every path that the console has a route for', () => {
  const routes = readFileSync('web/src/app/routes.tsx', 'utf8');
  const paths = [...routes.matchAll(/\bpath: '([^']+)'/g)].map(([, route]) => route?.replace('$', ':'));
  expect(paths).toEqual(CONSOLE_PATHS);
});
