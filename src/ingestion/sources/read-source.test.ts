import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FileStorage } from '../../storage/file-storage.js';
import { openStorage } from '../../storage/open-storage.js';
import { type ReadSourceOptions, readSource, type SourceRow } from './read-source.js';

const NO_ROW: SourceRow = {
  source: 'none',
  content: null,
  fileKey: null,
  fileName: null,
  mediaType: null,
  lastModified: null,
  documentName: null,
  storageType: null,
  storageBucket: null,
  storagePath: null,
  url: null,
  etag: null,
  httpLastModified: null,
};

const server = http.createServer((request, response) => {
  if (request.headers['if-none-match'] === '"v1"') return void response.writeHead(304).end();
  response.setHeader('ETag', '"v1"');
  response.setHeader('Content-Type', 'text/plain');
  response.end('from the web');
});

let folder: string;
let tempDir: string;
let storage: FileStorage;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-sources-'));
  tempDir = path.join(folder, 'spool');
  storage = openStorage(`file:${folder}/files`);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/notes.txt`;
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

const read = (row: Partial<SourceRow>, options: Partial<ReadSourceOptions> = {}) =>
  readSource(
    { ...NO_ROW, ...row },
    { storage, tempDir, maxBytes: 1000, fetchAllowHosts: ['127.0.0.1'], ...options },
  );

async function readFully(row: Partial<SourceRow>, options: Partial<ReadSourceOptions> = {}) {
  const source = await read(row, options);
  if (source.notModified) throw new Error('not modified');
  return { ...source, text: await readFile(source.path, 'utf8') };
}

const store = (text: string) =>
  storage.write(
    (async function* () {
      yield Buffer.from(text);
    })(),
    { maxBytes: 1000 },
  );

const measured = (text: string) => ({
  text,
  size: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
});
const spooled = () => readdir(tempDir);

it('writes content to a temporary file and disposes of it', async () => {
  const source = await readFully(
    { source: 'content', content: 'grüß', documentName: 'a.md' },
    { maxBytes: 1 },
  );
  expect(source).toMatchObject({ ...measured('grüß'), fileName: 'a.md', isFromUrl: false });
  expect(await spooled()).toEqual([path.basename(source.path)]);
  await source.dispose();
  expect(await spooled()).toEqual([]);
});

it('reads a local upload in place', async () => {
  const { key } = await store('uploaded');
  const lastModified = new Date(0);
  const row = { source: 'file', fileKey: key, fileName: 'u.txt', mediaType: 'text/plain', lastModified };
  const source = await readFully(row);
  expect(source).toMatchObject({
    ...measured('uploaded'),
    path: storage.pathOf?.(key),
    fileName: 'u.txt',
    mediaType: 'text/plain',
    lastModified,
    isFromUrl: false,
  });
  await source.dispose();
  expect(await readFully(row)).toMatchObject({ text: 'uploaded' });
});

it('downloads an upload from remote storage', async () => {
  const { key } = await store('far away');
  const { pathOf: _none, ...far } = storage;
  const source = await readFully({ source: 'file', fileKey: key }, { storage: far });
  expect(source).toMatchObject(measured('far away'));
  expect(await spooled()).toEqual([path.basename(source.path)]);
  await source.dispose();
  expect(await spooled()).toEqual([]);
});

it.each([true, false])('reports a missing upload (local disk: %s)', async (here) => {
  const { pathOf: _none, ...far } = storage;
  const row = { source: 'file', fileKey: '0b0e0a52-6f0f-4c3e-9d77-2f8a6f6f1c11' };
  const gone = { name: 'IngestionError', code: 'file_missing', retryable: false };
  await expect(read(row, { storage: here ? storage : far })).rejects.toMatchObject(gone);
});

it('fetches a URL', async () => {
  const source = await readFully({ source: 'url', url });
  expect(source).toMatchObject({
    ...measured('from the web'),
    fileName: 'notes.txt',
    mediaType: 'text/plain',
    etag: '"v1"',
    isFromUrl: true,
  });
  await source.dispose();
});

it('fetches a URL again when it was modified, or unconditionally', async () => {
  const row = { source: 'url', url, etag: '"v1"' };
  expect(await read(row)).toEqual({ notModified: true });
  const changed = await readFully({ ...row, etag: '"v0"' });
  const again = await readFully(row, { ignoreValidators: true });
  expect([changed.text, again.text]).toEqual(['from the web', 'from the web']);
  await Promise.all([changed.dispose(), again.dispose()]);
});

it.each([
  ['a URL', () => ({ source: 'url', url })],
  ['an upload elsewhere', async () => ({ source: 'file', fileKey: (await store('too long')).key })],
])('keeps nothing of %s that is too large', async (_what, makeRow) => {
  const { pathOf: _none, ...far } = storage;
  const result = read(await makeRow(), { storage: far, maxBytes: 4 });
  await expect(result).rejects.toMatchObject({ code: 'too_large', retryable: false });
  expect(await spooled()).toEqual([]);
});

it('leaves no file when aborted', async () => {
  const reason = new Error('stop');
  async function* endless() {
    for (;;) yield await new Promise<Uint8Array>((resolve) => setImmediate(resolve, Buffer.alloc(10)));
  }
  const abort = new AbortController();
  const openObject = async () => {
    setImmediate(() => abort.abort(reason));
    return { body: endless() };
  };
  const row = { source: 'storage', storageType: 's3', storageBucket: 'b', storagePath: 'p' };
  const result = read(row, { openObject, signal: abort.signal, maxBytes: 1e12 });
  await expect(result).rejects.toBe(reason);
  expect(await spooled()).toEqual([]);
});

it('asks for a storageType', async () => {
  const row = { source: 'storage', storageBucket: 'b', storagePath: 'p' };
  const openObject = async () => undefined;
  await expect(read(row, { openObject })).rejects.toMatchObject({
    code: 'storage_not_supported',
    message: 'It is not known which store the bucket is in; give storageType as s3 or gcs.',
    retryable: false,
  });
});
