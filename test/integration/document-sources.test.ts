import { readFile } from 'node:fs/promises';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createOpenObject, type OpenObject } from '../../src/ingestion/sources/buckets/open-object.js';
import { useApp } from '../support/app.js';
import { startGcsServer } from '../support/gcs-server.js';
import { startS3Server } from '../support/s3-server.js';
import { createRestClient, TENANT_UNIT } from './support/rest-client.js';

const s3 = await startS3Server('library', 'private');
const gcs = await startGcsServer('library', 'private');
const web = http.createServer((_request, response) => response.end('Inside the company.'));
await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
const { port: webPort } = web.address() as AddressInfo;

const app = useApp({
  s3Endpoint: s3.endpoint,
  fetchAllowHosts: [`127.0.0.1:${webPort}`],
  maxUploadBytes: 100_000,
});
const { createDocument, getDocument, listChunks } = createRestClient(app);

afterAll(async () => {
  web.closeAllConnections();
  web.close();
  await s3.stop();
  await gcs.stop();
});

const PDF = 'reports/Verträge & more.pdf';

beforeAll(async () => {
  const bytes = await readFile('packages/file-to-markdown/test/fixtures/contract.pdf');
  await s3.client.send(
    new PutObjectCommand({ Bucket: 'library', Key: PDF, Body: bytes, ContentType: 'application/pdf' }),
  );
  gcs.put('library', PDF, bytes, 'application/pdf');
  const large = Buffer.alloc(100_001, 'a');
  await s3.client.send(new PutObjectCommand({ Bucket: 'library', Key: 'large.txt', Body: large }));
  gcs.put('library', 'large.txt', large);
  await s3.client.send(new PutObjectCommand({ Bucket: 'private', Key: 'a', Body: 'Of somebody else.' }));
  gcs.put('private', 'a', Buffer.from('Of somebody else.'));
});

async function ingest(fields: Record<string, unknown>) {
  const { id } = await createDocument(fields);
  await app.settle();
  return app.trpc().documents.get.query({ scope: { tenantId: TENANT_UNIT.tenantId }, documentId: id });
}

describe.each(['s3', 'gcs'])('an object on %s', (storageType) => {
  const inLibrary = (storagePath: string) => ({ storageType, storageBucket: 'library', storagePath });

  test('becomes chunks', async () => {
    const { id } = await ingest(inLibrary(PDF));
    expect(await getDocument(id)).toMatchObject({
      status: 'ready',
      processingProgress: 100,
      documentSubType: 'pdf',
    });
    const chunks = await listChunks(id);
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks[0].metadata).toMatchObject({ filename: 'Verträge & more.pdf', page_number: 1 });
  });

  test.each([
    [
      'that is not there',
      inLibrary('none.pdf'),
      { code: 'not_found', message: 'The bucket library holds no none.pdf; check storagePath.' },
    ],
    [
      'that is too large',
      inLibrary('large.txt'),
      { code: 'too_large', message: 'The file is larger than the 100000 bytes that are allowed.' },
    ],
    [
      'in a bucket that is not there',
      { storageType, storageBucket: 'nowhere', storagePath: 'a' },
      { code: 'not_found', message: expect.stringMatching(/ has no bucket nowhere; check storageBucket\.$/) },
    ],
  ])('%s fails its document', async (_what, fields, error) => {
    expect(await ingest(fields)).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: { ...error, stage: 'fetching', retryable: false },
    });
  });
});

test('a private host may be fetched when it is allowed', async () => {
  expect(await ingest({ url: `http://127.0.0.1:${webPort}/` })).toMatchObject({ status: 'ready' });
  const other = await ingest({ url: `http://localhost:${webPort}/` });
  expect(other).toMatchObject({ status: 'failed', error: { code: 'blocked_address' } });
});

/** What clients and servers of buckets take for another bucket than it says. */
const DETOURS = [
  ['library/../private', 'a', 'storageBucket'],
  ['library/%2e%2e/private', 'a', 'storageBucket'],
  ['library/../private/o/a?alt=json#', 'a', 'storageBucket'],
  ['library/../private/o#', 'a', 'storageBucket'],
  ['library/../private?', 'a', 'storageBucket'],
  ['gs://private', 'a', 'storageBucket'],
  ['private/', 'a', 'storageBucket'],
  ['..', 'a', 'storageBucket'],
  ['library', '../private/a', 'storagePath'],
  ['library', 'reports/../../private/a', 'storagePath'],
  ['library', '..\\private\\a', 'storagePath'],
  ['library', '..', 'storagePath'],
  ['library', '.', 'storagePath'],
] as const;

describe.each(['s3', 'gcs'] as const)('a detour on %s', (storageType) => {
  test.each(DETOURS)('of bucket %s and path %s is refused', async (bucket, path, field) => {
    // As stored by an older version, too.
    const opened = createOpenObject({ s3Endpoint: s3.endpoint })(
      { storageType, bucket, path },
      { maxBytes: 100_000 },
    );
    await expect(opened).rejects.toMatchObject({
      name: 'IngestionError',
      code: 'not_found',
      retryable: false,
    });
    const answer = await app.request('POST', '/admin/api/v1/documents', {
      query: { tenantId: TENANT_UNIT.tenantId },
      body: {
        ...TENANT_UNIT,
        documentType: 'UnstructuredFile',
        storageType,
        storageBucket: bucket,
        storagePath: path,
      },
    });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', field] }] } });
  });
});

describe('opening an object', () => {
  const open = (openObject: OpenObject, storageType: 's3' | 'gcs', etag?: string) =>
    openObject({ storageType, bucket: 'library', path: PDF }, { maxBytes: 100_000, etag });

  afterEach(() => {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'S3RVER' });
    gcs.state.denied = false;
  });

  test.each(['s3', 'gcs'] as const)(
    'on %s a second time gives nothing, unless it has changed',
    async (type) => {
      const openObject = createOpenObject({ s3Endpoint: s3.endpoint });
      const opened = await open(openObject, type);
      expect(opened).toMatchObject({ mediaType: 'application/pdf', lastModified: expect.any(Date) });
      let length = 0;
      for await (const part of opened!.body) length += part.byteLength;
      expect(length).toBe((await readFile('packages/file-to-markdown/test/fixtures/contract.pdf')).length);
      expect(await open(openObject, type, opened?.etag)).toBeUndefined();
      const changed = await open(openObject, type, '"another"');
      expect(changed).toMatchObject({ etag: opened?.etag });
      await changed?.body[Symbol.asyncIterator]().return?.();
    },
  );

  test('is denied on s3 for unknown credentials', async () => {
    process.env.AWS_ACCESS_KEY_ID = 'unknown';
    await expect(open(createOpenObject({ s3Endpoint: s3.endpoint }), 's3')).rejects.toMatchObject({
      name: 'IngestionError',
      code: 'access_denied',
      message: expect.stringContaining('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'),
      retryable: false,
    });
  });

  test('is denied on gcs', async () => {
    gcs.state.denied = true;
    await expect(open(createOpenObject(), 'gcs')).rejects.toMatchObject({
      name: 'IngestionError',
      code: 'access_denied',
      message: expect.stringContaining('GOOGLE_APPLICATION_CREDENTIALS'),
      retryable: false,
    });
  });

  test('may succeed later when the store is away', async () => {
    const openObject = createOpenObject({ s3Endpoint: s3.endpoint });
    const away = { name: 'IngestionError', code: 'unreachable', retryable: true };
    await Promise.all([s3.kill(), gcs.kill()]);
    await expect(open(openObject, 's3')).rejects.toMatchObject(away);
    await expect(open(openObject, 'gcs')).rejects.toMatchObject(away);
    await Promise.all([s3.start(), gcs.start()]);
    await (await open(openObject, 's3'))?.body[Symbol.asyncIterator]().return?.();
  });

  describe('of a store that falls silent', () => {
    const sockets: net.Socket[] = [];
    const silent = net.createServer((socket) => sockets.push(socket));
    const { STORAGE_EMULATOR_HOST } = process.env;
    let endpoint: string;

    beforeAll(async () => {
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      process.env.STORAGE_EMULATOR_HOST = endpoint;
    });

    afterAll(() => {
      process.env.STORAGE_EMULATOR_HOST = STORAGE_EMULATOR_HOST;
      for (const socket of sockets) socket.destroy();
      silent.close();
    });

    test.each(['s3', 'gcs'] as const)('ends (%s)', async (storageType) => {
      const openObject = createOpenObject({ s3Endpoint: endpoint, idleMs: 50 });
      await expect(open(openObject, storageType)).rejects.toMatchObject({
        name: 'IngestionError',
        code: 'timeout',
        retryable: true,
      });
    });

    test.each(['s3', 'gcs'] as const)('ends when nobody waits any more (%s)', async (storageType) => {
      const openObject = createOpenObject({ s3Endpoint: endpoint });
      const abort = new AbortController();
      const reason = new Error('stop');
      const address = { storageType, bucket: 'library', path: PDF };
      const result = openObject(address, { maxBytes: 1, signal: abort.signal });
      setImmediate(() => abort.abort(reason));
      await expect(result).rejects.toBe(reason);
    });
  });
});
