import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { type EngineAnswer, type EngineRequest, startEngineServer } from '../support/engine-server.js';
import { extractedDocuments, httpExtraction } from '../support/extracted-documents.js';
import { waitFor } from '../support/wait-for.js';

/* Files of types that EXTRACTION_FOR names, which an engine reads as a whole. */

let answer: (request: EngineRequest) => EngineAnswer;
const engine = await startEngineServer((request) => (request.method === 'POST' ? answer(request) : {}));
const asked = () => engine.requests.filter(({ method }) => method === 'POST');
const app = useApp({
  extraction: httpExtraction(engine.url, { extractionFor: ['rtf'] }),
});
const { scopeOf, upload, get, chunksOf, sourceOf, countOutages, settleWithoutPauses } =
  extractedDocuments(app);

beforeEach(() => {
  engine.requests.length = 0;
  answer = () => ({
    headers: { 'content-type': 'text/markdown' },
    body: '# Shipping\n\nA purple walrus signs here.\f## Returns\n\nThe walrus takes nothing back.',
  });
});
afterAll(() => engine.close());

const rtf = (text: string) => Buffer.from(`{\\rtf1\\ansi ${text}\\par}`);

const READ = [
  [1, 'http', '# Shipping\n\nA purple walrus signs here.'],
  [2, 'http', '## Returns\n\nThe walrus takes nothing back.'],
];

test('an engine gets the file as it is, and gives the pages', async () => {
  const bytes = rtf('Shipping costs nothing.');
  const id = await upload('whole', bytes, 'terms.rtf');
  await app.settle();
  expect(await get('whole', id)).toMatchObject({
    status: 'ready',
    documentSubType: 'rtf',
    warnings: [],
    error: null,
  });
  expect(await chunksOf('whole', id)).toEqual(READ);
  const [sent] = asked();
  expect([sent?.headers['content-type'], sent?.headers['x-file-name']]).toEqual([
    'application/rtf',
    'file.rtf',
  ]);
  expect(sent?.body.equals(bytes)).toBe(true);
  const source = await sourceOf('whole', id);
  expect(source).toMatchObject({
    subType: 'rtf',
    pageCount: 2,
    pages: [
      { text: '# Shipping\n\nA purple walrus signs here.' },
      { text: expect.stringMatching('Returns') },
    ],
  });
  engine.requests.length = 0;
  await app
    .trpc()
    .documents.reprocess.mutate({ scope: scopeOf('whole'), documentId: id, unconditional: true });
  const copy = await upload('whole', bytes, 'copy.rtf');
  await app.settle();
  expect(await chunksOf('whole', copy)).toEqual(READ);
  expect(asked()).toEqual([]);
  const { rows } = await sql`select pages from extraction_usage where tenant_id = 'whole'`.execute(app.db);
  expect(rows).toEqual([{ pages: 2 }]);
});

test('files of other types stay with Lectern', async () => {
  const id = await upload('whole', Buffer.from('<p>Returns take <b>two</b> weeks.</p>'), 'returns.html');
  await app.settle();
  expect(await chunksOf('whole', id)).toEqual([[1, undefined, 'Returns take **two** weeks.']]);
  expect(asked()).toEqual([]);
});

test('Lectern reads a file that the engine refuses', async () => {
  answer = () => ({ status: 422 });
  const id = await upload('refused', rtf('Shipping is refused.'), 'terms.rtf');
  await app.settle();
  expect(await get('refused', id)).toMatchObject({ status: 'ready', error: null });
  expect(await chunksOf('refused', id)).toEqual([[1, undefined, 'Shipping is refused.']]);
  const source = await sourceOf('refused', id);
  expect(source).toMatchObject({ pages: [{ text: 'Shipping is refused.' }] });
});

test('a file in which the engine finds no text is not lost', async () => {
  answer = () => ({ headers: { 'content-type': 'text/markdown' }, body: ' \f ' });
  const id = await upload('blank', rtf('Shipping is blank.'), 'terms.rtf');
  await app.settle();
  expect(await chunksOf('blank', id)).toEqual([[1, undefined, 'Shipping is blank.']]);
});

test('a file waits for an engine that is away, and then is read by Lectern', async () => {
  let isAway = true;
  answer = () =>
    isAway ? { status: 503 } : { headers: { 'content-type': 'text/plain' }, body: 'A walrus.' };
  const first = await upload('away', rtf('Shipping waits.'), 'terms.rtf');
  await waitFor(async () => (await countOutages('away')) > 0, { what: 'the job to meet the outage' });
  expect(await get('away', first)).toMatchObject({
    status: 'processing',
    error: { code: 'extraction_unavailable', retryable: true },
  });
  isAway = false;
  await settleWithoutPauses();
  expect(await chunksOf('away', first)).toEqual([[1, 'http', 'A walrus.']]);
  isAway = true;
  const second = await upload('away', rtf('Shipping waits too long.'), 'terms.rtf');
  await waitFor(async () => (await countOutages('away')) > 0, { what: 'the job to meet the outage' });
  await sql`update processing_jobs set outages = 10 where tenant_id = 'away'`.execute(app.db);
  await settleWithoutPauses();
  expect(await chunksOf('away', second)).toEqual([[1, undefined, 'Shipping waits too long.']]);
});
