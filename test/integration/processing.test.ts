import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createTRPCClient, httpLink, httpSubscriptionLink, splitLink } from '@trpc/client';
import { EventSource } from 'eventsource';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectDatabase, type DatabaseClient } from '../../db/client.js';
import { type App, createApp } from '../../src/compose/compose.js';
import { readConfig } from '../../src/config/config.js';
import { createProcessDocument } from '../../src/ingestion/process-document.js';
import type { AppRouter } from '../../src/routers/index.js';
import { blockedStatements } from '../support/blocked-statements.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { sitemapProgram } from '../support/sandbox-programs.js';
import { waitFor } from '../support/wait-for.js';
import { TENANT, TENANT_UNIT, TIME, UUID } from './support/rest-client.js';

/* What callers can do with processing. The service answers here, but no worker runs: what waits stays waiting. */

let database: TestDatabase;
let client: DatabaseClient;
let app: App;
let dataDir: string;
let address: string;
let pages: Server;
let pagesAddress: string;
/** What the pages' server answers, by path. */
const answers = new Map<string, { status?: number; body: string }>();

const start = async () => {
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });
  const running = { url: database.url, description: 'test', stop: async () => {} };
  const config = { ...readConfig({}), dataDir, fetchAllowHosts: ['127.0.0.1'] };
  return createApp(config, { database: running, sitemapProgram, log });
};

async function listen(server: Server, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-files-'));
  client = connectUnscoped(database.url, { max: 2 });
  pages = createServer((req, res) => {
    const { status = 200, body } = answers.get(req.url ?? '') ?? { status: 404, body: '' };
    res.writeHead(status).end(body);
  });
  pagesAddress = await listen(pages);
  app = await start();
  address = await listen(app.http);
});

afterAll(async () => {
  await app?.close();
  await client?.close();
  await database?.drop();
  pages?.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** The typed client, as a front end makes it. */
const trpc = () => {
  const url = `${address}/trpc`;
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (op) => op.type === 'subscription',
        true: httpSubscriptionLink({ url, EventSource }),
        false: httpLink({ url }),
      }),
    ],
  }).documents;
};

type Fields = Record<string, unknown>;

const create = (fields: Fields = {}) =>
  trpc().create.mutate({ scope: TENANT_UNIT, documentType: 'UnstructuredFile', ...fields });
const get = (documentId: string) => trpc().get.query({ scope: TENANT, documentId });
const rowOf = (id: string) =>
  client.db.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const write = (id: string, fields: Fields) =>
  client.db.updateTable('documents').set(fields).where('id', '=', id).execute();

const error = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (refused) => ({ code: refused.data.code, detail: refused.data.detail }),
  );
const notFound = (loc: unknown[], msg = 'Document not found.') => ({
  code: 'NOT_FOUND',
  detail: [{ type: 'not_found', loc, msg }],
});
const conflict = (loc: unknown[], msg: string) => ({
  code: 'CONFLICT',
  detail: [{ type: 'conflict', loc, msg }],
});

/** What the queue holds of a document. */
async function jobsOf(documentId: string) {
  const { rows } = await client.pool.query(
    'select attempts, lease_owner as "leaseOwner" from processing_jobs where document_id = $1',
    [documentId],
  );
  return rows;
}
const waitingJob = { attempts: 0, leaseOwner: null };

/** Leaves a document and its job as a worker does that is busy with it. */
async function begin(id: string, fields: Fields = {}): Promise<void> {
  await client.pool.query(
    `update processing_jobs set attempts = 1, lease_owner = 'worker', lease_expires_time = now() + interval '1 hour'
     where document_id = $1`,
    [id],
  );
  await write(id, { status: 'processing', stage: 'parsing', processingProgress: 10, attempts: 1, ...fields });
}

/** Leaves a document as a worker does that has finished it. */
async function finish(id: string, fields: Fields = {}): Promise<void> {
  await client.pool.query('delete from processing_jobs where document_id = $1', [id]);
  await write(id, { status: 'ready', stage: null, processingProgress: 100, chunkCount: 3, ...fields });
}

const anew = {
  status: 'created',
  processingProgress: 0,
  stage: null,
  attempts: 0,
  error: null,
  newChunks: 0,
};

describe('chunking', () => {
  const chunking = { size: 400, overlap: 50, separators: ['\n---\n', '§'] };

  test('is kept and given back; where there is none it is null', async () => {
    const usual = await create({ documentContent: 'Text.' });
    expect(usual).toStrictEqual({
      ...TENANT_UNIT,
      ...anew,
      id: UUID,
      externalId: null,
      documentType: 'UnstructuredFile',
      documentSubType: null,
      documentName: null,
      storageType: null,
      storageBucket: null,
      storagePath: null,
      url: null,
      version: 1,
      title: null,
      category: null,
      customProperties: null,
      enabled: true,
      datasetIds: [],
      chunkCount: 0,
      warnings: [],
      chunking: null,
      extraction: 'auto',
      createdTime: TIME,
      updatedTime: TIME,
      createdBy: null,
      updatedBy: null,
      documentContent: 'Text.',
    });
    const wished = await create({ documentContent: 'Text.', chunking });
    expect(wished).toStrictEqual({ ...usual, id: UUID, chunking, createdTime: TIME, updatedTime: TIME });
    expect(await get(wished.id)).toStrictEqual(wished);
    expect(await create({ chunking: { separators: [] } })).toMatchObject({ chunking: null });
  });

  test('that is different has the document processed again, its file kept, and the server not asked for changes', async () => {
    const { id } = await create({ url: 'https://pages.test/a', chunking: { size: 400 } });
    await finish(id);
    await client.db
      .updateTable('documentSources')
      .set({ etag: '"1"', httpLastModified: 'yesterday', fileKey: 'kept' })
      .where('documentId', '=', id)
      .execute();
    const change = (given: Fields) => trpc().update.mutate({ scope: TENANT, documentId: id, ...given });

    expect(await change({ chunking: { size: 400 } })).toMatchObject({ status: 'ready' });
    expect(await jobsOf(id)).toEqual([]);
    expect(await change({ chunking: { size: 500 } })).toMatchObject({
      ...anew,
      chunking: { size: 500 },
      chunkCount: 3,
    });
    expect(await jobsOf(id)).toEqual([waitingJob]);
    expect(await rowOf(id)).toMatchObject({ revision: 2, source: 'url' });
    const source = await client.db
      .selectFrom('documentSources')
      .select(['etag', 'httpLastModified', 'fileKey'])
      .where('documentId', '=', id)
      .executeTakeFirst();
    expect(source).toEqual({ etag: null, httpLastModified: null, fileKey: 'kept' });

    await finish(id);
    expect(await change({ chunking: null })).toMatchObject({ ...anew, chunking: null });
    await finish(id);
    expect(await change({ chunking: {} })).toMatchObject({ status: 'ready', chunking: null });
    expect(await rowOf(id)).toMatchObject({ revision: 3 });
  });

  test('is for upserts as well; left out, it stays', async () => {
    const put = (given: Fields) =>
      trpc().upsert.mutate({ scope: TENANT_UNIT, externalId: 'chunked', documentContent: 'Text.', ...given });
    const { id } = await put({ chunking });
    await finish(id);
    expect(await put({})).toMatchObject({ status: 'ready', chunking });
    expect(await put({ chunking: { ...chunking, overlap: 0 } })).toMatchObject({
      status: 'created',
      chunking: { ...chunking, overlap: 0 },
    });
  });

  test('of a document without a source waits with it', async () => {
    const { id } = await create();
    const changed = await trpc().update.mutate({ scope: TENANT, documentId: id, chunking });
    expect(changed).toMatchObject({ ...anew, chunking });
    expect(await jobsOf(id)).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ revision: 1 });
  });

  test.each([
    ['a small size', { size: 99 }, ['chunking', 'size']],
    ['a large size', { size: 8001 }, ['chunking', 'size']],
    ['half a character', { size: 100.5 }, ['chunking', 'size']],
    ['more than half the size', { size: 400, overlap: 201 }, ['chunking', 'overlap']],
    ['more than half the usual size', { overlap: 501 }, ['chunking', 'overlap']],
    ['less than nothing', { overlap: -1 }, ['chunking', 'overlap']],
    ['an empty separator', { separators: [''] }, ['chunking', 'separators', 0]],
    ['a long separator', { separators: ['x'.repeat(101)] }, ['chunking', 'separators', 0]],
    ['many separators', { separators: Array.from({ length: 21 }, String) }, ['chunking', 'separators']],
  ])('refuses %s', async (_, wrong, loc) => {
    expect(await error(create({ chunking: wrong }))).toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
      detail: [{ loc }],
    });
  });

  test('is nothing that REST knows', async () => {
    const answer = await fetch(`${address}/admin/api/v1/documents?tenantId=${TENANT_UNIT.tenantId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...TENANT_UNIT, documentType: 'UnstructuredFile', chunking }),
    });
    const document = (await answer.json()) as { id: string };
    expect(document).toStrictEqual({
      id: UUID,
      ...TENANT_UNIT,
      documentType: 'UnstructuredFile',
      createdTime: TIME,
      updatedTime: TIME,
      status: 'created',
      processingProgress: 0,
      enabled: true,
    });
    expect(await get(document.id)).toMatchObject({ chunking: null });
  });
});

describe('reprocess', () => {
  const reprocess = (documentId: string, unconditional?: boolean) =>
    trpc().reprocess.mutate({
      scope: TENANT,
      documentId,
      ...(unconditional !== undefined && { unconditional }),
    });
  const versionOf = (id: string) =>
    client.db
      .selectFrom('documentSources')
      .select(['etag', 'httpLastModified'])
      .where('documentId', '=', id)
      .executeTakeFirst();

  test('begins anew, whether it went well or not; the old chunks stay until then', async () => {
    const { id, documentContent: _, ...created } = await create({ documentContent: 'Text.' });
    await finish(id, { attempts: 2, newChunks: 3 });
    expect(await reprocess(id)).toStrictEqual({
      ...created,
      id,
      chunkCount: 3,
      updatedTime: TIME,
      version: 2,
    });
    expect(await jobsOf(id)).toEqual([waitingJob]);
    expect(await rowOf(id)).toMatchObject({ revision: 2 });

    const failure = { code: 'scanned', stage: 'parsing', message: 'Only pictures.', retryable: false };
    await finish(id, { status: 'failed', attempts: 5, error: JSON.stringify(failure) });
    expect(await reprocess(id)).toMatchObject({ ...anew, chunkCount: 3 });
    expect(await jobsOf(id)).toEqual([waitingJob]);
    expect(await rowOf(id)).toMatchObject({ revision: 3 });
  });

  test('starts over what is being processed: the worker that is busy with it comes too late', async () => {
    const { id } = await create({ documentContent: 'Text.' });
    await begin(id);
    expect(await reprocess(id)).toMatchObject(anew);
    expect(await jobsOf(id)).toEqual([waitingJob]);
    expect(await rowOf(id)).toMatchObject({ revision: 2 });
  });

  test('of what waits makes no second job', async () => {
    const { id } = await create({ documentContent: 'Text.' });
    await reprocess(id);
    expect(await jobsOf(id)).toEqual([waitingJob]);
  });

  test('asks the server whether the page has changed, unless it is unconditional', async () => {
    const { id } = await create({ url: 'https://pages.test/b' });
    const version = { etag: '"1"', httpLastModified: 'yesterday' };
    await client.db.updateTable('documentSources').set(version).where('documentId', '=', id).execute();
    await reprocess(id);
    expect(await versionOf(id)).toEqual(version);
    await reprocess(id, true);
    expect(await versionOf(id)).toEqual({ etag: null, httpLastModified: null });
  });

  test('of a document without a source is refused in words', async () => {
    const { id } = await create();
    const message = 'This document has no source to process; give it content, a file or a URL first.';
    expect(await error(reprocess(id))).toEqual(conflict(['documentId'], message));
    expect(await error(reprocess('absent'))).toEqual(notFound(['documentId']));
    const many = trpc().reprocessMany.mutate({ scope: TENANT, documentIds: [id] });
    expect(await error(many)).toEqual(conflict(['documentIds', 0], message));
  });

  test('of many is for all or none', async () => {
    const ids = [];
    for (const documentContent of ['One.', 'Two.', 'Three.'])
      ids.push((await create({ documentContent })).id);
    for (const id of ids) await finish(id);
    const reprocessMany = (documentIds: string[]) =>
      trpc().reprocessMany.mutate({ scope: TENANT, documentIds, unconditional: true });

    const refused = notFound(['documentIds', 2], 'Document absent not found.');
    expect(await error(reprocessMany([...ids.slice(0, 2), 'absent']))).toEqual(refused);
    for (const id of ids) expect(await rowOf(id)).toMatchObject({ status: 'ready', revision: 1 });

    await reprocessMany([...ids.toReversed(), ...ids]);
    for (const id of ids) {
      expect(await rowOf(id)).toMatchObject({ ...anew, revision: 2 });
      expect(await jobsOf(id)).toEqual([waitingJob]);
    }
    await reprocessMany([]);
    expect(await error(reprocessMany(Array.from({ length: 101 }, String)))).toMatchObject({
      detail: [{ type: 'value_error.too_big', loc: ['documentIds'], msg: 'must be at most 100' }],
    });
  });
});

test('a job whose document is changed while it is claimed is tried again', async () => {
  const { id: documentId } = await create({ documentContent: 'A text.' });
  await finish(documentId);
  const guarded = connectDatabase(database.url, { max: 2 });
  const processDocument = createProcessDocument({ db: guarded.db } as never);
  let attempt: Promise<unknown> | undefined;
  await client.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('documents')
      .set({ status: 'created' })
      .where('tenantId', '=', TENANT_UNIT.tenantId)
      .where('id', '=', documentId)
      .execute();
    const options = { lane: 'large' as const, outages: 0, isLastAttempt: false, isHeld: async () => true };
    attempt = processDocument({ tenantId: TENANT_UNIT.tenantId, documentId }, options);
    attempt.catch(() => {});
    await waitFor(async () => (await blockedStatements(client.db)).length === 1, {
      what: 'the claim to wait',
    });
  });
  await expect(attempt).rejects.toThrow('The document of a job has changed at this moment.');
  await guarded.close();
});

describe('cancel', () => {
  const cancel = (documentId: string) => trpc().cancel.mutate({ scope: TENANT, documentId });
  const cancelled = (stage: string) => ({
    code: 'cancelled',
    stage,
    message: 'Processing was cancelled; have the document processed again when you want its chunks.',
    retryable: true,
  });

  test('takes a waiting document out of the queue, once and for all', async () => {
    const { documentContent: _, ...created } = await create({ documentContent: 'Text.' });
    const stopped = await cancel(created.id);
    expect(stopped).toStrictEqual({
      ...created,
      status: 'failed',
      error: cancelled('waiting'),
      updatedTime: TIME,
      version: 2,
    });
    expect(await jobsOf(created.id)).toEqual([]);
    expect(await cancel(created.id)).toStrictEqual(stopped);
    expect(await rowOf(created.id)).toMatchObject({ revision: 2 });

    const again = await trpc().reprocess.mutate({ scope: TENANT, documentId: created.id });
    expect(again).toStrictEqual({ ...created, updatedTime: TIME, version: 3 });
    expect(await jobsOf(created.id)).toEqual([waitingJob]);
  });

  test('stops what is being processed; what was there before serves on', async () => {
    const { id } = await create({ documentContent: 'Text.' });
    await begin(id, { newChunks: 7, chunkCount: 4 });
    expect(await cancel(id)).toMatchObject({
      status: 'failed',
      stage: null,
      newChunks: 0,
      chunkCount: 4,
      error: cancelled('parsing'),
    });
    expect(await jobsOf(id)).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ revision: 2 });
  });

  test('of what has ended, or never began, is refused in words', async () => {
    const refused = conflict(
      ['documentId'],
      'This document is not being processed, so there is nothing to cancel.',
    );
    const ended = await create({ documentContent: 'Text.' });
    await finish(ended.id);
    expect(await error(cancel(ended.id))).toEqual(refused);
    const failure = { code: 'scanned', stage: 'parsing', message: 'Only pictures.', retryable: false };
    await write(ended.id, { status: 'failed', error: JSON.stringify(failure) });
    expect(await error(cancel(ended.id))).toEqual(refused);
    expect(await error(cancel((await create()).id))).toEqual(refused);
    expect(await error(cancel('absent'))).toEqual(notFound(['documentId']));
  });
});

describe('delete', () => {
  test('takes documents out of the queue, also one that a worker is busy with', async () => {
    const text = { documentContent: 'Text.' };
    const [waiting, busy, left] = [await create(text), await create(text), await create(text)];
    await begin(busy.id);
    await trpc().delete.mutate({ scope: TENANT, documentId: waiting.id });
    await trpc().deleteMany.mutate({ scope: TENANT, documentIds: [busy.id] });
    const jobs = [waiting, busy, left].map(({ id }) => jobsOf(id));
    expect(await Promise.all(jobs)).toEqual([[], [], [waitingJob]]);
  });
});

describe('createMany', () => {
  const createMany = (fields: Fields) => trpc().createMany.mutate({ scope: TENANT_UNIT, ...fields });
  const urlsOf = (result: { created: { url?: string | undefined }[] }) =>
    result.created.map(({ url }) => url);

  test('registers pages once, and says what it leaves out', async () => {
    const taken = 'https://Pages.test/taken#as-written';
    await create({ url: taken });
    await create({ url: 'https://pages.test/elsewhere', scope: { ...TENANT_UNIT, tenantUnitId: 'other' } });
    const chunking = { size: 300 };
    const result = await createMany({
      datasetIds: ['web', 'faq'],
      chunking,
      customProperties: { batch: 7 },
      urls: [
        'https://pages.test/one#top',
        ' https://PAGES.test:443/one ',
        taken,
        'https://pages.test/elsewhere',
        'ftp://pages.test/two',
        'two',
        'https://pages.test',
      ],
    });
    expect(result).toStrictEqual({
      created: [
        { id: UUID, url: 'https://pages.test/one' },
        { id: UUID, url: 'https://pages.test/elsewhere' },
        { id: UUID, url: 'https://pages.test/' },
      ],
      skipped: [
        { url: ' https://PAGES.test:443/one ', reason: 'duplicate' },
        { url: 'ftp://pages.test/two', reason: 'invalid' },
        { url: 'two', reason: 'invalid' },
        { url: taken, reason: 'exists' },
      ],
      truncated: false,
    });
    const [first] = result.created as [{ id: string }];
    expect(await get(first.id)).toMatchObject({
      ...anew,
      ...TENANT_UNIT,
      documentType: 'UnstructuredWebpage',
      url: 'https://pages.test/one',
      datasetIds: ['faq', 'web'],
      chunking,
      customProperties: { batch: 7 },
      documentContent: null,
    });
    expect(await rowOf(first.id)).toMatchObject({ source: 'url' });
    for (const { id } of result.created) expect(await jobsOf(id)).toEqual([waitingJob]);

    const again = await createMany({ urls: ['https://pages.test/one'] });
    expect(again).toStrictEqual({
      created: [],
      skipped: [{ url: 'https://pages.test/one', reason: 'exists' }],
      truncated: false,
    });
  });

  test('at the same time registers each page once', async () => {
    const urls = Array.from({ length: 20 }, (_, i) => `https://pages.test/at-once/${i}`);
    const results = await Promise.all(Array.from({ length: 5 }, () => createMany({ urls })));
    expect(results.flatMap(urlsOf).sort()).toEqual(urls.toSorted());
  });

  test('takes descriptions of documents, with defaults for all', async () => {
    const { created } = await createMany({
      documentType: 'UnstructuredFile',
      datasetIds: ['set'],
      chunking: { size: 300 },
      documents: [
        { id: 'described', documentName: 'a.md', documentContent: '# A', chunking: { size: 200 } },
        { documentType: 'StructuredFile', storageBucket: 'files', storagePath: 'b.pdf', enabled: false },
        { documentContent: '' },
      ],
    });
    expect(created).toStrictEqual([{ id: 'described' }, { id: UUID }, { id: UUID }]);
    const [one, two, three] = await Promise.all(created.map(({ id }) => get(id)));
    expect(one).toMatchObject({
      documentType: 'UnstructuredFile',
      documentName: 'a.md',
      documentContent: '# A',
      chunking: { size: 200 },
      datasetIds: ['set'],
    });
    expect(two).toMatchObject({
      documentType: 'StructuredFile',
      storageType: 's3',
      storageBucket: 'files',
      storagePath: 'b.pdf',
      enabled: false,
      chunking: { size: 300 },
    });
    expect(three).toMatchObject({ ...anew, documentContent: null });
    const jobs = await Promise.all(created.map(({ id }) => jobsOf(id)));
    expect(jobs.map(({ length }) => length)).toEqual([1, 1, 0]);
  });

  test('is for all or none where an id is taken, also twice in the same call', async () => {
    await create({ id: 'taken' });
    const message = 'A document with this id already exists.';
    const attempt = (...ids: string[]) => error(createMany({ documents: ids.map((id) => ({ id })) }));
    expect(await attempt('free', 'taken')).toEqual(conflict(['documents', 1, 'id'], message));
    expect(await attempt('free', 'other', 'free')).toEqual(conflict(['documents', 2, 'id'], message));
    expect(await error(get('free'))).toEqual(notFound(['documentId']));
  });

  test.each([
    ['nothing', {}, []],
    ['two lists', { urls: [], documents: [] }, []],
    ['too many URLs', { urls: Array.from({ length: 10_001 }, String) }, ['urls']],
    ['too many documents', { documents: Array.from({ length: 1_001 }, () => ({})) }, ['documents']],
    ['too many datasets', { urls: [], datasetIds: Array.from({ length: 21 }, String) }, ['datasetIds']],
    ['half a location', { documents: [{ storageBucket: 'files' }] }, ['documents', 0, 'storagePath']],
    ['a wrong URL in a description', { documents: [{ url: 'ftp://a' }] }, ['documents', 0, 'url']],
    ['a wrong sitemap', { sitemap: 'sitemap.xml' }, ['sitemap']],
  ])('refuses %s', async (_, fields, loc) => {
    expect(await error(createMany(fields))).toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
      detail: [{ loc }],
    });
  });

  test('reads the pages of a sitemap', async () => {
    answers.set('/sitemap.xml', {
      body: `<urlset><url><loc>https://pages.test/map/a?x=1&amp;y=2</loc></url>
        <url><loc>https://pages.test/map/b</loc></url><url><loc>mailto:nobody</loc></url></urlset>`,
    });
    const result = await createMany({ sitemap: `${pagesAddress}/sitemap.xml` });
    expect(result).toStrictEqual({
      created: [
        { id: UUID, url: 'https://pages.test/map/a?x=1&y=2' },
        { id: UUID, url: 'https://pages.test/map/b' },
      ],
      skipped: [{ url: 'mailto:nobody', reason: 'invalid' }],
      truncated: false,
    });
  });

  test('says why a sitemap cannot be read', async () => {
    const attempt = (sitemap: string) => error(createMany({ sitemap }));
    answers.set('/page.html', { body: '<!doctype html><html><body>Hello</body></html>' });
    answers.set('/down', { status: 503, body: '' });
    expect(await attempt(`${pagesAddress}/page.html`)).toEqual({
      code: 'UNPROCESSABLE_CONTENT',
      detail: [
        {
          type: 'value_error',
          loc: ['sitemap'],
          msg: `The file ${pagesAddress}/page.html is neither a sitemap nor a feed nor a list of URLs.`,
        },
      ],
    });
    expect(await attempt(`${pagesAddress}/absent`)).toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
      detail: [{ loc: ['sitemap'], msg: expect.stringContaining('404') }],
    });
    expect(await attempt(`${pagesAddress}/down`)).toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
      detail: [
        {
          type: 'value_error.sitemap_unavailable',
          loc: ['sitemap'],
          msg: expect.stringContaining('503'),
        },
      ],
    });
    expect(await attempt('http://10.0.0.1/sitemap.xml')).toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
      detail: [{ loc: ['sitemap'] }],
    });
  });
});

describe('list', () => {
  test('can be of some statuses only', async () => {
    const scope = { tenantId: 'statuses', tenantUnitId: 'unit' };
    const ids: Record<string, string> = {};
    for (const status of ['created', 'processing', 'ready', 'failed']) {
      ids[status] = (await create({ scope })).id;
      await write(ids[status], { status });
    }
    const listed = async (statuses?: string[]) => {
      const page = await trpc().list.query({ scope, ...(statuses && { statuses }) });
      expect(page.totalCount).toBe(page.items.length);
      return page.items.map(({ id }) => id);
    };
    expect(await listed()).toHaveLength(4);
    expect(await listed(['failed'])).toEqual([ids.failed]);
    expect(await listed(['ready', 'created', 'unheard-of'])).toEqual([ids.ready, ids.created]);
    expect(await listed([])).toEqual([]);
  });
});

describe('progress', () => {
  /** Watches documents; `next` waits for another event, `over` for the end. */
  function watch(documentIds: string[]) {
    const events: unknown[] = [];
    const waiting: (() => void)[] = [];
    let state: 'open' | 'over' | Error = 'open';
    let starts = 0;
    const wake = () => {
      for (const one of waiting.splice(0)) one();
    };
    const subscription = trpc().progress.subscribe(
      { scope: TENANT, documentIds },
      {
        onStarted: () => void starts++,
        onData: (event) => void wakeAfter(() => events.push(event)),
        onComplete: () => void wakeAfter(() => (state = 'over')),
        onError: (refused) => void wakeAfter(() => (state = refused)),
      },
    );
    function wakeAfter(act: () => unknown) {
      act();
      wake();
    }
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await new Promise<void>((resolve) => waiting.push(resolve));
      if (state instanceof Error) throw state;
    };
    return {
      subscription,
      starts: () => starts,
      async next() {
        await until(() => events.length > 0 || state !== 'open');
        return events.shift();
      },
      async over() {
        await until(() => state !== 'open');
        return events.splice(0);
      },
    };
  }

  const fresh = (documentId: string) => ({ documentId, ...anew, chunkCount: 0, warnings: [] });

  test('tells the present, then each change, and ends with the last of them', async () => {
    const [a, b] = [await create({ documentContent: 'A.' }), await create({ documentContent: 'B.' })];
    const watched = watch([a.id, b.id, 'absent', a.id]);
    expect(await watched.next()).toStrictEqual(fresh(a.id));
    expect(await watched.next()).toStrictEqual(fresh(b.id));
    expect(await watched.next()).toStrictEqual({ documentId: 'absent', status: 'deleted' });

    await begin(a.id, { newChunks: 5 });
    const busy = {
      ...fresh(a.id),
      status: 'processing',
      stage: 'parsing',
      processingProgress: 10,
      attempts: 1,
    };
    expect(await watched.next()).toStrictEqual({ ...busy, newChunks: 5 });
    await trpc().delete.mutate({ scope: TENANT, documentId: b.id });
    expect(await watched.next()).toStrictEqual({ documentId: b.id, status: 'deleted' });
    const failure = { code: 'scanned', stage: 'parsing', message: 'Only pictures.', retryable: false };
    await finish(a.id, { status: 'failed', processingProgress: 10, error: JSON.stringify(failure) });
    const ended = { ...busy, status: 'failed', stage: null, chunkCount: 3, newChunks: 5, error: failure };
    expect(await watched.over()).toStrictEqual([ended]);
    expect(watched.starts()).toBe(1);
  });

  test('of what has ended, is not there or belongs to others ends at once', async () => {
    const ended = await create({ documentContent: 'Text.' });
    await finish(ended.id);
    const sourceless = await create();
    const foreign = await create({ scope: { ...TENANT_UNIT, tenantId: 'rival' }, documentContent: 'Text.' });
    expect(await watch([ended.id, sourceless.id, foreign.id, 'absent']).over()).toStrictEqual([
      { ...fresh(ended.id), status: 'ready', processingProgress: 100, chunkCount: 3 },
      fresh(sourceless.id),
      { documentId: foreign.id, status: 'deleted' },
      { documentId: 'absent', status: 'deleted' },
    ]);
    expect(await watch([]).over()).toEqual([]);
  });

  test('of too many documents is refused', async () => {
    const refused = watch(Array.from({ length: 101 }, String));
    await expect(refused.over()).rejects.toMatchObject({
      data: { detail: [{ type: 'value_error.too_big', loc: ['documentIds'], msg: 'must be at most 100' }] },
    });
  });

  test('is neither compressed nor kept back on the way', async () => {
    const { id } = await create({ documentContent: 'Text.' });
    const url = new URL('/trpc/documents.progress', address);
    url.searchParams.set('input', JSON.stringify({ scope: TENANT, documentIds: [id] }));
    const leave = new AbortController();
    const answer = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: leave.signal });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(answer.headers.has('content-encoding')).toBe(false);
    // The document still waits, and yet its state arrives.
    let text = '';
    for await (const part of answer.body as AsyncIterable<Uint8Array>) {
      text += Buffer.from(part).toString();
      if (text.includes(JSON.stringify(fresh(id).documentId))) break;
    }
    leave.abort();
  });

  test('goes on when the database was away', async () => {
    const { id } = await create({ documentContent: 'Text.' });
    const watched = watch([id]);
    expect(await watched.next()).toStrictEqual(fresh(id));
    await client.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await finish(id);
    const ended = { ...fresh(id), status: 'ready', processingProgress: 100, chunkCount: 3 };
    expect(await watched.over()).toStrictEqual([ended]);
    expect(watched.starts()).toBe(1);
  });

  // The last: it ends the service, and starts it again.
  test('does not hold up the end of the service, and is taken up by the next', async () => {
    const { id } = await create({ documentContent: 'Text.' });
    const watched = watch([id]);
    expect(await watched.next()).toStrictEqual(fresh(id));
    const { port } = new URL(address);
    const cutOff = vi.spyOn(app.http, 'closeAllConnections');
    await app.close();
    expect(cutOff).not.toHaveBeenCalled();

    app = await start();
    await listen(app.http, Number(port));
    expect(await watched.next()).toStrictEqual(fresh(id));
    await finish(id);
    const ended = { ...fresh(id), status: 'ready', processingProgress: 100, chunkCount: 3 };
    expect(await watched.over()).toStrictEqual([ended]);
    expect(watched.starts()).toBe(2);
  });
});
