import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { type EngineAnswer, json, startEngineServer } from '../../../../test/support/engine-server.js';
import { extractionLimits, useExtractionFiles } from '../../../../test/support/extraction-files.js';
import { createServerEngine } from '../create-engine.js';

let answer: EngineAnswer;
const server = await startEngineServer(() => answer);
afterAll(() => server.close());

const file = useExtractionFiles();
const scan = file('Größe 1.png', 'image/png', 'a picture');
const url = `${server.url}/extract?for=lectern`;
const settings = {
  ...extractionLimits,
  api: 'http' as const,
  url,
  apiKey: 'secret',
  languages: ['de', 'zh-Hans'],
};
const engine = createServerEngine(settings);
const extract = () => engine.extract(scan, AbortSignal.timeout(60_000));

const typed = (type: string, body: string): EngineAnswer => ({ headers: { 'content-type': type }, body });

test('the bytes of the file are posted with its name, its type and the key', async () => {
  answer = typed('text/plain', 'read');
  server.requests.length = 0;
  await extract();
  expect(server.requests).toMatchObject([
    {
      method: 'POST',
      path: '/extract?for=lectern',
      headers: {
        'content-type': 'image/png',
        'content-length': '9',
        'x-file-name': 'Gr%C3%B6%C3%9Fe%201.png',
        'x-languages': 'de,zh-Hans',
        authorization: 'Bearer secret',
      },
      body: Buffer.from('a picture'),
    },
  ]);
});

test('a long name keeps its end', async () => {
  answer = typed('text/plain', 'read');
  server.requests.length = 0;
  const long = { ...scan, fileName: `😀${'字'.repeat(253)}.p` };
  await engine.extract(long, AbortSignal.timeout(60_000));
  const name = decodeURIComponent(String(server.requests[0]?.headers['x-file-name']));
  expect(name).toBe(`${'字'.repeat(253)}.p`);
});

test.each<[EngineAnswer, mediaType: string, pages: string[]]>([
  [typed('text/markdown; charset=utf-8', '# Größe'), 'text/markdown', ['# Größe']],
  [typed('Text/HTML', '<p>a</p>\f<p>b</p>'), 'text/html', ['<p>a</p>', '<p>b</p>']],
  [typed('text/plain', 'a\f\fb\f'), 'text/plain', ['a', '', 'b', '']],
  [typed('text/plain', ''), 'text/plain', ['']],
  [json({ pages: ['# a', 'b'], model: 'm' }), 'text/markdown', ['# a', 'b']],
  [json({ pages: [] }), 'text/markdown', ['']],
  [
    { headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' }, body: gzipSync('packed') },
    'text/plain',
    ['packed'],
  ],
])('%j is read as %s', async (given, mediaType, pages) => {
  answer = given;
  expect(await extract()).toEqual({ mediaType, pages });
});

test.each([[{}], [{ 'content-type': 'application/pdf' }], [{ 'content-type': 'text/markdown2' }]])(
  'an answer with the headers %j is not used',
  async (headers) => {
    answer = { headers, body: 'text' };
    await expect(extract()).rejects.toMatchObject({
      failure: 'malformed',
      message:
        "The extraction endpoint's answer cannot be used: its Content-Type is not text/markdown, text/html, text/plain or application/json.",
    });
  },
);

test.each([
  ['pages', typed('text/plain', '\f'.repeat(10_000))],
  ['pages of JSON', json({ pages: Array(10_001).fill('') })],
  ['characters', typed('text/plain', 'a'.repeat(8_000_001))],
])('an answer with too many %s is refused for good', async (_, given) => {
  answer = given;
  await expect(extract()).rejects.toMatchObject({ failure: 'too-long', isOfRequest: true });
});

test('a large file arrives whole', async () => {
  answer = typed('text/plain', 'read');
  const bytes = Buffer.alloc(900_000, '0123456789');
  server.requests.length = 0;
  await engine.extract(file('large.tiff', 'image/tiff', bytes), AbortSignal.timeout(60_000));
  expect(server.requests[0]?.body.equals(bytes)).toBe(true);
});

test('an empty file is sent, too', async () => {
  answer = typed('text/plain', '');
  expect(await engine.extract(file('empty.png', 'image/png', ''), AbortSignal.timeout(60_000))).toEqual({
    mediaType: 'text/plain',
    pages: [''],
  });
});

test('no more files are sent at a time than are configured', async () => {
  const held: (() => void)[] = [];
  const slow = await startEngineServer(
    () => new Promise((resolve) => held.push(() => resolve(typed('text/plain', 'read')))),
  );
  const two = createServerEngine({ ...settings, url: slow.url, concurrency: 2 });
  const all = [1, 2, 3, 4].map(() => two.extract(scan, AbortSignal.timeout(60_000)));
  await expect.poll(() => held.length).toBe(2);
  expect(slow.requests.length).toBe(2);
  for (let done = 0; done < 4; done++) {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    held.shift()?.();
  }
  expect(await Promise.all(all)).toHaveLength(4);
  await slow.close();
});

test('who gives up while waiting is not sent', async () => {
  server.requests.length = 0;
  const paced = createServerEngine({ ...settings, requestsPerMinute: 1 });
  answer = typed('text/plain', 'read');
  await paced.extract(scan, AbortSignal.timeout(60_000));
  const gaveUp = new AbortController();
  const second = paced.extract(scan, gaveUp.signal);
  gaveUp.abort();
  await expect(second).rejects.toMatchObject({ name: 'AbortError' });
  expect(server.requests).toHaveLength(1);
});

test.each([200, 204, 400, 404, 405, 422])('a server that answers GET with %i is there', async (status) => {
  answer = { status };
  server.requests.length = 0;
  expect(await engine.check(AbortSignal.timeout(60_000))).toBe(`a server at ${server.url}`);
  expect(server.requests).toMatchObject([
    { method: 'GET', path: '/extract?for=lectern', headers: { authorization: 'Bearer secret' } },
  ]);
});

test.each([
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [302, 'not-found'],
  [500, 'unavailable'],
])('one that answers GET with %i cannot be used: %s', async (status, failure) => {
  answer = { status };
  await expect(engine.check(AbortSignal.timeout(60_000))).rejects.toMatchObject({ failure });
});

test('it reads everything, and its version has the languages', () => {
  expect(engine.accepts('application/x-anything')).toBe(true);
  expect([engine.name, engine.version]).toEqual(['http', 'http de zh-Hans']);
});
