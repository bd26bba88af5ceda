import http from 'node:http';
import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, expect, test } from 'vitest';
import { sweepFiles } from '../../src/services/files/sweep-files.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { createRestClient, DOCUMENTS, TENANT, TENANT_UNIT } from '../integration/support/rest-client.js';
import { useApp } from '../support/app.js';
import { drain } from '../support/drain.js';
import { startS3Server } from '../support/s3-server.js';
import { waitFor } from '../support/wait-for.js';

const MIB = 2 ** 20;
const STORAGE_URL = 's3://files/kept';

const s3 = await startS3Server('files');
const app = useApp({ storageUrl: STORAGE_URL, s3Endpoint: s3.endpoint });
const { call, createDocument, getDocument, listChunks, upload } = createRestClient(app);
afterAll(() => s3.stop());

async function objects(): Promise<string[]> {
  const { Contents = [] } = await s3.client.send(new ListObjectsV2Command({ Bucket: 'files' }));
  return Contents.map(({ Key }) => Key as string).sort();
}

const uploadRows = () => app.db.selectFrom('uploads').select('id').execute();

async function fileOf(documentId: string): Promise<string> {
  const { fileKey } = await app.db
    .selectFrom('documentSources')
    .select('fileKey')
    .where('documentId', '=', documentId)
    .executeTakeFirstOrThrow();
  return `kept/lectern-${fileKey}`;
}

test('a file is kept in the bucket, processed from there, and goes with its document', async () => {
  const { id } = await upload('# Gulls\n\nGulls follow the plough.', 'gulls.md');
  await app.settle();
  expect(await getDocument(id)).toMatchObject({ status: 'ready', documentSubType: 'md' });
  const [chunk] = await listChunks(id);
  expect(chunk.content).toContain('Gulls follow the plough.');
  expect(await objects()).toEqual([await fileOf(id)]);
  await call(204, 'DELETE', `${DOCUMENTS}/${id}`, { query: TENANT });
  expect(await objects()).toEqual([]);
});

test('a file that is lost makes its document fail', async () => {
  const file = { fileId: '' };
  ({ fileId: file.fileId } = await app.trpc().files.upload.mutate(new Blob(['Lost.']) as never));
  await s3.client.send(new DeleteObjectCommand({ Bucket: 'files', Key: (await objects())[0] }));
  const { id } = await app
    .trpc()
    .documents.create.mutate({ scope: TENANT_UNIT, documentType: 'UnstructuredFile', file });
  await app.settle();
  const document = await app
    .trpc()
    .documents.get.query({ scope: { tenantId: TENANT_UNIT.tenantId }, documentId: id });
  expect(document).toMatchObject({
    status: 'failed',
    error: {
      code: 'file_missing',
      stage: 'fetching',
      message: 'The uploaded file is no longer in storage; upload it again.',
      retryable: false,
    },
  });
});

/** Sends half of an upload, waits, and sends the rest. */
async function uploadWithPause(pause: () => Promise<void>): Promise<number> {
  const boundary = 'part';
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const fields = { ...TENANT_UNIT, documentType: 'UnstructuredFile', datasetIds: '[]' };
  const head = Object.entries(fields).map(([name, value]) => field(name, value));
  const request = http.request(`${app.address}${DOCUMENTS}/upload`, {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
  request.on('error', () => {});
  const answered = new Promise<number>((resolve) =>
    request.on('response', (response) => resolve(response.resume().statusCode ?? 0)),
  );
  request.write(head.join(''));
  request.write(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`);
  const send = () => new Promise((resolve) => request.write(Buffer.alloc(20 * MIB, 'a '), resolve));
  await send();
  await pause();
  send();
  request.end(`\r\n--${boundary}--\r\n`);
  return answered;
}

test('an upload answers 503 when the store dies on the way, and nothing is left', async () => {
  const before = { objects: await objects(), rows: await uploadRows() };
  const status = await uploadWithPause(async () => {
    const hasBegun = async () => (await s3.uploads('files')).length > 0;
    await waitFor(hasBegun, { what: 'the upload to begin' });
    await s3.kill();
  });
  expect(status).toBe(503);
  await s3.start();
  expect({ objects: await objects(), rows: await uploadRows() }).toEqual(before);
});

test('an upload answers 503 while the store is away', async () => {
  await s3.kill();
  const body = new FormData();
  for (const [name, value] of Object.entries({
    ...TENANT_UNIT,
    documentType: 'UnstructuredFile',
    datasetIds: '[]',
  })) {
    body.set(name, value);
  }
  body.set('file', new File(['x'], 'x.txt'));
  const answer = await app.request('POST', `${DOCUMENTS}/upload`, { body });
  await s3.start();
  expect(answer).toMatchObject({
    status: 503,
    body: {
      detail: [
        {
          type: 'unavailable',
          msg: 'The file could not be stored, because the file storage is away or full; try again later.',
        },
      ],
    },
  });
});

test('the sweep removes what nobody owns, and nothing else', async () => {
  const { id } = await upload('Kept.', 'kept.md');
  await createDocument({ documentContent: 'No file at all.' });
  const foreign = ['kept/holiday.jpg', 'other/lectern-0b0e0a52-6f0f-4c3e-9d77-2f8a6f6f1c11'];
  const orphan = 'kept/lectern-0b0e0a52-6f0f-4c3e-9d77-2f8a6f6f1c11';
  for (const Key of [...foreign, orphan]) {
    await s3.client.send(new PutObjectCommand({ Bucket: 'files', Key, Body: 'x' }));
  }
  const { fileId } = await app.trpc().files.upload.mutate(new Blob(['Claimed late.']) as never);
  const hours = (n: number) => new Date(Date.now() + n * 3_600_000);
  await app.db
    .updateTable('uploads')
    .set({ createdTime: hours(20) })
    .where('id', '=', fileId)
    .execute();
  const before = await objects();
  const storage = openStorage(STORAGE_URL, { s3Endpoint: s3.endpoint });
  const sweepAt = (clock: () => Date) => drain(sweepFiles({ db: app.db, storage, clock }));

  await sweepAt(() => hours(23));
  expect(await objects()).toEqual(before);
  // The store died in the middle of it.
  expect(await s3.uploads('files')).toHaveLength(1);
  await sweepAt(() => hours(25));
  expect(await objects()).toEqual(before.filter((name) => name !== orphan));
  expect(await objects()).toContain(await fileOf(id));
  expect(await s3.uploads('files')).toEqual([]);
});
