import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { zipOf } from '../../packages/file-to-markdown/test/support/zip.js';
import { useApp } from '../support/app.js';
import { extractedDocuments } from '../support/extracted-documents.js';
import { waitFor } from '../support/wait-for.js';
import { TENANT, TENANT_UNIT } from './support/rest-client.js';
import { readSourceText } from './support/source-text.js';

/* What callers say of processing, as the worker carries it out. */

const TEXT = 'A sentence of some seven words here. '.repeat(100);

const app = useApp({ fetchAllowHosts: ['127.0.0.1'], ingestConcurrency: 2 });
/** What asked for a page, and the answer that it waits for. */
const requests: { version: string | undefined; response: ServerResponse }[] = [];
let hold = false;
let base: string;

const pages = createServer((request, response) => {
  const version = request.headers['if-none-match'];
  requests.push({ version, response });
  if (hold) return;
  if (version === '"1"') response.writeHead(304).end();
  else response.writeHead(200, { 'content-type': 'text/plain', etag: '"1"' }).end(TEXT);
});

beforeAll(async () => {
  pages.listen(0, '127.0.0.1');
  await once(pages, 'listening');
  base = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
});

afterAll(() => {
  pages.closeAllConnections();
  pages.close();
});

const documents = () => app.trpc().documents;
const get = (documentId: string) => documents().get.query({ scope: TENANT, documentId });

async function lengthsOf(documentId: string): Promise<number[]> {
  await app.settle();
  const { items } = await app.trpc().chunks.list.query({ scope: TENANT, documentId, pageSize: 100 });
  return items.map(({ content }) => content.length);
}

test('comments are part of the chunks, unless the document wants none', async () => {
  const namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const paragraph = (content: string) => `<w:p><w:r>${content}</w:r></w:p>`;
  const docx = zipOf({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    'word/document.xml': `<w:document ${namespace}><w:body>${paragraph('<w:t>Tea is free.</w:t><w:commentReference w:id="0"/>')}</w:body></w:document>`,
    'word/comments.xml': `<w:comments ${namespace}><w:comment w:id="0" w:author="Ada">${paragraph('<w:t>Since when?</w:t>')}</w:comment></w:comments>`,
  });
  const id = await extractedDocuments(app).upload(TENANT.tenantId, docx, 'tea.docx');
  const contents = async () => {
    await app.settle();
    const { items } = await app.trpc().chunks.list.query({ scope: TENANT, documentId: id });
    return items.map(({ content }) => content);
  };
  expect(await contents()).toEqual(['Tea is free.\n\n[Comment by Ada: Since when?]']);
  await documents().update.mutate({ scope: TENANT, documentId: id, chunking: { comments: false } });
  expect(await contents()).toEqual(['Tea is free.']);
  const source = await readSourceText(app.trpc().documents, { scope: TENANT, documentId: id });
  expect(source.pages).toMatchObject([{ text: 'Tea is free.' }]);
});

test('a document is split as it asks for, and again when it asks for something else', async () => {
  const { id } = await documents().create.mutate({
    scope: TENANT_UNIT,
    documentType: 'UnstructuredFile',
    documentContent: TEXT,
    chunking: { size: 200, overlap: 0 },
  });
  const small = await lengthsOf(id);
  expect(Math.max(...small)).toBeLessThanOrEqual(200);
  await documents().update.mutate({ scope: TENANT, documentId: id, chunking: null });
  const usual = await lengthsOf(id);
  expect(Math.max(...usual)).toBeGreaterThan(200);
  expect(await get(id)).toMatchObject({ status: 'ready', chunkCount: usual.length, newChunks: 0 });
});

test('a page is fetched again only where it has changed, or must be', async () => {
  const { id } = await documents().create.mutate({
    scope: TENANT_UNIT,
    documentType: 'UnstructuredWebpage',
    url: `${base}/page`,
  });
  const before = await lengthsOf(id);
  const reprocess = (unconditional: boolean) =>
    documents().reprocess.mutate({ scope: TENANT, documentId: id, unconditional });
  await reprocess(false);
  expect(await lengthsOf(id)).toEqual(before);
  await reprocess(true);
  expect(await lengthsOf(id)).toEqual(before);
  await documents().update.mutate({ scope: TENANT, documentId: id, chunking: { size: 300 } });
  expect(Math.max(...(await lengthsOf(id)))).toBeLessThanOrEqual(300);
  expect(requests.splice(0).map(({ version }) => version)).toEqual([undefined, '"1"', undefined, undefined]);
});

test('a worker lets go of what is cancelled, and nothing of it is left', async () => {
  hold = true;
  const { id } = await documents().create.mutate({
    scope: TENANT_UNIT,
    documentType: 'UnstructuredWebpage',
    url: `${base}/slow`,
  });
  await waitFor(() => requests.length > 0, { what: 'the page to be asked for' });
  const cancelled = await documents().cancel.mutate({ scope: TENANT, documentId: id });
  expect(cancelled).toMatchObject({ status: 'failed', error: { code: 'cancelled', stage: 'fetching' } });
  // Only when the worker gives up does the request end without an answer.
  await waitFor(() => requests[0]?.response.destroyed, { what: 'the worker to give up' });
  const { documentContent: _, ...after } = await get(id);
  expect(after).toEqual(cancelled);
  hold = false;

  await documents().reprocess.mutate({ scope: TENANT, documentId: id });
  await lengthsOf(id);
  expect(await get(id)).toMatchObject({ status: 'ready', error: null, attempts: 1 });
});

test('pages that never come keep only their own tenant waiting', async () => {
  hold = true;
  const held = requests.length;
  const urls = Array.from({ length: 20 }, (_, place) => `${base}/never/${place}`);
  const { created } = await documents().createMany.mutate({
    scope: { ...TENANT_UNIT, tenantId: 'slow' },
    urls,
  });
  await waitFor(() => requests.length > held, { what: 'a page to be asked for' });
  for (const content of ['First of another tenant.', 'Second of another tenant.']) {
    const { id } = await documents().create.mutate({
      scope: TENANT_UNIT,
      documentType: 'UnstructuredFile',
      documentContent: content,
    });
    await waitFor(async () => (await get(id)).status === 'ready', { what: 'the document to be ready' });
  }
  const states = await documents().list.query({ scope: { tenantId: 'slow' }, pageSize: 100 });
  expect(states.items.map(({ status }) => status).filter((status) => status === 'ready')).toEqual([]);
  expect(states.items.filter(({ status }) => status === 'processing')).toHaveLength(2);

  hold = false;
  for (const { response } of requests.slice(held))
    response.writeHead(200, { 'content-type': 'text/plain' }).end(TEXT);
  const allReady = async () => {
    const { totalCount } = await documents().list.query({ scope: { tenantId: 'slow' }, statuses: ['ready'] });
    return totalCount === created.length;
  };
  await waitFor(allReady, { what: 'the slow documents to be ready' });
});

test('many small documents of one tenant hold up none of another', async () => {
  const described = Array.from({ length: 300 }, (_, place) => ({ documentContent: `Small text ${place}.` }));
  const scope = { ...TENANT_UNIT, tenantId: 'many' };
  const { created } = await documents().createMany.mutate({ scope, documents: described });
  const { id } = await documents().create.mutate({
    scope: TENANT_UNIT,
    documentType: 'UnstructuredFile',
    documentContent: 'The only one.',
  });
  await waitFor(async () => (await get(id)).status === 'ready', { what: 'the document to be ready' });
  const { totalCount } = await documents().list.query({ scope: { tenantId: 'many' }, statuses: ['ready'] });
  expect(totalCount).toBeLessThan(created.length / 2);
  await app.settle();
});

test('a job whose document is not there on its node yet stays in the queue', async () => {
  const job = { tenantId: TENANT_UNIT.tenantId, documentId: 'late' };
  await app.db
    .insertInto('processingJobs')
    .values({ ...job, lane: 'tiny' })
    .execute();
  await app.db.transaction().execute((tx) => sql`select pg_notify('processing_jobs', '')`.execute(tx));
  const left = () =>
    app.db
      .selectFrom('processingJobs')
      .select(['attempts', 'leaseOwner'])
      .where('tenantId', '=', job.tenantId)
      .where('documentId', '=', job.documentId)
      .execute();
  await waitFor(async () => (await left())[0]?.attempts !== 0, { what: 'the job to be tried' });
  expect(await left()).toEqual([{ attempts: expect.any(Number), leaseOwner: null }]);
  await app.db.deleteFrom('processingJobs').where('tenantId', '=', job.tenantId).execute();
});
