import { afterAll, expect, test } from 'vitest';
import {
  type EngineAnswer,
  type EngineRequest,
  json,
  startEngineServer,
} from '../../../../test/support/engine-server.js';
import { extractionLimits, useExtractionFiles } from '../../../../test/support/extraction-files.js';
import { readForm } from '../../../../test/support/read-form.js';
import { createServerEngine } from '../create-engine.js';

const ID = '1c5e1c1a-4f3e-4d0e-9a55-0f7bb6a3a001';
const task = (task_status: string, others: object = {}): EngineAnswer =>
  json({ task_id: ID, task_type: 'convert', task_status, task_position: null, task_meta: null, ...others });
const document = (md_content: string | null, status = 'success'): EngineAnswer =>
  json({
    document: { filename: 'scan.pdf', md_content },
    status,
    errors: [],
    processing_time: 1.5,
    timings: {},
  });

/** What is answered to each request in turn; the last one again and again. */
let answers: ((request: EngineRequest) => EngineAnswer | Promise<EngineAnswer>)[] = [];
const server = await startEngineServer((request) => {
  const answer = answers.length > 1 ? answers.shift() : answers[0];
  return answer?.(request) ?? { status: 500 };
});
afterAll(() => server.close());

const file = useExtractionFiles();
const scan = file('Größe "1".pdf', 'application/pdf', '%PDF a scan');
const settings = {
  ...extractionLimits,
  api: 'docling' as const,
  url: server.url,
  apiKey: 'secret',
  languages: ['en', 'zh-Hans'],
};
const engine = createServerEngine(settings);

function extract(...given: typeof answers) {
  answers = given;
  server.requests.length = 0;
  return engine.extract(scan, AbortSignal.timeout(60_000));
}

test('a file is a task, which is polled, and its result is read page by page', async () => {
  let pageBreak = '';
  const text = await extract(
    async (request) => {
      pageBreak = (await readForm(request)).fields.md_page_break_placeholder?.[0] ?? '';
      return task('pending');
    },
    () => task('started'),
    () => task('success'),
    () => document(`# One\n\n${pageBreak}\n\ntwo`),
  );
  expect(text).toEqual({ mediaType: 'text/markdown', pages: ['# One\n\n', '\n\ntwo'] });
  expect(server.requests.map(({ method, path, headers }) => [method, path, headers['x-api-key']])).toEqual([
    ['POST', '/v1/convert/file/async', 'secret'],
    ['GET', `/v1/status/poll/${ID}`, 'secret'],
    ['GET', `/v1/status/poll/${ID}`, 'secret'],
    ['GET', `/v1/result/${ID}`, 'secret'],
  ]);
  expect(await readForm(server.requests[0] as EngineRequest)).toEqual({
    fields: {
      to_formats: ['md'],
      do_ocr: ['true'],
      image_export_mode: ['placeholder'],
      include_images: ['false'],
      md_page_break_placeholder: [expect.stringMatching(/^<!-- page-break-[0-9a-f-]{36} -->$/)],
      document_timeout: ['60'],
      target_type: ['inbody'],
      ocr_lang: ['iso:en', 'iso:zh-Hans'],
    },
    files: [
      { field: 'files', fileName: 'Größe %221%22.pdf', mediaType: 'application/pdf', text: '%PDF a scan' },
    ],
  });
});

test('a task that ends at once is not polled', async () => {
  expect(
    await extract(
      () => task('success'),
      () => document('text'),
    ),
  ).toEqual({ mediaType: 'text/markdown', pages: ['text'] });
});

test('a file without text has none', async () => {
  const text = await extract(
    () => task('success'),
    () => document(null),
  );
  expect(text.pages).toEqual(['']);
});

const failure = (retryable: boolean) => ({
  failure: { category: 'internal', message: 'secret words', retryable, phase: 'execution', details: {} },
});

test.each<[string, (() => EngineAnswer)[], failure: string, isOfRequest: boolean]>([
  ['the task fails', [() => task('pending'), () => task('failure')], 'bad-request', true],
  ['pages failed', [() => task('partial_success')], 'bad-request', true],
  ['it fails for good', [() => task('failure', failure(false))], 'bad-request', true],
  ['it may succeed later', [() => task('failure', failure(true))], 'unavailable', false],
  ['it is skipped', [() => task('skipped')], 'bad-request', true],
  ['the document fails', [() => task('success'), () => document(null, 'failure')], 'bad-request', true],
  [
    'the result is a failure',
    [() => task('success'), () => json({ kind: 'TaskFailureResult', ...failure(false) })],
    'malformed',
    false,
  ],
  ['the task is lost', [() => task('pending'), () => ({ status: 404 })], 'unavailable', false],
  ['the server fails meanwhile', [() => task('pending'), () => ({ status: 503 })], 'unavailable', false],
])('where %s, nothing is read', async (_, given, expected, isOfRequest) => {
  await expect(extract(...given)).rejects.toMatchObject({
    failure: expected,
    isOfRequest,
    message: expect.not.stringContaining('secret'),
  });
});

test('a task that never ends is given up', async () => {
  answers = [() => task('started')];
  const impatient = createServerEngine({ ...settings, timeoutMs: 400 });
  await expect(impatient.extract(scan, AbortSignal.timeout(60_000))).rejects.toMatchObject({
    failure: 'timed-out',
    message: 'docling-serve did not convert the file in time.',
  });
});

test.each(['', '/', '/v1', '/v1/'])('its address may end with "%s"', async (end) => {
  answers = [
    () => json({ status: 'ok' }),
    () => ({ status: 404 }),
    () => json({ 'docling-serve': '1.38.2' }),
  ];
  server.requests.length = 0;
  const addressed = createServerEngine({ ...settings, url: server.url + end });
  expect(await addressed.check(AbortSignal.timeout(60_000))).toBe('docling-serve 1.38.2');
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /health',
    'GET /v1/status/poll/00000000-0000-0000-0000-000000000000',
    'GET /version',
  ]);
});

test('it may hide its version', async () => {
  answers = [() => json({ status: 'ok' }), () => ({ status: 404 }), () => ({ status: 403 })];
  expect(await engine.check(AbortSignal.timeout(60_000))).toBe('docling-serve');
});

test.each<[string, (() => EngineAnswer)[], failure: string]>([
  ['refuses the key', [() => json({ status: 'ok' }), () => ({ status: 401 })], 'unauthorized'],
  ['is something else', [() => ({ body: '<html>' })], 'malformed'],
  ['has no such address', [() => ({ status: 404 })], 'not-found'],
])('a server that %s is found out', async (_, given, expected) => {
  answers = given;
  await expect(engine.check(AbortSignal.timeout(60_000))).rejects.toMatchObject({ failure: expected });
});

test('it reads documents and pictures, and its version has the languages', () => {
  const types = ['application/pdf', 'image/tiff', 'text/html', 'application/zip', 'image/svg+xml'];
  expect(types.filter(engine.accepts)).toEqual(['application/pdf', 'image/tiff', 'text/html']);
  expect(engine.version).toBe('docling en zh-Hans');
});
