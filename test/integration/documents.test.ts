import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { v7 as uuid } from 'uuid';
import { afterAll, describe, expect, test } from 'vitest';
import { documentTypes } from '../../db/enums.js';
import { sweepFiles } from '../../src/services/files/sweep-files.js';
import { createLocalDisk } from '../../src/storage/local-disk.js';
import { useApp } from '../support/app.js';
import { drain } from '../support/drain.js';
import { startGcsServer } from '../support/gcs-server.js';
import { startS3Server } from '../support/s3-server.js';
import {
  createRestClient,
  DOCUMENTS,
  externalPath,
  TENANT,
  TENANT_UNIT,
  TIME,
  UUID,
} from './support/rest-client.js';

/** Nothing answers there, and it is refused before anything is sent. */
const PRIVATE_URL = 'http://127.0.0.1:9/page';

type Item = { id: string; content: string };

// Without a bucket: what is sought there is not there, and is said so at once.
const s3 = await startS3Server();
const gcs = await startGcsServer();
const app = useApp({ s3Endpoint: s3.endpoint });
afterAll(async () => {
  await s3.stop();
  await gcs.stop();
});
const { call, createDocument, getDocument, listChunks, patchDocument, search, upload, upsert } =
  createRestClient(app);

const scope = { tenantId: TENANT_UNIT.tenantId };
const inDetail = (documentId: string) => app.trpc().documents.get.query({ scope, documentId });
const missing = { detail: [{ type: 'not_found', loc: ['path', 'documentId'], msg: 'Document not found.' }] };

/** Creates a document and waits until it is processed. */
async function createReady(fields: object, datasetIds?: string[]) {
  const { id } = await createDocument({ ...fields }, datasetIds);
  await app.settle();
  return getDocument(id);
}

/** The files that storage holds. */
async function storedFiles(): Promise<string[]> {
  const names = await readdir(path.join(app.dataDir, 'files'), { recursive: true }).catch(() => []);
  const stats = await Promise.all(names.map((name) => stat(path.join(app.dataDir, 'files', name))));
  return names.filter((_, i) => stats[i]?.isFile()).map((name) => path.basename(name));
}

const byExternalId = async (externalId: string, place = TENANT_UNIT) =>
  app.db
    .selectFrom('documents')
    .selectAll()
    .where('externalId', '=', externalId)
    .where('tenantId', '=', place.tenantId)
    .where('tenantUnitId', '=', place.tenantUnitId)
    .execute();
const oneByExternalId = async (externalId: string) => {
  const rows = await byExternalId(externalId);
  expect(rows).toHaveLength(1);
  return rows[0] as (typeof rows)[number];
};
const revisionOf = async (id: string) =>
  (await app.db.selectFrom('documents').select('revision').where('id', '=', id).executeTakeFirstOrThrow())
    .revision;
const datasetsOf = async (id: string) => (await inDetail(id)).datasetIds;

describe('create', () => {
  const bare = {
    id: UUID,
    ...TENANT_UNIT,
    documentType: 'UnstructuredFile',
    status: 'created',
    processingProgress: 0,
    enabled: true,
    createdTime: TIME,
    updatedTime: TIME,
  };

  test('without a source registers a document that waits for one', async () => {
    const created = await createDocument();
    expect(created).toStrictEqual(bare);
    await app.settle();
    expect(await getDocument(created.id)).toStrictEqual(created);
    expect(await listChunks(created.id)).toEqual([]);
  });

  test('with inline content gives back all of its fields', async () => {
    const fields = {
      documentType: 'StructuredWebpage',
      documentName: 'handbook.md',
      documentContent: '# Rules\n\nBe kind. 请友善。',
      title: 'Handbook',
      category: 'internal',
      enabled: false,
      customProperties: { owner_name: { camelCase: [1, null, 'zwei'] } },
    };
    const created = await createDocument(fields);
    expect(created).toStrictEqual({ ...bare, ...fields });
    await app.settle();
    expect(await getDocument(created.id)).toStrictEqual({
      ...created,
      documentSubType: 'md',
      status: 'ready',
      processingProgress: 100,
    });
  });

  test('with a bucket and a path is for S3 unless it says otherwise', async () => {
    const location = { storageBucket: 'files', storagePath: 'a/b.pdf' };
    expect(await createDocument(location)).toStrictEqual({ ...bare, ...location, storageType: 's3' });
    const { id, ...created } = await createDocument({ ...location, storageType: 'gcs' });
    expect({ id, ...created }).toStrictEqual({ ...bare, ...location, storageType: 'gcs' });
    await app.settle();
    expect(await inDetail(id)).toMatchObject({
      status: 'failed',
      error: {
        code: 'not_found',
        stage: 'fetching',
        message: expect.stringMatching(/Google/),
        retryable: false,
      },
    });
  });

  test('with a URL fetches it, and says why it could not', async () => {
    const created = await createDocument({ url: PRIVATE_URL });
    expect(created).toStrictEqual({ ...bare, url: PRIVATE_URL });
    await app.settle();
    expect(await inDetail(created.id)).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: { code: 'blocked_address', stage: 'fetching', retryable: false, message: expect.any(String) },
    });
  });

  test('takes the content first where a location is given as well', async () => {
    const location = { url: PRIVATE_URL, storageBucket: 'files', storagePath: 'p' };
    const document = await createReady({ ...location, documentContent: 'All the same.' });
    expect(document).toMatchObject({ ...location, status: 'ready', documentContent: 'All the same.' });
  });

  test('takes the storage location before the URL', async () => {
    const { id } = await createReady({ url: PRIVATE_URL, storageBucket: 'files', storagePath: 'p' });
    const message = expect.stringMatching(/S3/);
    expect(await inDetail(id)).toMatchObject({ error: { code: 'not_found', message } });
  });

  test('with empty content is as without', async () => {
    const created = await createDocument({ documentContent: '' });
    expect(created).toStrictEqual(bare);
    await app.settle();
    expect(await getDocument(created.id)).toStrictEqual(created);
  });

  test.each([
    ['a bucket without a path', { storageBucket: 'files' }, 'storagePath'],
    ['a path without a bucket', { storagePath: 'a/b.pdf' }, 'storageBucket'],
    ['another kind of storage', { storageType: 'ftp' }, 'storageType'],
    ['another protocol', { url: 'ftp://pages.test/a' }, 'url'],
    ['a script', { url: 'javascript:alert(1)' }, 'url'],
    ['no URL', { url: 'example' }, 'url'],
    ['another type', { documentType: 'Spreadsheet' }, 'documentType'],
    ['an empty id', { id: '' }, 'id'],
    ['an array of properties', { customProperties: [] }, 'customProperties'],
    ['a switch in words', { enabled: 'false' }, 'enabled'],
  ])('refuses %s', async (_, fields, field) => {
    const answer = await call(422, 'POST', DOCUMENTS, {
      query: TENANT,
      body: { ...TENANT_UNIT, documentType: 'UnstructuredFile', ...fields },
    });
    expect(answer).toStrictEqual({
      detail: [{ type: expect.any(String), loc: ['body', field], msg: expect.any(String) }],
    });
  });

  test('refuses an id that is taken, in the same tenant only', async () => {
    const id = `doc/${uuid()} ü`;
    const mine = await createDocument({ id, documentName: 'mine' });
    expect(mine).toMatchObject({ id });
    const body = { ...TENANT_UNIT, documentType: 'UnstructuredFile', id, documentName: 'other' };
    expect(await call(409, 'POST', DOCUMENTS, { query: TENANT, body })).toStrictEqual({
      detail: [{ type: 'conflict', loc: ['body', 'id'], msg: 'A document with this id already exists.' }],
    });
    const elsewhere = await createDocument({ id, tenantId: 'globex', documentName: 'theirs' });
    expect(elsewhere).toMatchObject({ id, tenantId: 'globex' });
    expect(await getDocument(id)).toStrictEqual(mine);
    expect(await getDocument(id, 'globex')).toStrictEqual(elsewhere);
    await call(204, 'DELETE', `${DOCUMENTS}/${encodeURIComponent(id)}`, { query: { tenantId: 'globex' } });
    expect(await getDocument(id)).toStrictEqual(mine);
  });

  test('tells through tRPC the datasets as they are kept', async () => {
    const created = await app.trpc().documents.create.mutate({
      scope: TENANT_UNIT,
      documentType: 'UnstructuredFile',
      datasetIds: ['b', 'a', 'b'],
    });
    expect(created.datasetIds).toEqual(['a', 'b']);
    expect(created).toEqual(await inDetail(created.id));
  });
});

describe('upload', () => {
  test('names the document after its file and keeps the bytes', async () => {
    const before = await storedFiles();
    const created = await upload('Ein Handbuch.', 'Handbuch 手册.txt', {
      datasetIds: '["up"]',
      customProperties: '{"a":1}',
      category: 'c',
    });
    expect(created).toStrictEqual({
      id: UUID,
      ...TENANT_UNIT,
      documentType: 'UnstructuredFile',
      documentName: 'Handbuch 手册.txt',
      category: 'c',
      customProperties: { a: 1 },
      status: 'created',
      processingProgress: 0,
      enabled: true,
      createdTime: TIME,
      updatedTime: TIME,
    });
    await app.settle();
    expect(await getDocument(created.id)).toMatchObject({ status: 'ready', documentSubType: 'txt' });
    expect(await datasetsOf(created.id)).toEqual(['up']);
    expect(await storedFiles()).toHaveLength(before.length + 1);
  });

  test('is released from storage when its document is deleted', async () => {
    const before = await storedFiles();
    const { id } = await upload('short-lived', 'a.txt');
    expect(await storedFiles()).toHaveLength(before.length + 1);
    await call(204, 'DELETE', `${DOCUMENTS}/${id}`, { query: TENANT });
    expect(await storedFiles()).toEqual(before);
    await app.settle();
  });

  test('is released when other content takes its place', async () => {
    const before = await storedFiles();
    const { id } = await upload('first', 'a.txt');
    await app.settle();
    await patchDocument(id, { documentContent: 'second' });
    expect(await storedFiles()).toEqual(before);
    await app.settle();
    expect((await listChunks(id)).map(({ content }: Item) => content)).toEqual(['second']);
  });

  test('stays when content that was never there is emptied', async () => {
    const { id } = await upload('the only copy', 'a.txt');
    await app.settle();
    const before = await storedFiles();
    expect(await patchDocument(id, { documentContent: '' })).toMatchObject({ status: 'ready' });
    expect(await storedFiles()).toEqual(before);
    expect(await listChunks(id)).toMatchObject([{ content: 'the only copy' }]);
  });

  test('leaves no file behind when the form is refused', async () => {
    const before = await storedFiles();
    const body = new FormData();
    for (const [name, value] of Object.entries({
      ...TENANT_UNIT,
      documentType: 'Nonsense',
      datasetIds: 'x',
    })) {
      body.set(name, value);
    }
    body.set('file', new File(['x'], 'x.txt'));
    await call(422, 'POST', `${DOCUMENTS}/upload`, { body });
    expect(await storedFiles()).toEqual(before);
  });
});

describe('files through tRPC', () => {
  const upload = (text: string) => app.trpc().files.upload.mutate(new Blob([text]));

  test('are received first and then claimed by a document, once', async () => {
    const file = await upload('Claimed.');
    const sha256 = createHash('sha256').update('Claimed.').digest('hex');
    expect(file).toEqual({ fileId: UUID, sizeBytes: 8, sha256 });
    const claim = (fileId: string) =>
      app.trpc().documents.create.mutate({
        scope: TENANT_UNIT,
        documentType: 'UnstructuredFile',
        file: { fileId, fileName: 'claimed.txt', mediaType: 'text/plain' },
      });
    const created = await claim(file.fileId);
    expect(created).toMatchObject({ documentName: 'claimed.txt', status: 'created' });
    await app.settle();
    expect(await listChunks(created.id)).toMatchObject([{ content: 'Claimed.' }]);
    for (const fileId of [file.fileId, uuid()]) {
      await expect(claim(fileId)).rejects.toMatchObject({
        data: {
          httpStatus: 422,
          detail: [{ type: 'value_error.unknown_file', loc: ['file', 'fileId'] }],
        },
      });
    }
  });

  test('two documents that claim one file at once: one gets it', async () => {
    const { fileId } = await upload('Wanted.');
    const claims = await Promise.allSettled(
      ['a', 'b'].map((id) =>
        app.trpc().documents.create.mutate({
          scope: TENANT_UNIT,
          id: `${id}-${fileId}`,
          documentType: 'UnstructuredFile',
          file: { fileId },
        }),
      ),
    );
    expect(claims.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { data } = await call(200, 'GET', DOCUMENTS, { query: { ...TENANT, pageSize: 100 } });
    expect(data.filter(({ id }: Item) => id.endsWith(fileId))).toHaveLength(1);
    await app.settle();
  });

  test('are discarded on request, also twice', async () => {
    const before = await storedFiles();
    const { fileId } = await upload('Unwanted.');
    await app.trpc().files.discard.mutate({ fileId });
    await app.trpc().files.discard.mutate({ fileId });
    expect(await storedFiles()).toEqual(before);
  });

  test('that nobody claims are swept after a day; claimed ones stay', async () => {
    const late = await upload('Late.');
    const early = await upload('Early.');
    const claimed = await upload('Claimed.');
    await app.trpc().documents.create.mutate({
      scope: TENANT_UNIT,
      documentType: 'UnstructuredFile',
      file: { fileId: claimed.fileId },
    });
    await app.settle();
    const before = await storedFiles();
    const hours = (n: number) => new Date(Date.now() + n * 3_600_000);
    await app.db
      .updateTable('uploads')
      .set({ createdTime: hours(10) })
      .where('id', '=', late.fileId)
      .execute();
    const sweepAt = (clock: () => Date) =>
      drain(sweepFiles({ db: app.db, storage: createLocalDisk(path.join(app.dataDir, 'files')), clock }));

    await sweepAt(() => hours(23));
    expect(await storedFiles()).toEqual(before);
    await sweepAt(() => hours(25));
    expect(await storedFiles()).toHaveLength(before.length - 1);
    const left = await app.db.selectFrom('uploads').select('id').execute();
    expect(left.map(({ id }) => id)).toContain(late.fileId);
    expect(left.map(({ id }) => id)).not.toContain(early.fileId);
  });
});

describe('reading', () => {
  const tenantId = 'reader';
  const query = { tenantId };
  const listIds = async (more: object = {}) =>
    (await call(200, 'GET', DOCUMENTS, { query: { ...query, pageSize: 100, ...more } })).data.map(
      ({ id }: Item) => id,
    );

  test('lists are newest first, paged, filtered, and without content', async () => {
    expect(await call(200, 'GET', DOCUMENTS, { query })).toStrictEqual({
      data: [],
      pagination: { totalCount: 0, currentPage: 1, pageSize: 10, totalPages: 0 },
    });
    const documents = [];
    for (let i = 0; i < 23; i++) {
      const tenantUnitId = i % 2 ? 'odd' : 'even';
      const fields = {
        tenantId,
        tenantUnitId,
        documentType: documentTypes[i % 4],
        documentContent: `Text ${i}`,
      };
      documents.push(await createDocument(fields, i % 3 ? [`set-${i % 3}`] : []));
    }
    await app.settle();
    // Equal times must not shuffle pages.
    await app.db
      .updateTable('documents')
      .set({ createdTime: new Date('2026-01-01') })
      .where('tenantId', '=', tenantId)
      .execute();
    const ids = documents.map(({ id }) => id);
    const newest = ids.toSorted().toReversed();

    const pages = [];
    for (let page = 1; page <= 4; page++) {
      pages.push(await call(200, 'GET', DOCUMENTS, { query: { ...query, page } }));
    }
    expect(pages.flatMap(({ data }) => data.map(({ id }: Item) => id))).toEqual(newest);
    expect(pages.map(({ pagination }) => pagination)).toEqual(
      [1, 2, 3, 4].map((currentPage) => ({ totalCount: 23, currentPage, pageSize: 10, totalPages: 3 })),
    );
    for (const { data } of pages) for (const item of data) expect(item).not.toHaveProperty('documentContent');
    const { documentContent, ...first } = await getDocument(newest[0], tenantId);
    expect(documentContent).toBe(`Text ${ids.indexOf(newest[0])}`);
    expect(pages[0].data[0]).toStrictEqual(first);

    const where = (test: (i: number) => boolean) => newest.filter((id) => test(ids.indexOf(id)));
    expect(await listIds({ tenantUnitId: 'odd' })).toEqual(where((i) => i % 2 === 1));
    expect(await listIds({ type: documentTypes[2] })).toEqual(where((i) => i % 4 === 2));
    expect(await listIds({ types: `${documentTypes[1]}, ${documentTypes[2]}` })).toEqual(
      where((i) => i % 4 === 1 || i % 4 === 2),
    );
    expect(await listIds({ types: JSON.stringify([documentTypes[1]]), type: documentTypes[2] })).toEqual(
      where((i) => i % 4 === 1 || i % 4 === 2),
    );
    expect(await listIds({ type: 'Spreadsheet' })).toEqual([]);
    expect(await listIds({ datasetIds: 'set-1' })).toEqual(where((i) => i % 3 === 1));
    expect(await listIds({ datasetIds: 'set-1,set-2,none' })).toEqual(where((i) => i % 3 !== 0));
    expect(await listIds({ datasetIds: '[]' })).toEqual([]);
    expect(await listIds({ datasetIds: 'set-1', tenantUnitId: 'odd', type: documentTypes[3] })).toEqual(
      where((i) => i % 3 === 1 && i % 4 === 3),
    );
  });

  test('through tRPC, empty lists of types and datasets match nothing', async () => {
    const { documents } = app.trpc();
    const none = { items: [], totalCount: 0 };
    expect(await documents.list.query({ scope: { tenantId }, documentTypes: [] })).toMatchObject(none);
    expect(await documents.list.query({ scope: { tenantId }, datasetIds: [] })).toMatchObject(none);
  });

  test('through tRPC, lists are searched by name, title and URL, and tell size and source', async () => {
    const place = { tenantId: 'names', tenantUnitId: 'sales' };
    const { documents } = app.trpc();
    const documentType = 'UnstructuredFile' as const;
    const named = [
      { documentName: 'Returns_2026.txt', documentContent: 'Wörter' },
      { title: 'Über returns', datasetIds: ['faq'] },
      { url: `${PRIVATE_URL}/RETURNS`, datasetIds: ['faq'] },
      { documentName: '退货说明', documentContent: '三十天内' },
    ];
    for (const fields of named) await documents.create.mutate({ scope: place, documentType, ...fields });
    await app.settle();
    const find = async (nameContains: string, more: object = {}) => {
      const page = await documents.list.query({ scope: { tenantId: 'names' }, nameContains, ...more });
      const items = page.items.map(({ documentName, title, url, source, sizeBytes }) => ({
        name: documentName ?? title ?? url,
        source,
        sizeBytes,
      }));
      return { items, totalCount: page.totalCount, totalPages: page.totalPages };
    };
    const file = { name: 'Returns_2026.txt', source: 'content', sizeBytes: 7 };
    const titled = { name: 'Über returns', source: 'none', sizeBytes: null };
    const page = { name: `${PRIVATE_URL}/RETURNS`, source: 'url', sizeBytes: null };
    expect(await find('rETURNS')).toEqual({ items: [page, titled, file], totalCount: 3, totalPages: 1 });
    expect(await find('über')).toEqual({ items: [titled], totalCount: 1, totalPages: 1 });
    expect(await find('退货')).toMatchObject({ items: [{ name: '退货说明' }], totalCount: 1 });
    expect(await find('s_2')).toEqual({ items: [file], totalCount: 1, totalPages: 1 });
    for (const nothing of ['%', 's%2', '\\', 'names'])
      expect(await find(nothing)).toEqual({ items: [], totalCount: 0, totalPages: 0 });
    expect(await find('returns', { page: 2, pageSize: 2 })).toEqual({
      items: [file],
      totalCount: 3,
      totalPages: 2,
    });
    expect(await find('returns', { datasetIds: ['faq'] })).toEqual({
      items: [page, titled],
      totalCount: 2,
      totalPages: 1,
    });
    expect(await find('returns', { statuses: ['ready', 'created'], page: 9 })).toEqual({
      items: [],
      totalCount: 2,
      totalPages: 1,
    });
    await expect(find('x'.repeat(201))).rejects.toMatchObject({ data: { httpStatus: 422 } });
  });

  test('byIds keeps the order, leaves out what is not there, tells each once, without content', async () => {
    const [a, b] = [
      await createReady({ documentContent: 'Alpha' }),
      await createReady({ documentContent: 'Beta', enabled: false }),
    ];
    const foreign = await createDocument({ tenantId: 'globex' });
    const byIds = (ids: string[]) =>
      call(200, 'GET', `${DOCUMENTS}/byIds`, { query: { ...TENANT, documentIds: JSON.stringify(ids) } });
    const { documentContent: _a, ...bareA } = a;
    const { documentContent: _b, ...bareB } = b;
    expect(await byIds([b.id, uuid(), a.id, foreign.id, b.id, 'byIds', ''])).toStrictEqual([bareB, bareA]);
    expect(await byIds([a.id])).toStrictEqual([bareA]);
    expect(await byIds([])).toStrictEqual([]);
    const tooMany = JSON.stringify(Array.from({ length: 101 }, () => a.id));
    expect(
      await call(422, 'GET', `${DOCUMENTS}/byIds`, { query: { ...TENANT, documentIds: tooMany } }),
    ).toMatchObject({ detail: [{ loc: ['query', 'documentIds'] }] });
  });
});

describe('change', () => {
  test('replaces custom properties and keeps everything else', async () => {
    const document = await createReady({ documentContent: 'Text', customProperties: { a: 1, b: { c: 2 } } });
    const chunks = await listChunks(document.id);
    const changed = await patchDocument(document.id, { customProperties: { z: [] } });
    expect(changed).toStrictEqual({ ...document, customProperties: { z: [] }, updatedTime: TIME });
    expect(await patchDocument(document.id, { customProperties: {} })).toMatchObject({
      customProperties: {},
    });
    expect(await patchDocument(document.id, { enabled: false, documentName: 'ignored' })).toStrictEqual({
      ...document,
      customProperties: {},
      enabled: false,
      updatedTime: TIME,
    });
    expect(await listChunks(document.id)).toStrictEqual(chunks);
    expect(await revisionOf(document.id)).toBe(1);
  });

  test('without anything that is to change changes nothing', async () => {
    const document = await createReady({ documentContent: 'Text', customProperties: { a: 1 } });
    const before = await app.request('GET', `${DOCUMENTS}/${document.id}`, { query: TENANT });
    const answer = await app.request('PATCH', `${DOCUMENTS}/${document.id}`, { query: TENANT, body: {} });
    expect(answer).toMatchObject({ status: 200, body: before.body });
    expect(answer.headers.get('etag')).toBe(before.headers.get('etag'));
    expect(await getDocument(document.id)).toStrictEqual(document);
    const { items } = await app.trpc().audit.list.query({ scope, subjectId: document.id });
    expect(items.map(({ action }) => action)).toEqual(['documents.create']);
    // A version that is gone is refused all the same.
    await call(412, 'PATCH', `${DOCUMENTS}/${document.id}`, {
      query: TENANT,
      body: {},
      headers: { 'if-match': '"99"' },
    });
  });

  test('toggle answers an empty object', async () => {
    const { id } = await createDocument();
    const toggle = (enabled: unknown, status = 200) =>
      call(status, 'PATCH', `${DOCUMENTS}/${id}/toggle`, { query: TENANT, body: { enabled } });
    for (const enabled of [false, false, true, true]) {
      expect(await toggle(enabled)).toStrictEqual({});
      expect(await getDocument(id)).toMatchObject({ enabled });
    }
    expect(await toggle('true', 422)).toMatchObject({ detail: [{ loc: ['body', 'enabled'] }] });
    expect(await toggle(null, 422)).toMatchObject({ detail: [{ loc: ['body', 'enabled'] }] });
  });

  test('of the content is processed again', async () => {
    const document = await createReady({ documentContent: 'Old words.' });
    const changed = await patchDocument(document.id, { documentContent: 'New words.' });
    const { documentSubType: _, ...expected } = document;
    expect(changed).toStrictEqual({
      ...expected,
      documentContent: 'New words.',
      status: 'created',
      processingProgress: 0,
      updatedTime: TIME,
    });
    await app.settle();
    expect(await getDocument(document.id)).toStrictEqual({
      ...document,
      documentContent: 'New words.',
      updatedTime: changed.updatedTime,
    });
    expect(await listChunks(document.id)).toMatchObject([{ content: 'New words.' }]);
  });

  test('to the same content is not', async () => {
    const document = await createReady({ documentContent: 'Same words.' });
    const chunks = await listChunks(document.id);
    expect(await patchDocument(document.id, { documentContent: 'Same words.' })).toMatchObject({
      status: 'ready',
      processingProgress: 100,
    });
    expect(await listChunks(document.id)).toStrictEqual(chunks);
    expect(await revisionOf(document.id)).toBe(1);
  });

  test('to the same content is another try for what failed', async () => {
    const document = await createReady({ documentContent: ' \n ' });
    expect(document).toMatchObject({ status: 'failed' });
    expect(await patchDocument(document.id, { documentContent: ' \n ' })).toMatchObject({
      status: 'created',
    });
    await app.settle();
  });

  test('of the URL without content is processed; the content that was there is gone', async () => {
    const document = await createReady({ documentContent: 'Inline.' });
    const changed = await patchDocument(document.id, { url: PRIVATE_URL });
    expect(changed).toMatchObject({ url: PRIVATE_URL, status: 'created', processingProgress: 0 });
    expect(changed).not.toHaveProperty('documentContent');
    await app.settle();
    expect(await inDetail(document.id)).toMatchObject({
      status: 'failed',
      error: { code: 'blocked_address' },
    });
    // The old chunks serve on.
    expect(await listChunks(document.id)).toMatchObject([{ content: 'Inline.' }]);
    await call(422, 'PATCH', `${DOCUMENTS}/${document.id}`, { query: TENANT, body: { url: 'ftp://x' } });
  });

  test('that empties the content leaves a document without chunks', async () => {
    const document = await createReady({ documentContent: 'Soon gone.' }, ['emptied']);
    expect(await search('gone', { dataset_ids: ['emptied'] })).toHaveLength(1);
    const emptied = await patchDocument(document.id, { documentContent: '' });
    expect(emptied).toMatchObject({ status: 'created', processingProgress: 0 });
    expect(emptied).not.toHaveProperty('documentContent');
    expect(await listChunks(document.id)).toEqual([]);
    expect(await search('gone', { dataset_ids: ['emptied'] })).toEqual([]);
    expect(await inDetail(document.id)).toMatchObject({ chunkCount: 0, error: null });
    await app.settle();
    expect(await patchDocument(document.id, { documentContent: 'Back.' })).toMatchObject({
      status: 'created',
    });
    await app.settle();
    expect(await listChunks(document.id)).toMatchObject([{ content: 'Back.' }]);
  });
});

describe('delete', () => {
  test('takes chunks, sources, datasets and terms along, once', async () => {
    const { id } = await createReady({ documentContent: 'To be deleted.' }, ['deleted']);
    const [chunk] = await listChunks(id);
    const route = `${DOCUMENTS}/${id}`;
    expect(await call(204, 'DELETE', route, { query: TENANT })).toBeUndefined();
    expect(await call(404, 'DELETE', route, { query: TENANT })).toStrictEqual(missing);
    expect(await call(404, 'GET', route, { query: TENANT })).toStrictEqual(missing);
    for (const table of ['chunks', 'documentSources', 'documentDatasets'] as const) {
      const rows = await app.db.selectFrom(table).select('documentId').where('documentId', '=', id).execute();
      expect(rows).toEqual([]);
    }
    const terms = await app.db
      .selectFrom('chunkTerms')
      .select('chunkId')
      .where('chunkId', '=', chunk.id)
      .execute();
    expect(terms).toEqual([]);
    expect(await search('deleted', { dataset_ids: ['deleted'] })).toEqual([]);
  });

  test('is legal at any moment of the processing', async () => {
    const content = Array.from({ length: 200 }, (_, i) => `## Part ${i}\n\nSome text to be split.`).join(
      '\n\n',
    );
    const created = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        createDocument({ documentContent: content, documentName: `${i}.md` }),
      ),
    );
    await Promise.all(created.map(({ id }) => call(204, 'DELETE', `${DOCUMENTS}/${id}`, { query: TENANT })));
    await app.settle();
    const ids = created.map(({ id }) => id);
    expect(await app.db.selectFrom('chunks').select('id').where('documentId', 'in', ids).execute()).toEqual(
      [],
    );
  });
});

describe('upsert', () => {
  test('creates, then changes only what is given', async () => {
    const externalId = `ext/${uuid()} ü`;
    const fields = {
      documentName: 'Guide',
      documentContent: 'First text.',
      custom_properties: { snake_case: 1 },
    };
    expect(await upsert(externalId, fields, ['one', 'two'])).toStrictEqual({
      externalId,
      documentName: 'Guide',
      status: 'created',
    });
    await app.settle();
    const { id } = await oneByExternalId(externalId);
    const before = await getDocument(id);
    expect(before).toMatchObject({
      documentName: 'Guide',
      documentContent: 'First text.',
      customProperties: { snake_case: 1 },
      documentType: 'UnstructuredFile',
      status: 'ready',
    });
    const chunks = await listChunks(id);

    // Nothing given: all is kept.
    expect(await upsert(externalId)).toStrictEqual({ externalId, documentName: 'Guide', status: 'ready' });
    expect(await getDocument(id)).toStrictEqual(before);
    expect(await datasetsOf(id)).toEqual(['one', 'two']);

    // The same content: nothing is processed again.
    expect(await upsert(externalId, fields, ['two', 'three'])).toMatchObject({ status: 'ready' });
    expect(await listChunks(id)).toStrictEqual(chunks);
    expect(await revisionOf(id)).toBe(1);
    expect(await datasetsOf(id)).toEqual(['three', 'two']);

    expect(await upsert(externalId, { documentName: 'Manual' }, [])).toMatchObject({
      documentName: 'Manual',
    });
    expect(await getDocument(id)).toStrictEqual({ ...before, documentName: 'Manual', updatedTime: TIME });
    expect(await datasetsOf(id)).toEqual([]);

    expect(await upsert(externalId, { documentContent: 'Second text.' })).toMatchObject({
      status: 'created',
    });
    await app.settle();
    expect(await listChunks(id)).toMatchObject([{ content: 'Second text.' }]);
    expect(await revisionOf(id)).toBe(2);
    expect(await byExternalId(externalId)).toHaveLength(1);
  });

  test('knows documents by tenant, unit and external id together', async () => {
    const externalId = uuid();
    const places = [
      TENANT_UNIT,
      { ...TENANT_UNIT, tenantUnitId: 'support' },
      { ...TENANT_UNIT, tenantId: 'globex' },
    ];
    for (const place of places) await upsert(externalId, { ...place, documentName: JSON.stringify(place) });
    for (const place of places) {
      expect(await byExternalId(externalId, place)).toMatchObject([{ documentName: JSON.stringify(place) }]);
    }
  });

  test.each([
    ['a URL', { url: PRIVATE_URL }, 'UnstructuredWebpage'],
    ['content', { documentContent: 'x' }, 'UnstructuredFile'],
    ['both', { url: PRIVATE_URL, documentContent: 'x' }, 'UnstructuredFile'],
    ['a URL with empty content', { url: PRIVATE_URL, documentContent: '' }, 'UnstructuredWebpage'],
    ['neither', {}, 'UnstructuredFile'],
  ])('with %s makes the fitting type', async (_, fields, documentType) => {
    const externalId = uuid();
    expect(await upsert(externalId, fields)).toStrictEqual({
      externalId,
      documentName: '',
      status: 'created',
    });
    expect(await oneByExternalId(externalId)).toMatchObject({ documentType });
  });

  test('lets the type follow the source, which nobody has chosen, also where a PATCH changes it', async () => {
    const externalId = uuid();
    const typeAfter = async (fields: Record<string, unknown>) => {
      await upsert(externalId, fields);
      return (await oneByExternalId(externalId)).documentType;
    };
    expect(await typeAfter({ documentContent: 'Text' })).toBe('UnstructuredFile');
    expect(await typeAfter({ url: PRIVATE_URL })).toBe('UnstructuredWebpage');
    expect(await typeAfter({ documentName: 'Page' })).toBe('UnstructuredWebpage');
    expect(await typeAfter({ documentContent: 'Text again' })).toBe('UnstructuredFile');
    // The URL on record serves again.
    expect(await typeAfter({ documentContent: '' })).toBe('UnstructuredWebpage');
    const { id } = await oneByExternalId(externalId);
    expect((await patchDocument(id, { documentContent: 'Patched' })).documentType).toBe('UnstructuredFile');
    expect((await patchDocument(id, { url: `${PRIVATE_URL}/other` })).documentType).toBe(
      'UnstructuredWebpage',
    );
    const { items } = await app.trpc().audit.list.query({ scope, subjectId: id, pageSize: 1 });
    expect(items).toMatchObject([
      {
        before: { documentType: 'UnstructuredFile', source: 'content' },
        after: { documentType: 'UnstructuredWebpage', source: 'url' },
      },
    ]);

    const chosen = await createDocument({ documentType: 'StructuredFile', documentContent: 'a,b' });
    expect(await patchDocument(chosen.id, { url: PRIVATE_URL })).toMatchObject({
      documentType: 'StructuredFile',
    });
  });

  test('with the same URL, also beside empty content, does not fetch it again', async () => {
    const externalId = uuid();
    await upsert(externalId, { url: PRIVATE_URL });
    await app.settle();
    const { id } = await oneByExternalId(externalId);
    await app.db.updateTable('documents').set({ status: 'ready' }).where('id', '=', id).execute();
    for (const fields of [{ url: PRIVATE_URL }, { documentContent: '' }]) {
      expect(await upsert(externalId, fields)).toMatchObject({ status: 'ready' });
    }
    expect(await upsert(externalId, { url: PRIVATE_URL, documentContent: '' })).toMatchObject({
      status: 'ready',
    });
    expect(await revisionOf(id)).toBe(1);
  });

  test('fifty at once make one document, and all are answered', async () => {
    const externalId = uuid();
    const fields = { documentName: 'One', documentContent: 'The same text for all.' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => upsert(externalId, fields, ['fifty'])),
    );
    for (const answer of answers) expect(answer).toMatchObject({ externalId, documentName: 'One' });
    await app.settle();
    const { id } = await oneByExternalId(externalId);
    expect(await revisionOf(id)).toBe(1);
    expect(await listChunks(id)).toHaveLength(1);
    expect(await datasetsOf(id)).toEqual(['fifty']);
  });

  test('fifty at once with different texts end with one of them', async () => {
    const externalId = uuid();
    const texts = Array.from({ length: 50 }, (_, i) => `Text number ${i}.`);
    await Promise.all(texts.map((documentContent) => upsert(externalId, { documentContent })));
    await app.settle();
    const { id } = await oneByExternalId(externalId);
    const { documentContent, status } = await getDocument(id);
    expect(status).toBe('ready');
    expect(texts).toContain(documentContent);
    expect(await listChunks(id)).toMatchObject([{ content: documentContent }]);
  });

  test('tells through tRPC whether it created, and the datasets as they are kept', async () => {
    const externalId = uuid();
    const call = (more: object = {}) =>
      app.trpc().documents.upsert.mutate({ scope: TENANT_UNIT, externalId, ...more });
    expect(await call({ datasetIds: ['b', 'a', 'b'] })).toMatchObject({
      created: true,
      datasetIds: ['a', 'b'],
    });
    expect(await call()).toMatchObject({ created: false, datasetIds: ['a', 'b'] });
    expect(await call({ datasetIds: ['c'] })).toMatchObject({ created: false, datasetIds: ['c'] });
  });

  test.each([
    ['another external id in the body', { externalId: 'other' }, ['body', 'externalId']],
    ['another tenant in the body', { tenantId: 'globex' }, ['body', 'tenantId']],
    ['properties that are no object', { custom_properties: 'x' }, ['body', 'custom_properties']],
    ['a URL of another kind', { url: 'file:///etc/passwd' }, ['body', 'url']],
    ['no tenant unit', { tenantUnitId: undefined }, ['body', 'tenantUnitId']],
  ])('refuses %s', async (_, fields, loc) => {
    const externalId = uuid();
    const body = { externalId, ...TENANT_UNIT, ...fields };
    expect(await call(422, 'PUT', externalPath(externalId), { query: TENANT, body })).toStrictEqual({
      detail: [{ type: expect.any(String), loc, msg: expect.any(String) }],
    });
    expect(await byExternalId(externalId)).toEqual([]);
  });
});
