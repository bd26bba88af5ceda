import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { useApp } from '../support/app.js';
import type { TestApp } from './support/rest-client.js';

const run = promisify(execFile);
/** What browsers send. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

const open = useApp();
const locked = useApp({ authMode: 'required' });

const get = (app: TestApp, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(app.address, { method, headers });

async function pageOf(app: TestApp) {
  const answer = await get(app, { accept: BROWSER });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const text = await answer.text();
  return { text, headers: answer.headers, document: parseHTML(text).document };
}

/** What the commands of the page print, one after another. */
async function runCommands(app: TestApp, env: Record<string, string> = {}): Promise<any[]> {
  const { document } = await pageOf(app);
  const printed: unknown[] = [];
  for (const { textContent } of document.querySelectorAll('pre code')) {
    const { stdout } = await run('sh', ['-c', textContent ?? ''], {
      env: { PATH: process.env.PATH, ...env },
    });
    printed.push(JSON.parse(stdout));
    // The first one waits for ten seconds, which is not enough on a busy machine.
    await app.settle();
  }
  return printed;
}

test.each([
  ['*/*', open, false],
  ['application/json', locked, true],
  ['', locked, true],
])('a program that accepts %j is told in JSON', async (accept, app, needsKey) => {
  const answer = await get(app, { accept });
  expect([answer.status, answer.headers.get('vary'), await answer.json()]).toEqual([
    200,
    'Accept',
    {
      name: 'Lectern',
      version: packageJson.version,
      status: 'ready',
      database: 'ok',
      search: 'ok',
      needsKey,
      links: { reference: '/docs', openapi: '/openapi.json', health: '/healthz', readiness: '/readyz' },
    },
  ]);
});

test.each([open, locked])('a browser gets HTML, with a key or without', async (app) => {
  const { document, text, headers } = await pageOf(app);
  expect(document.querySelector('h1')?.textContent).toBe(`Lectern ${packageJson.version}`);
  expect([...document.querySelectorAll('dd')].map((one) => one.textContent)).toEqual([
    'serving',
    'serving',
    app === open ? 'open, without a key' : 'with an API key',
  ]);
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    vary: 'Accept',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  const links = [...document.querySelectorAll('[href], [src]')].map((one) => one.getAttribute('href'));
  expect(links).toEqual(['/docs/favicon-32x32.png', '/docs', '/openapi.json', '/readyz', '/healthz']);
  for (const link of links) expect((await fetch(new URL(link ?? '', app.address))).status).toBe(200);

  // A browser shows its style, and would run nothing.
  const style = document.querySelector('style')?.textContent ?? '';
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src 'self'; frame-ancestors 'none'`,
  );
  expect(text).not.toMatch(/<script|style="| on\w+=/);
});

test('the example commands work', async () => {
  const [created, listed, found] = await runCommands(open);
  expect(created).toMatchObject({ documentName: 'Returns', status: 'created' });
  expect(listed.data).toEqual([expect.objectContaining({ id: created.id, status: 'ready' })]);
  expect(found).toEqual([expect.objectContaining({ document_id: created.id })]);
});

test('and with a key', async () => {
  const { key } = await locked.makeKey();
  const [created, , found] = await runCommands(locked, { LECTERN_KEY: key });
  expect(found).toEqual([expect.objectContaining({ document_id: created.id })]);
});

test('HEAD is answered without a body, other methods and paths as ever', async () => {
  const head = await get(open, { accept: BROWSER }, 'HEAD');
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
    200,
    'text/html; charset=utf-8',
    '',
  ]);
  const unknown = { detail: [{ type: 'not_found', loc: ['path'], msg: 'No such path.' }] };
  for (const answer of [
    await get(open, { accept: BROWSER }, 'POST'),
    await fetch(`${open.address}/index.html`, { headers: { accept: BROWSER } }),
    await fetch(`${open.address}/admin`, { headers: { accept: BROWSER } }),
  ]) {
    expect([answer.status, await answer.json()]).toEqual([404, unknown]);
  }
  expect((await fetch(`${locked.address}/index.html`)).status).toBe(401);
});

test.each([`x'; touch x '`, '"><script>alert(1)</script>', 'a b', 'x:999999', "x'$(id)"])(
  'nothing from a Host header of %j gets into the page',
  async (host) => {
    const { port } = new URL(locked.address);
    const { stdout } = await run('curl', [
      '--silent',
      '--header',
      `Host: ${host}`,
      '--header',
      `Accept: ${BROWSER}`,
      locked.address,
    ]);
    expect(stdout).toContain(`http://127.0.0.1:${port}/admin`);
    expect(stdout).not.toContain(host);
  },
);
