import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sitemapProgram } from '../../../test/support/sandbox-programs.js';
import { createSandbox } from '../sandbox/sandbox.js';
import type { SitemapResult, SitemapTask } from './protocol.js';
import { createReadSitemap } from './read-sitemap.js';
import { SITEMAP_SANDBOX_LIMITS } from './sandbox-limits.js';

/** Is never answered. */
const HELD = '/held.xml';

const files = new Map<string, { status?: number; body: string | Uint8Array }>();
let server: Server;
let base: string;
let tempDir: string;
const sandbox = createSandbox<SitemapTask, SitemapResult>({
  program: sitemapProgram,
  concurrency: 1,
  limits: SITEMAP_SANDBOX_LIMITS,
  log: pino({ level: 'silent' }),
});

beforeAll(async () => {
  tempDir = await mkdtemp(path.join(os.tmpdir(), 'lectern-sitemaps-'));
  server = createServer((req, res) => {
    if (req.url === HELD) return;
    const { status = 200, body } = files.get(req.url ?? '') ?? { status: 404, body: '' };
    res.writeHead(status).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => files.clear());
afterAll(async () => {
  server.close();
  await sandbox.close();
  expect(await readdir(tempDir)).toEqual([]);
  await rm(tempDir, { recursive: true });
});

const put = (path: string, body: string | Uint8Array, status = 200) => files.set(path, { body, status });
const reader = (allowHosts: string[]) => createReadSitemap({ allowHosts, tempDir, sandbox });
const read = async (path: string, maxUrls = 100) => {
  const read = reader(['127.0.0.1']);
  const { tooLong, ...listed } = await read(base + path, { tenantId: 'acme', maxUrls });
  expect(tooLong).toEqual([]);
  return listed;
};
const page = (name: string | number) => `https://pages.test/${name}`;
const urlset = (...names: (string | number)[]) =>
  `<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${names
    .map((name) => `<url><loc>${page(name)}</loc><lastmod>2026-01-01</lastmod></url>`)
    .join('')}</urlset>`;
const index = (...paths: string[]) =>
  `<sitemapindex>${paths.map((path) => `<sitemap><loc>${base}${path}</loc></sitemap>`).join('')}</sitemapindex>`;

describe('the pages of', () => {
  test('a sitemap are those of its entries, without their pictures, each once', async () => {
    put(
      '/a.xml',
      `\uFEFF<?xml version="1.0"?><!-- <url><loc>https://pages.test/comment</loc></url> -->
      <s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://pages.test/image">
        <s:url><s:loc>
          ${page('one?a=1&amp;b=%20')}
        </s:loc><image:image><image:loc>${page('picture')}</image:loc></image:image></s:url>
        <s:url><s:loc><![CDATA[${page('two?a=1&b=2')}]]></s:loc></s:url>
        <s:url><s:loc>${page('&#233;')}</s:loc></s:url>
        <s:url><s:loc>${page('two?a=1&amp;b=2')}</s:loc></s:url>
        <s:url><s:loc></s:loc></s:url>
      </s:urlset>`,
    );
    expect(await read('/a.xml')).toEqual({
      urls: [page('one?a=1&b=%20'), page('two?a=1&b=2'), page('é')],
      truncated: false,
    });
  });

  test('an index are those of its sitemaps, packed or not, each file read once', async () => {
    put('/index.xml', index('/a.xml', '/b.xml.gz', '/index.xml', '/a.xml', '/inner.xml'));
    put('/a.xml', urlset('a'));
    put('/b.xml.gz', gzipSync(urlset('b')));
    put('/inner.xml', index('/c.xml'));
    put('/c.xml', urlset('c'));
    expect(await read('/index.xml')).toEqual({ urls: ['a', 'b', 'c'].map(page), truncated: false });
  });

  test('a feed are those of its items', async () => {
    put(
      '/rss',
      `<rss><channel><link>${page('')}</link><item><title>One</title><link>${page(1)}</link></item>
       <item><link>${page(2)}</link><guid>${page('guid')}</guid></item></channel></rss>`,
    );
    put(
      '/atom',
      `<feed xmlns="http://www.w3.org/2005/Atom"><link href="${page('')}"/><entry><link href="${page(1)}"/>
       <link rel="edit" href="${page('edit')}"/></entry><entry><link rel="alternate" href="${page(2)}"/></entry></feed>`,
    );
    expect(await read('/rss')).toEqual({ urls: [page(1), page(2)], truncated: false });
    expect(await read('/atom')).toEqual({ urls: [page(1), page(2)], truncated: false });
  });

  test('a plain list are its lines', async () => {
    put('/urls.txt', `${page(1)}\r\n\r\n  ${page(2)}\nnot an address\n`);
    expect(await read('/urls.txt')).toEqual({
      urls: [page(1), page(2), 'not an address'],
      truncated: false,
    });
  });

  test('a sitemap that is cut off are those that came', async () => {
    put('/cut.xml', urlset(1, 2, 3).slice(0, -40));
    expect(await read('/cut.xml')).toEqual({
      urls: [page(1), page(2), page(3)],
      truncated: false,
    });
  });
});

describe('more than is wanted', () => {
  const many = Array.from({ length: 60 }, (_, i) => `/${i}.xml`);

  test('is reported as truncated: pages', async () => {
    put('/a.xml', urlset(1, 2, 3));
    expect(await read('/a.xml', 2)).toEqual({ urls: [page(1), page(2)], truncated: true });
    expect(await read('/a.xml', 3)).toEqual({ urls: [page(1), page(2), page(3)], truncated: false });
  });

  test('is reported as truncated: characters of all files', async () => {
    const long = (name: string) => Array.from({ length: 1_200 }, (_, i) => `${name}${i}/`.padEnd(2_000, 'a'));
    put('/index.xml', index('/a.xml', '/b.xml', '/c.xml'));
    for (const name of ['a', 'b', 'c']) put(`/${name}.xml`, urlset(...long(name)));
    const { urls, truncated } = await read('/index.xml', 10_000);
    const all = ['a', 'b', 'c'].flatMap(long).map(page);
    expect(urls).toEqual(all.slice(0, urls.length));
    expect(urls.join('').length).toBeLessThanOrEqual(4 * 2 ** 20);
    expect(urls.join('').length).toBeGreaterThan(4 * 2 ** 20 - 3_000);
    expect(truncated).toBe(true);
  });

  test('is reported as truncated: files', async () => {
    put('/index.xml', index(...many));
    for (const [i, path] of many.entries()) put(path, urlset(i));
    const urls = Array.from({ length: 49 }, (_, i) => page(i));
    expect(await read('/index.xml')).toEqual({ urls, truncated: true });
  });

  test('is reported as truncated: nested indexes', async () => {
    put('/0.xml', index('/a.xml', '/1.xml'));
    put('/1.xml', index('/2.xml'));
    put('/2.xml', index('/3.xml'));
    put('/a.xml', urlset('a'));
    expect(await read('/0.xml')).toEqual({ urls: [page('a')], truncated: true });
  });
});

describe('rejects with a message', () => {
  const refusal = (path: string) => read(path).catch((error) => error);

  test.each([
    ['a web page', '<!doctype html><html><body><a href="https://pages.test">Home</a></body></html>'],
    ['prose', 'See https://pages.test for more.'],
    ['nothing', ''],
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0])],
    ['a nest', '<urlset>'.repeat(100_000)],
  ])('%s', async (_, body) => {
    put('/a', body);
    expect(await refusal('/a')).toMatchObject({
      code: 'invalid',
      path: ['sitemap'],
      message: `The file ${base}/a is neither a sitemap nor a feed nor a list of URLs.`,
    });
  });

  test('a list of nothing', async () => {
    put('/a', '<urlset></urlset>');
    expect(await refusal('/a')).toMatchObject({ code: 'invalid', message: 'The sitemap lists no pages.' });
  });

  test('what cannot be unpacked, or is a bomb', async () => {
    put('/damaged.gz', gzipSync(urlset(1)).subarray(0, 40));
    put('/bomb.gz', gzipSync(Buffer.alloc(51 * 1024 * 1024, ' ')));
    expect(await refusal('/damaged.gz')).toMatchObject({
      code: 'invalid',
      message: `The file ${base}/damaged.gz is damaged and cannot be unpacked.`,
    });
    expect(await refusal('/bomb.gz')).toMatchObject({
      code: 'invalid',
      message: `The file ${base}/bomb.gz is larger than 50 MiB when unpacked.`,
    });
  });

  test('a missing file, also in an index; an unavailable one is retryable', async () => {
    put('/index.xml', index('/absent.xml'));
    expect(await refusal('/index.xml')).toMatchObject({
      code: 'invalid',
      path: ['sitemap'],
      message: expect.stringMatching(/^The sitemap http:\S+\/absent\.xml could not be fetched\. .*404.*\.$/),
    });
    put('/down', '', 503);
    expect(await refusal('/down')).toMatchObject({
      code: 'invalid',
      type: 'value_error.sitemap_unavailable',
      path: ['sitemap'],
    });
  });

  test('a private address, also one that an index names', async () => {
    put('/index.xml', '<sitemapindex><sitemap><loc>http://10.0.0.1/a.xml</loc></sitemap></sitemapindex>');
    expect(await refusal('/index.xml')).toMatchObject({ code: 'invalid', path: ['sitemap'] });
    const strict = reader([])(`${base}/index.xml`, { tenantId: 'acme', maxUrls: 1 });
    await expect(strict).rejects.toMatchObject({ code: 'invalid' });
  });
});

test('a tenant with too many waiting requests is refused, others are not', async () => {
  put('/a.xml', urlset('a'));
  const read = reader(['127.0.0.1']);
  const leaving = new AbortController();
  const held = Array.from({ length: 11 }, () =>
    read(base + HELD, { tenantId: 'acme', maxUrls: 100, signal: leaving.signal }).catch(({ code }) => code),
  );
  await expect(read(`${base}/a.xml`, { tenantId: 'acme', maxUrls: 100 })).rejects.toMatchObject({
    code: 'too_many_requests',
    message: 'Too many sitemaps of this tenant wait to be read; try again later.',
  });
  const listed = await read(`${base}/a.xml`, { tenantId: 'globex', maxUrls: 100 });
  expect(listed.urls).toEqual([page('a')]);
  leaving.abort();
  expect(await Promise.all(held)).toEqual(Array(11).fill('unavailable'));
});
