import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PdfPage, writePdf } from '../../packages/file-to-markdown/test/support/write-pdf.js';
import { useApp } from '../support/app.js';
import { waitFor } from '../support/wait-for.js';
import { createRestClient, TENANT, TENANT_UNIT, TIME } from './support/rest-client.js';

interface Line {
  msg: string;
  documentId: string;
  warnings?: unknown;
}
const logged: Line[] = [];
const destination = new Writable({
  write: (line, _, done) => {
    logged.push(JSON.parse(line));
    done();
  },
});
const app = useApp({ fetchAllowHosts: ['127.0.0.1'] }, { log: pino({ level: 'info' }, destination) });
const { createDocument, getDocument, patchDocument, upload } = createRestClient(app);

const lines = (...all: string[]) => all.join('\r\n');
/** A mail with attachments: names, and what is in them. */
const mailWith = (...attachments: [name: string, content: string | Buffer][]) =>
  lines(
    'From: Ann <ann@example.test>',
    'Subject: Offer',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: text/plain',
    '',
    'The offer is attached.',
    ...attachments.flatMap(([name, content]) => [
      '--x',
      `Content-Type: application/octet-stream; name="${name}"`,
      'Content-Transfer-Encoding: base64',
      'Content-Disposition: attachment',
      '',
      Buffer.from(content).toString('base64'),
    ]),
    '--x--',
  );
const BROKEN: [string, string] = ['plan.dwg', 'AC1032\u0000\u0001\u0002'];
const LOST = {
  code: 'unreadable_attachments',
  file: null,
  pages: [],
  pageCount: 0,
  names: ['plan.dwg'],
  nameCount: 1,
};

const caller = () => app.trpc().documents;
const get = (documentId: string) => caller().get.query({ scope: TENANT, documentId });
const warningsOf = async (documentId: string) => (await get(documentId)).warnings;
async function add(bytes: string | Buffer, name: string): Promise<string> {
  const { id } = await upload(typeof bytes === 'string' ? bytes : new Uint8Array(bytes), name);
  await app.settle();
  return id;
}

let page = { type: 'text/plain', body: '' };
const server = createServer((req, res) => {
  const etag = `"${page.body.length}"`;
  if (req.headers['if-none-match'] === etag) res.writeHead(304).end();
  else res.writeHead(200, { 'content-type': page.type, etag }).end(page.body);
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => server.close());

test('a mail with an attachment that cannot be read is ready and says so, in tRPC alone', async () => {
  const id = await add(mailWith(BROKEN, ['terms.txt', 'Thirty days.']), 'offer.eml');
  const document = {
    ...TENANT_UNIT,
    id,
    externalId: null,
    documentType: 'UnstructuredFile',
    documentSubType: 'eml',
    documentName: 'offer.eml',
    storageType: null,
    storageBucket: null,
    storagePath: null,
    url: null,
    title: null,
    category: null,
    customProperties: null,
    enabled: true,
    datasetIds: [],
    status: 'ready',
    processingProgress: 100,
    stage: null,
    attempts: 1,
    chunkCount: 3,
    newChunks: 0,
    chunking: null,
    extraction: 'auto',
    error: null,
    warnings: [LOST],
    createdTime: TIME,
    updatedTime: TIME,
    createdBy: null,
    updatedBy: null,
    version: 1,
  };
  expect(await get(id)).toEqual({ ...document, documentContent: null });
  expect(await caller().getMany.query({ scope: TENANT, documentIds: [id] })).toEqual([document]);
  expect((await caller().list.query({ scope: TENANT })).items).toEqual([
    { ...document, source: 'file', sizeBytes: expect.any(Number) },
  ]);
  expect(await getDocument(id)).toEqual({
    ...TENANT_UNIT,
    id,
    documentType: 'UnstructuredFile',
    documentSubType: 'eml',
    documentName: 'offer.eml',
    createdTime: TIME,
    updatedTime: TIME,
    status: 'ready',
    processingProgress: 100,
    enabled: true,
  });
  await waitFor(() => logged.some(({ documentId }) => documentId === id), { what: 'the log' });
  expect(logged.filter(({ documentId }) => documentId === id)).toEqual([
    expect.objectContaining({
      area: 'ingestion',
      type: 'eml',
      chunks: expect.any(Number),
      msg: 'a document is ready',
    }),
    {
      level: 30,
      time: expect.any(Number),
      pid: expect.any(Number),
      hostname: expect.any(String),
      area: 'ingestion',
      tenantId: 'acme',
      documentId: id,
      warnings: [{ code: 'unreadable_attachments', nameCount: 1 }],
      msg: 'a document is ready, but lacks some of its source',
    },
  ]);
});

test('warnings stay as long as the chunks do: unchanged, failed, replaced, removed', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const serve = async (type: string, body: string) => {
    page = { type, body };
    await caller().reprocess.mutate({ scope: TENANT, documentId: id });
    await app.settle();
    const { status, warnings, chunkCount } = await get(id);
    return { status, warnings, chunkCount };
  };
  page = { type: 'message/rfc822', body: mailWith(BROKEN) };
  const { id } = await createDocument({ url });
  await app.settle();
  expect(await serve(page.type, page.body)).toEqual({ status: 'ready', warnings: [LOST], chunkCount: 2 });
  expect(await serve('text/plain', '')).toEqual({ status: 'failed', warnings: [LOST], chunkCount: 2 });
  expect(await serve('message/rfc822', mailWith(['terms.txt', 'Thirty days.']))).toEqual({
    status: 'ready',
    warnings: [],
    chunkCount: 2,
  });

  const pasted = await createDocument({ documentName: 'offer.eml', documentContent: mailWith(BROKEN) });
  await app.settle();
  expect(await warningsOf(pasted.id)).toEqual([LOST]);
  await patchDocument(pasted.id, { documentContent: '' });
  expect(await get(pasted.id)).toMatchObject({ chunkCount: 0, warnings: [] });
});

test('what an attachment lacks is listed with its name', async () => {
  const inner = mailWith(BROKEN);
  const id = await add(
    mailWith(['inner.eml', inner], ['outer.eml', mailWith(['second.eml', inner])]),
    'm.eml',
  );
  expect(await warningsOf(id)).toEqual([
    { ...LOST, file: 'inner.eml' },
    { ...LOST, file: 'outer.eml / second.eml' },
  ]);
});

test('documents with warnings are found among others, by who may read them', async () => {
  const scope = { tenantId: 'lists', tenantUnitId: 'unit' };
  const made: string[] = [];
  for (const content of [mailWith(BROKEN), 'Whole.', mailWith(['copy.dwg', BROKEN[1]])]) {
    const fields = { ...scope, documentContent: content, documentName: `${made.length}.eml` };
    made.push((await createDocument(fields, made.length === 2 ? ['faq'] : [])).id);
  }
  await app.settle();
  const list = async (filter: object = {}) => {
    const found = await caller().list.query({ scope, hasWarnings: true, ...filter });
    return { ids: found.items.map(({ id }) => id), totalCount: found.totalCount };
  };
  expect(await list()).toEqual({ ids: [made[2], made[0]], totalCount: 2 });
  expect(await list({ pageSize: 1, page: 2 })).toEqual({ ids: [made[0]], totalCount: 2 });
  expect(await list({ datasetIds: ['faq'] })).toEqual({ ids: [made[2]], totalCount: 1 });
  expect(await list({ nameContains: '0' })).toEqual({ ids: [made[0]], totalCount: 1 });
  expect(await list({ hasWarnings: undefined })).toMatchObject({ totalCount: 3 });
  expect(await list({ scope: { tenantId: 'others' } })).toEqual({ ids: [], totalCount: 0 });
  expect(await caller().getMany.query({ scope: { tenantId: 'others' }, documentIds: made })).toEqual([]);
});

test('a preview lists what a document would lack', async () => {
  const given = { documentName: 'offer.eml', documentContent: mailWith(BROKEN) };
  expect(await caller().previewChunks.mutate({ scope: TENANT_UNIT, ...given, limit: 1 })).toEqual({
    subType: 'eml',
    chunkCount: 2,
    truncated: false,
    warnings: [LOST],
    chunks: [expect.objectContaining({ ordinal: 0 })],
  });
});

test('pages of a PDF that are only pictures are listed as ranges, in the log, too', async () => {
  const text = (number: number): PdfPage => ({
    text: [[50, 700, `This is the text of page ${number}, in whole sentences.`]],
  });
  const picture = { hasImage: true };
  const pages = [text(1), picture, text(3), picture, picture, text(6), picture];
  const id = await add(writePdf(pages), 'half-scanned.pdf');
  const ranges = [
    { from: 2, to: 2 },
    { from: 4, to: 5 },
    { from: 7, to: 7 },
  ];
  expect(await warningsOf(id)).toEqual([
    { code: 'pages_without_text', file: null, pages: ranges, pageCount: 4, names: [], nameCount: 0 },
  ]);
  const lossesOf = () => logged.find(({ documentId, warnings }) => documentId === id && warnings);
  await waitFor(lossesOf, { what: 'the log' });
  expect(lossesOf()).toMatchObject({
    warnings: [{ code: 'pages_without_text', pages: '2, 4-5, 7', pageCount: 4 }],
  });
});
