import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useServerProcess } from '../support/server-process.js';

const server = useServerProcess({ FETCH_ALLOW_HOSTS: '127.0.0.1' });

const MIB = 2 ** 20;
/** So long is the server silent on no machine, unless something holds its event loop. */
const FROZEN_MS = 5_000;

const files = new Map<
  string,
  { encoding?: string; body: Uint8Array | ((response: ServerResponse) => void) }
>();
const peer = http.createServer((request, response) => {
  const { encoding, body } = files.get(request.url ?? '') ?? { body: Buffer.alloc(0) };
  if (encoding) response.setHeader('Content-Encoding', encoding);
  if (typeof body === 'function') body(response);
  else response.end(body);
});
let base = '';

beforeAll(async () => {
  await server.start();
  await once(peer.listen(0, '127.0.0.1'), 'listening');
  base = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`;
});
afterAll(() => {
  peer.closeAllConnections();
  peer.close();
});

const put = (
  path: string,
  body: Uint8Array | string | ((response: ServerResponse) => void),
  encoding?: string,
) =>
  files.set(path, {
    body: typeof body === 'string' ? Buffer.from(body) : body,
    ...(encoding && { encoding }),
  });

/** Imports a sitemap; gives what came of it: how many documents were made and skipped, or the sentence of the refusal. */
async function read(
  path: string,
  { tenantId = 'acme', signal }: { tenantId?: string; signal?: AbortSignal } = {},
) {
  const input = { scope: { tenantId, tenantUnitId: 'web' }, sitemap: base + path };
  return server.trpc.documents.createMany.mutate(input, { signal }).then(
    ({ created, skipped, truncated }) => ({ created: created.length, skipped: skipped.length, truncated }),
    (error) => ({ refused: String(error.message).replace(base + path, 'FILE') }),
  );
}

/** Asks the server for signs of life until the work is done; the longest wait for one. */
async function longestSilence(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let longest = 0;
  while (!isDone) {
    const start = performance.now();
    const { status } = await fetch(`${server.address}/healthz`);
    expect(status).toBe(200);
    longest = Math.max(longest, performance.now() - start);
    await delay(10);
  }
  await done;
  server.assertAlive();
  return longest;
}

const newlines = Buffer.alloc(50 * MIB, '\n');
const spaces = Buffer.alloc(51 * MIB, ' ');
const entry = (url: string) => `<url><loc>${url}</loc></url>`;
const urlset = (content: string) => `<urlset>${content}</urlset>`;
const entries = (count: number) =>
  urlset(Array.from({ length: count }, (_, i) => entry(`https://site.test/${i}`)).join(''));
const NO_LIST = 'The file FILE is neither a sitemap nor a feed nor a list of URLs.';
const TOO_DENSE = /^The sitemap FILE could not be fetched\. .* more than 500 times as large .*$/;

describe('the server answers others while it reads', () => {
  test.each<[string, string, Uint8Array | string, string | undefined, unknown]>([
    [
      '50 MiB of newlines in brotli',
      '/br',
      zlib.brotliCompressSync(newlines),
      'br',
      { refused: expect.stringMatching(TOO_DENSE) },
    ],
    [
      '50 MiB of newlines in gzip',
      '/gzip',
      zlib.gzipSync(newlines),
      'gzip',
      { refused: expect.stringMatching(TOO_DENSE) },
    ],
    ['50 MiB of newlines, packed', '/a.gz', zlib.gzipSync(newlines), undefined, { refused: NO_LIST }],
    [
      'more than 50 MiB, packed',
      '/b.gz',
      zlib.gzipSync(spaces),
      undefined,
      { refused: 'The file FILE is larger than 50 MiB when unpacked.' },
    ],
    [
      'a million entries',
      '/million.xml',
      entries(1_000_000),
      undefined,
      { created: 10_000, skipped: 0, truncated: true },
    ],
    [
      'the same entry again and again',
      '/same.xml',
      urlset(entry('https://same.test/').repeat(300_000)),
      undefined,
      { created: 1, skipped: 0, truncated: false },
    ],
    [
      'a line of 40 MB',
      '/line.txt',
      `https://line.test/\nhttps://line.test/${'a'.repeat(40_000_000)}\n`,
      undefined,
      { created: 1, skipped: 1, truncated: false },
    ],
    [
      'an entry of 40 MB',
      '/entry.xml',
      urlset(entry(`https://entry.test/${'a'.repeat(40_000_000)}`) + entry('https://entry.test/')),
      undefined,
      { created: 1, skipped: 1, truncated: false },
    ],
    [
      'elements within each other',
      '/deep.xml',
      '<urlset>'.repeat(5_000_000),
      undefined,
      { refused: NO_LIST },
    ],
    [
      'an element of many attributes',
      '/attributes.xml',
      `<urlset ${Array.from({ length: 300_000 }, (_, i) => `a${i}=""`).join(' ')}>`,
      undefined,
      { refused: 'The sitemap lists no pages.' },
    ],
    [
      'entities that hold entities',
      '/laughs.xml',
      `<!DOCTYPE urlset [<!ENTITY a "${'x'.repeat(1000)}">${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i} "${`&a${i || ''};`.repeat(10)}">`).join('')}<!ENTITY f SYSTEM "file:///etc/passwd">]>${urlset(entry('https://laughs.test/&a19;') + entry('https://laughs.test/&f;'))}`,
      undefined,
      { created: 2, skipped: 0, truncated: false },
    ],
    [
      'an entity without end',
      '/entity.xml',
      urlset(entry(`https://entity.test/&${'a'.repeat(20_000_000)}`)),
      undefined,
      { refused: 'The sitemap lists no pages.' },
    ],
    [
      'URLs as long as they may be',
      '/long.txt',
      Array.from({ length: 10_500 }, (_, i) => `https://long.test/${i}/`.padEnd(2_048, 'ü')).join('\n'),
      undefined,
      // So many fit into what all URLs together may have.
      { created: 0, skipped: 2_048, truncated: true },
    ],
  ])(
    '%s',
    async (_, path, body, encoding, outcome) => {
      put(path, body, encoding);
      const reading = read(path);
      expect(await longestSilence(reading)).toBeLessThan(FROZEN_MS);
      expect(await reading).toEqual(outcome);
    },
    240_000,
  );

  test('four such sitemaps of four tenants', async () => {
    put('/br', zlib.brotliCompressSync(newlines), 'br');
    put('/a.gz', zlib.gzipSync(newlines));
    const tenants = ['one', 'two', 'three', 'four'];
    const reading = Promise.all(tenants.map((tenantId, i) => read(i % 2 ? '/br' : '/a.gz', { tenantId })));
    expect(await longestSilence(reading)).toBeLessThan(FROZEN_MS);
  }, 240_000);
});

test('one that never ends keeps nobody else of its tenant waiting once its client is gone', async () => {
  const begun = new Promise<void>((resolve) => {
    put('/drip.xml', (response) => {
      resolve();
      response.write('<urlset>');
      const timer = setInterval(() => response.write('<url>'), 20);
      response.on('close', () => clearInterval(timer));
    });
  });
  put('/a.xml', urlset(entry('https://after.test/')));
  const leaving = new AbortController();
  const endless = read('/drip.xml', { tenantId: 'drip', signal: leaving.signal });
  await begun;
  // It is queued behind the one of its tenant, and others are not.
  const next = read('/a.xml', { tenantId: 'drip' });
  expect(await read('/a.xml', { tenantId: 'other' })).toEqual({ created: 1, skipped: 0, truncated: false });
  leaving.abort();
  await endless;
  expect(await next).toEqual({ created: 1, skipped: 0, truncated: false });
}, 120_000);
