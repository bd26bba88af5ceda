import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useApp } from '../support/app.js';

/* The guide as scripts/build-docs.js makes it of docs/guide, and as a server has it. */

/** What browsers send. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const START = '/docs/guide/';

const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-guide-'));
// Before the server starts, which reads what there is.
execFileSync(process.execPath, ['scripts/build-docs.js', folder]);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const app = useApp({ authMode: 'required' }, { docsDir: path.join(folder, 'dist/docs') });
const without = useApp();

const get = (route: string, accept = BROWSER) =>
  fetch(new URL(route, app.address), { headers: { accept }, redirect: 'manual' });
const headersOf = (answer: Response) => Object.fromEntries(answer.headers);

/** Every page of the site that links lead to from the start, with its elements. */
const pages = new Map<string, Document>();
beforeAll(async () => {
  const routes = [START];
  for (const route of routes) {
    const answer = await get(route);
    expect([route, answer.status]).toEqual([route, 200]);
    const { document } = parseHTML(await answer.text());
    pages.set(route, document);
    for (const { pathname } of linksOf(route, document))
      if (pathname.startsWith(START) && /(\/|\.html)$/.test(pathname) && !routes.includes(pathname))
        routes.push(pathname);
  }
});

function linksOf(route: string, document: Document): URL[] {
  const base = new URL(route, app.address);
  return [...document.querySelectorAll('a[href]')]
    .map((link) => new URL(link.getAttribute('href')!, base))
    .filter(({ origin }) => origin === base.origin);
}

test('every page has a way to it in the navigation, and a line in llms.txt', async () => {
  const sources = readdirSync('docs/guide', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.split(path.sep).join('/'));
  const inNavigation = [`${START}index.html`, `${START}zh/index.html`].flatMap((route) => {
    const document = pages.get(route)!;
    const navigation = parseHTML(document.querySelector('.side')!.outerHTML).document;
    return linksOf(route, navigation).map(({ pathname }) => pathname);
  });
  expect(inNavigation.sort()).toEqual(sources.map((name) => START + name.replace(/\.md$/, '.html')).sort());
  const list = await (await get(`${START}llms.txt`)).text();
  const listed = Array.from(list.matchAll(/^- \[.+?\]\((.+?)\)/gm), ([, name]) => name);
  expect(listed.sort()).toEqual(sources.sort());
});

test('every link and anchor of the pages leads somewhere', async () => {
  const targets = new Map<string, string>();
  for (const [route, document] of pages)
    for (const { pathname, hash } of linksOf(route, document)) targets.set(pathname + hash, route);
  const broken: { from: string; to: string }[] = [];
  for (const [to, from] of targets) {
    const [pathname = '', hash] = to.split('#');
    const document = pages.get(pathname);
    const exists = document
      ? !hash || document.getElementById(decodeURIComponent(hash))
      : (await get(pathname)).ok;
    if (!exists) broken.push({ from, to });
  }
  expect(broken).toEqual([]);
});

test('nothing in a page is inline or comes from elsewhere', () => {
  for (const [route, document] of pages) {
    const inline = [...document.querySelectorAll('style, [style], script:not([src]), [onclick], [onload]')];
    const loaded = [...document.querySelectorAll('[src], link[href]')].map(
      (one) => one.getAttribute('src') ?? one.getAttribute('href')!,
    );
    const foreign = loaded.filter((url) => new URL(url, new URL(route, app.address)).origin !== app.address);
    expect([route, inline.length, foreign]).toEqual([route, 0, []]);
  }
});

test.each([
  [START, 'text/html; charset=utf-8', '<title>Lectern</title>'],
  [`${START}how-to/webhooks.html`, 'text/html; charset=utf-8', '<title>Receive webhooks · Lectern</title>'],
  [`${START}how-to/`, 'text/html; charset=utf-8', '<title>How-to guides · Lectern</title>'],
  [`${START}how-to/webhooks.md`, 'text/markdown; charset=utf-8', '# Receive webhooks\n'],
  [`${START}assets/search-en.json`, 'application/json; charset=utf-8', '"page":"Receive webhooks"'],
  [`${START}assets/site.css`, 'text/css; charset=utf-8', 'light-dark('],
  [`${START}assets/site.css`, 'text/css; charset=utf-8', 'url("inter.woff2")'],
  [`${START}assets/reference.css`, 'text/css; charset=utf-8', 'url("inter.woff2")'],
  [`${START}assets/inter.woff2`, 'font/woff2', 'wOF2'],
  [`${START}assets/icon.svg`, 'image/svg+xml', '<svg '],
  [`${START}assets/site.js`, 'text/javascript; charset=utf-8', 'import '],
])('%s is served, without a key too', async (route, type, part) => {
  for (const accept of [BROWSER, '*/*']) {
    const answer = await get(route, accept);
    expect([answer.status, headersOf(answer)]).toEqual([
      200,
      expect.objectContaining({ ...HEADERS, 'content-type': type, etag: expect.stringMatching(/^W\/"/) }),
    ]);
    expect(await answer.text()).toContain(part);
  }
});

test.each([
  ['/docs/guide', START],
  ['/docs/guide/how-to', `${START}how-to/`],
])('%s leads to its folder', async (route, location) => {
  const answer = await get(route);
  expect([answer.status, answer.headers.get('location')]).toEqual([308, location]);
});

test.each(['unknown.html', 'how-to/unknown', 'files.json', 'index.html.br', '..%2f..%2fpackage.json'])(
  'a browser that asks for %s gets a page that says so',
  async (name) => {
    const answer = await get(START + name);
    expect([answer.status, headersOf(answer)]).toEqual([
      404,
      expect.objectContaining({ ...HEADERS, 'content-type': 'text/html; charset=utf-8' }),
    ]);
    const { document } = parseHTML(await answer.text());
    expect(document.querySelector('h1')?.textContent).toBe('Page not found');
    for (const { pathname } of linksOf(`${START}a/b/`, document))
      if (pathname.startsWith(START) && pathname !== `${START}a/b/`)
        expect([pathname, (await get(pathname)).status]).toEqual([pathname, 200]);
  },
);

test('a program gets an unknown path as JSON, as anywhere', async () => {
  const answer = await fetch(new URL(`${START}unknown.html`, without.address));
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { detail: [{ type: 'not_found', loc: ['path'], msg: 'No such path.' }] },
  ]);
});

test.each(['/', '/docs'])('%s links to the guide where there is one', async (route) => {
  const linksToGuide = async (server: typeof app) => {
    const page = await fetch(new URL(route, server.address), { headers: { accept: BROWSER } });
    return parseHTML(await page.text()).document.querySelectorAll(`a[href="${START}"]`).length;
  };
  expect([await linksToGuide(app), await linksToGuide(without)]).toEqual([1, 0]);
});

test('the API reference has the bar and the looks of the guide, and nothing inline', async () => {
  const read = async (server: typeof app) =>
    parseHTML(await (await fetch(new URL('/docs', server.address))).text()).document;
  const document = await read(app);
  const loaded = [...document.querySelectorAll('[src], link[href]')].map(
    (one) => one.getAttribute('src') ?? one.getAttribute('href')!,
  );
  expect(loaded).toEqual(expect.arrayContaining([`${START}assets/reference.css`, `${START}assets/theme.js`]));
  for (const url of loaded) expect([url, (await get(url)).status]).toEqual([url, 200]);
  expect(document.querySelectorAll('style, [style], script:not([src])')).toHaveLength(0);
  expect(document.querySelector('.top .brand')?.textContent).toBe('Lectern API reference');

  const plain = await read(without);
  expect(plain.querySelector('.top')).toBeNull();
  expect(plain.querySelectorAll(`[src^="${START}"], [href^="${START}"]`)).toHaveLength(0);
});

test('without a build there is no guide', async () => {
  expect((await fetch(new URL(START, without.address), { headers: { accept: BROWSER } })).status).toBe(404);
});
