import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { type EngineAnswer, type EngineRequest, startEngineServer } from '../support/engine-server.js';
import { extractedDocuments, httpExtraction } from '../support/extracted-documents.js';
import { scannedPdf, type TestPage } from '../support/scans/scanned-pdf.js';
import { waitFor } from '../support/wait-for.js';

/* Scans and pictures, read by an engine with the API of our own, from the upload to the search. */

const QUOTA = 40;
let answer: (request: EngineRequest) => EngineAnswer;
const engine = await startEngineServer((request) => (request.method === 'POST' ? answer(request) : {}));
/** Without the check at the start of the server. */
const asked = () => engine.requests.filter(({ method }) => method === 'POST');
const app = useApp({
  extraction: httpExtraction(engine.url, { pageQuota: QUOTA }),
});
const { scopeOf, upload, get, chunksOf, sourceOf, countOutages, settleWithoutPauses } =
  extractedDocuments(app);
const markdown = (body: string): EngineAnswer => ({ headers: { 'content-type': 'text/markdown' }, body });

beforeAll(() => {
  answer = () => markdown('');
});
beforeEach(() => {
  answer = ({ headers }) => markdown(`# Read from ${headers['x-file-name']}\n\nA purple walrus signs here.`);
  engine.requests.length = 0;
});
afterAll(() => engine.close());

/** A picture that no other test has. */
function scan(seed: number, size = 300): TestPage {
  const gray = new Uint8Array(size * size).fill(255);
  for (let i = 0; i < 40; i++) gray[(seed * 7919 + i * 997) % gray.length] = 0;
  gray[seed] = 0;
  return { gray, width: size, height: size };
}

const keptTexts = async (tenantId: string) => {
  const { rows } = await sql<{ documentId: string }>`
    select document_id from extracted_pictures where tenant_id = ${tenantId}`.execute(app.db);
  return rows.length;
};

describe('a PDF in which one page of three is a scan', () => {
  const tenant = 'mixed';
  const pdf = scannedPdf([
    { text: 'The first page has text of its own.' },
    scan(1),
    { text: 'The third page has text of its own, too.' },
  ]);
  let id: string;
  let sent: unknown[];

  beforeAll(async () => {
    answer = ({ headers }) =>
      markdown(`# Read from ${headers['x-file-name']}\n\nA purple walrus signs here.`);
    engine.requests.length = 0;
    id = await upload(tenant, pdf, 'delivery.pdf');
    await app.settle();
    sent = asked().map(({ headers }) => headers['content-type']);
  });

  test('sends that page alone, and keeps the order', async () => {
    expect(await get(tenant, id)).toMatchObject({ status: 'ready', warnings: [], stage: null, error: null });
    const chunks = await chunksOf(tenant, id);
    expect(chunks).toEqual([
      [1, undefined, 'The first page has text of its own.'],
      [2, 'http', '# Read from page-2.png\n\nA purple walrus signs here.'],
      [3, undefined, 'The third page has text of its own, too.'],
    ]);
    expect(sent).toEqual(['image/png']);
  });

  test('names the engine in the citation of a hit', async () => {
    const [hit] = await app.trpc().chunks.search.query({
      scope: scopeOf(tenant),
      query: 'purple walrus',
      datasetIds: ['set'],
      topK: 1,
    });
    expect(hit?.citation).toMatchObject({ extractedBy: 'http', pages: { first: 2, last: 2 } });
  });

  test('is not sent again when it is processed again, nor for another document of the tenant', async () => {
    engine.requests.length = 0;
    await app
      .trpc()
      .documents.reprocess.mutate({ scope: scopeOf(tenant), documentId: id, unconditional: true });
    const other = await upload(tenant, pdf, 'copy.pdf');
    await app.settle();
    expect(await chunksOf(tenant, other)).toEqual(await chunksOf(tenant, id));
    expect(asked()).toEqual([]);
  });

  test('is sent for another tenant, who learns nothing of it', async () => {
    engine.requests.length = 0;
    await upload('other', pdf, 'copy.pdf');
    await app.settle();
    expect(asked()).toHaveLength(1);
  });

  test('shows its source with the text of the engine', async () => {
    const source = await sourceOf(tenant, id);
    expect(source).toMatchObject({
      pages: [{}, { text: '# Read from page-2.png\n\nA purple walrus signs here.' }, {}],
    });
  });

  test('keeps the texts no longer than the document', async () => {
    expect(await keptTexts(tenant)).toBe(2);
    await app.request('DELETE', `/admin/api/v1/documents/${id}`, {
      query: { tenantId: tenant, tenantUnitId: 'unit' },
    });
    expect(await keptTexts(tenant)).toBe(1);
  });
});

test('a picture file is a document, and a TIFF has all of its pages', async () => {
  const png = await sharp(Buffer.alloc(90_000, 200), { raw: { width: 300, height: 300, channels: 1 } })
    .png()
    .toBuffer();
  const tiff = await twoPages();
  const [one, two] = [await upload('pictures', png, 'photo.png'), await upload('pictures', tiff, 'fax.tif')];
  await app.settle();
  expect(await get('pictures', one)).toMatchObject({ status: 'ready', documentSubType: 'png' });
  expect(await get('pictures', two)).toMatchObject({ status: 'ready', documentSubType: 'tiff' });
  expect(await chunksOf('pictures', two)).toEqual([
    [1, 'http', '# Read from page-1.png\n\nA purple walrus signs here.'],
    [2, 'http', '# Read from page-2.png\n\nA purple walrus signs here.'],
  ]);
});

test('a HEIC picture, which cannot be decoded here, goes to the engine as it is', async () => {
  const heic = Buffer.concat([
    Buffer.from('0000001c6674797068656963000000006d696631', 'hex'),
    Buffer.from('heicmiaf'),
    Buffer.alloc(500, 7),
  ]);
  const id = await upload('heic', heic, 'photo.heic');
  await app.settle();
  expect(await get('heic', id)).toMatchObject({ status: 'ready', documentSubType: 'heic' });
  const [sent] = asked();
  expect([sent?.headers['content-type'], sent?.headers['x-file-name']]).toEqual([
    'image/heic',
    'page-1.heic',
  ]);
  expect(sent?.body.equals(heic)).toBe(true);
});

/** By hand: sharp writes one page. Uncompressed, in shades of gray. */
async function twoPages(): Promise<Buffer> {
  const [width, height] = [100, 60];
  const pages = [10, 99].map((shade) => Buffer.alloc(width * height, 255).fill(shade, 0, 200));
  const head = Buffer.alloc(8);
  head.write('II*\0', 'latin1');
  const parts = [head];
  let offset = 8;
  let pointer: [Buffer, number] = [head, 4];
  for (const page of pages) {
    parts.push(page);
    const strip = offset;
    offset += page.length;
    const entries = [
      [256, width],
      [257, height],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, strip],
      [277, 1],
      [278, height],
      [279, page.length],
    ];
    const directory = Buffer.alloc(2 + 12 * entries.length + 4);
    directory.writeUInt16LE(entries.length, 0);
    for (const [index, [tag = 0, value = 0]] of entries.entries()) {
      directory.writeUInt16LE(tag, 2 + 12 * index);
      directory.writeUInt16LE(4, 4 + 12 * index);
      directory.writeUInt32LE(1, 6 + 12 * index);
      directory.writeUInt32LE(value, 10 + 12 * index);
    }
    const [at, place] = pointer;
    at.writeUInt32LE(offset, place);
    pointer = [directory, directory.length - 4];
    parts.push(directory);
    offset += directory.length;
  }
  return Buffer.concat(parts);
}

test('HTML from an engine is read like any other', async () => {
  answer = () => ({
    headers: { 'content-type': 'text/html' },
    body: '<html><body><h1>Invoice</h1><script>alert(1)</script><p>Forty <b>crates</b> of tea.</p></body></html>',
  });
  const id = await upload('html', scannedPdf([scan(11)]), 'invoice.pdf');
  await app.settle();
  expect(await chunksOf('html', id)).toEqual([[1, 'http', '# Invoice\n\nForty **crates** of tea.']]);
});

test('characters that cannot be stored are left out of what an engine says', async () => {
  answer = () => ({
    headers: { 'content-type': 'application/json' },
    body: '{"pages":["A\\u0000 walrus \\ud800of many\\u0007 bells."]}',
  });
  const id = await upload('nul', scannedPdf([scan(15)]), 'scan.pdf');
  await app.settle();
  expect(await chunksOf('nul', id)).toEqual([[1, 'http', 'A walrus \ufffdof many bells.']]);
});

test('more text than a file may give fails the document', async () => {
  answer = () => markdown('A walrus. '.repeat(700_000));
  const id = await upload('long', scannedPdf([scan(16)]), 'scan.pdf');
  await app.settle();
  expect(await get('long', id)).toMatchObject({ status: 'failed', error: { code: 'too_much_text' } });
});

describe('an engine that refuses a page', () => {
  beforeEach(() => {
    answer = () => ({ status: 422 });
  });

  test('costs a document with other text that page, and says so', async () => {
    const id = await upload('refused', scannedPdf([{ text: 'Text of its own.' }, scan(21)]), 'mixed.pdf');
    await app.settle();
    expect(await get('refused', id)).toMatchObject({
      status: 'ready',
      warnings: [
        {
          code: 'pages_without_text',
          file: null,
          pages: [{ from: 2, to: 2 }],
          pageCount: 1,
          names: [],
          nameCount: 0,
        },
      ],
    });
    expect(await chunksOf('refused', id)).toEqual([[1, undefined, 'Text of its own.']]);
  });

  test('leaves a scan without text', async () => {
    const id = await upload('refused', scannedPdf([scan(22)]), 'scan.pdf');
    await app.settle();
    expect(await get('refused', id)).toMatchObject({
      status: 'failed',
      error: { code: 'nothing_recognized', stage: 'extracting', retryable: false },
    });
  });
});

describe('an engine that is away', () => {
  test('is asked again until it answers; what it read before is not asked again', async () => {
    let isAway = true;
    answer = ({ headers }) =>
      isAway && headers['x-file-name'] === 'page-2.png' ? { status: 503 } : markdown('A patient walrus.');
    const id = await upload('away', scannedPdf([scan(31), scan(32)]), 'scan.pdf');
    await waitFor(async () => (await countOutages('away')) > 0, { what: 'the job to meet the outage' });
    expect(await get('away', id)).toMatchObject({
      status: 'processing',
      error: { code: 'extraction_unavailable', stage: 'extracting', retryable: true },
    });
    isAway = false;
    await settleWithoutPauses();
    expect(await get('away', id)).toMatchObject({ status: 'ready', warnings: [], error: null });
    const names = asked().map(({ headers }) => headers['x-file-name']);
    expect(names.filter((name) => name === 'page-1.png')).toHaveLength(1);
  });

  test('for too long fails a scan, and leaves the page out of a document with text', async () => {
    answer = () => 'reset';
    const scanned = await upload('gone', scannedPdf([scan(41)]), 'scan.pdf');
    const mixed = await upload('gone', scannedPdf([{ text: 'Text of its own.' }, scan(42)]), 'mixed.pdf');
    await waitFor(
      async () => {
        await sql`update processing_jobs set outages = 10 where tenant_id = 'gone'`.execute(app.db);
        await sql`update processing_jobs set next_attempt_time = null where next_attempt_time is not null`.execute(
          app.db,
        );
        return app.app.isIdle();
      },
      { what: 'the engine to be given up' },
    );
    expect(await get('gone', scanned)).toMatchObject({
      status: 'failed',
      error: { code: 'extraction_unavailable', stage: 'extracting', retryable: false },
    });
    expect(await get('gone', mixed)).toMatchObject({
      status: 'ready',
      warnings: [expect.objectContaining({ code: 'pages_without_text', pageCount: 1 })],
    });
  });
});

test('one page that the engine never reads costs none of the others', async () => {
  answer = ({ headers }) =>
    headers['x-file-name'] === 'page-2.png' ? { status: 500 } : markdown('A patient walrus.');
  const id = await upload('broken', scannedPdf([51, 52, 53, 54].map((seed) => scan(seed))), 'scan.pdf');
  await waitFor(async () => (await countOutages('broken')) > 0, { what: 'the job to meet the outage' });
  await sql`update processing_jobs set outages = 10 where tenant_id = 'broken'`.execute(app.db);
  await settleWithoutPauses();
  expect(await get('broken', id)).toMatchObject({
    status: 'ready',
    warnings: [{ code: 'pages_without_text', pages: [{ from: 2, to: 2 }], pageCount: 1 }],
  });
  const read = [1, 3, 4].map((page) => [page, 'http', 'A patient walrus.']);
  expect(await chunksOf('broken', id)).toEqual(read);
});

test('a picture that is refused is sent once, however often it is in the document', async () => {
  answer = () => ({ status: 422 });
  const pages = [{ text: 'Text of its own.' }, scan(61), scan(61)];
  const id = await upload('twice', scannedPdf(pages), 'mixed.pdf');
  await app.settle();
  expect(await get('twice', id)).toMatchObject({ status: 'ready', warnings: [{ pageCount: 2 }] });
  expect(asked()).toHaveLength(1);
});

test('a document that Lectern reads alone from now on has nothing of the engine left', async () => {
  const pages = [{ text: 'Text of its own.' }, scan(71)];
  const id = await upload('alone', scannedPdf(pages), 'mixed.pdf');
  await app.settle();
  expect(await chunksOf('alone', id)).toHaveLength(2);
  await app.trpc().documents.reprocess.mutate({ scope: scopeOf('alone'), documentId: id, extraction: 'own' });
  await app.settle();
  expect(await chunksOf('alone', id)).toEqual([[1, undefined, 'Text of its own.']]);
  expect(await sourceOf('alone', id)).toMatchObject({
    pageCount: 2,
    pages: [
      { text: 'Text of its own.', chunks: [{ ordinal: 0 }] },
      { text: '', chunks: [] },
    ],
  });
  expect(await keptTexts('alone')).toBe(0);
});

test('pages beyond the quota of a tenant are not sent', async () => {
  const used = QUOTA - 1;
  await sql`insert into extraction_usage (tenant_id, pages) values ('full', ${used})`.execute(app.db);
  const first = await upload('full', scannedPdf([scan(51)]), 'first.pdf');
  await app.settle();
  const second = await upload('full', scannedPdf([scan(52)]), 'second.pdf');
  const mixed = await upload('full', scannedPdf([{ text: 'Text of its own.' }, scan(53)]), 'mixed.pdf');
  await app.settle();
  expect(await get('full', first)).toMatchObject({ status: 'ready' });
  expect(await get('full', second)).toMatchObject({ status: 'failed', error: { code: 'quota_exceeded' } });
  expect(await get('full', mixed)).toMatchObject({
    status: 'ready',
    warnings: [expect.objectContaining({ code: 'pages_without_text' })],
  });
  expect(asked()).toHaveLength(1);
});

test('a document whose source becomes text forgets what was read of its pages', async () => {
  const id = await upload('changed', scannedPdf([scan(61)]), 'scan.pdf');
  await app.settle();
  expect(await keptTexts('changed')).toBe(1);
  await app.trpc().documents.update.mutate({
    scope: scopeOf('changed'),
    documentId: id,
    documentContent: 'Only words.'.repeat(2_000),
  });
  await app.settle();
  expect(await keptTexts('changed')).toBe(0);
});

test('a preview asks the engine, and keeps nothing', async () => {
  const pdf = scannedPdf([{ text: 'Own text.' }, scan(71)]);
  const { fileId } = await app
    .trpc({ 'content-type': 'application/octet-stream', 'x-tenant-id': 'preview' })
    .files.upload.mutate(new Blob([new Uint8Array(pdf)]));
  const file = { fileId, fileName: 'mixed.pdf' };
  const preview = await app.trpc().documents.previewChunks.mutate({ scope: scopeOf('preview'), file });
  expect(preview.chunks.map(({ page, content, extractedBy }) => [page, extractedBy, content])).toEqual([
    [1, undefined, 'Own text.'],
    [2, 'http', '# Read from page-2.png\n\nA purple walrus signs here.'],
  ]);
  expect(await keptTexts('preview')).toBe(0);
});
