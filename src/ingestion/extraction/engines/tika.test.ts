import { afterAll, expect, test } from 'vitest';
import { type EngineAnswer, startEngineServer } from '../../../../test/support/engine-server.js';
import { extractionLimits, useExtractionFiles } from '../../../../test/support/extraction-files.js';
import { createServerEngine } from '../create-engine.js';

let answers: EngineAnswer[] = [];
const server = await startEngineServer(() => answers.shift() ?? { status: 500 });
afterAll(() => server.close());

const scan = useExtractionFiles()('scan.pdf', 'application/pdf', '%PDF a scan');
const settings = {
  ...extractionLimits,
  api: 'tika' as const,
  url: server.url,
  languages: ['en', 'zh-Hans', 'de'],
};
const engine = createServerEngine(settings);

function extract(body: string) {
  answers = [{ headers: { 'content-type': 'text/html' }, body }];
  server.requests.length = 0;
  return engine.extract(scan, AbortSignal.timeout(60_000));
}

const xhtml = (body: string) =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head><meta name="author" content="me"/></head><body>${body}</body></html>`;

test('the bytes of the file are put, with the languages as Tesseract names them', async () => {
  await extract(xhtml('<p>read</p>'));
  expect(server.requests).toMatchObject([
    {
      method: 'PUT',
      path: '/tika',
      headers: {
        accept: 'text/html',
        'content-type': 'application/pdf',
        'x-tika-ocrlanguage': 'eng+chi_sim+deu',
        'x-tika-pdfocrstrategy': 'auto',
      },
      body: Buffer.from('%PDF a scan'),
    },
  ]);
});

test.each([
  ['without pages', xhtml('<p>a</p>'), ['<body><p>a</p></body></html>']],
  [
    'with pages',
    xhtml('\n<div class="page"><p>a</p></div><div class="page"><p>b</p></div><ul></ul>'),
    ['<div class="page"><p>a</p></div>', '<div class="page"><p>b</p></div><ul></ul></body></html>'],
  ],
  ['that is no XHTML', 'plain', ['plain']],
  ['that is empty', '', ['']],
])('an answer %s is read', async (_, body, pages) => {
  expect(await extract(body)).toEqual({ mediaType: 'text/html', pages });
});

test('too many pages are refused', async () => {
  await expect(extract(xhtml('<div class="page">'.repeat(10_001)))).rejects.toMatchObject({
    failure: 'too-long',
  });
});

const version = { body: 'Apache Tika 3.2.2' };
const read = {
  body: xhtml('').replace('author" content="me', 'X-TIKA:Parsed-By" content="TesseractOCRParser'),
};

test('it is asked whether it reads pictures', async () => {
  answers = [version, read];
  server.requests.length = 0;
  expect(await engine.check(AbortSignal.timeout(60_000))).toBe('Apache Tika 3.2.2 with Tesseract');
  expect(server.requests).toMatchObject([
    { method: 'GET', path: '/version' },
    { method: 'PUT', path: '/tika', headers: { 'content-type': 'image/png' } },
  ]);
});

test.each<[string, EngineAnswer[], failure: string, message: string]>([
  ['is something else', [{ body: 'nginx' }], 'not-found', 'answers, and is no Apache Tika server.'],
  ['has no Tesseract', [version, { body: xhtml('') }], 'bad-request', 'Apache Tika server has no Tesseract'],
  ['lacks a language', [version, { status: 422 }], 'bad-request', 'may lack one of eng, chi_sim, deu.'],
  ['fails', [version, { status: 503 }], 'unavailable', 'answered 503'],
])('a server that %s is found out', async (_, given, failure, message) => {
  answers = given;
  await expect(engine.check(AbortSignal.timeout(60_000))).rejects.toMatchObject({
    failure,
    message: expect.stringContaining(message),
  });
});

test('without languages, those of the server hold', async () => {
  answers = [{ body: xhtml('') }];
  server.requests.length = 0;
  await createServerEngine({ ...settings, languages: [] }).extract(scan, AbortSignal.timeout(60_000));
  expect(server.requests[0]?.headers).not.toHaveProperty('x-tika-ocrlanguage');
  expect(engine.version).toBe('tika eng chi_sim deu');
});
