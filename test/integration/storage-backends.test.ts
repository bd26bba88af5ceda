import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { CreateMultipartUploadCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileStorage } from '../../src/storage/file-storage.js';
import { createGcsStorage } from '../../src/storage/gcs.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { createS3Storage } from '../../src/storage/s3.js';
import { type GcsServer, startGcsServer } from '../support/gcs-server.js';
import { type S3Server, startS3Server } from '../support/s3-server.js';

const MIB = 2 ** 20;
const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FOREIGN_KEY = '0b0e0a52-6f0f-4c3e-9d77-2f8a6f6f1c11';

let folder: string;
let s3: S3Server;
let gcs: GcsServer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-files-'));
  s3 = await startS3Server('files');
  gcs = await startGcsServer('files');
});

afterAll(async () => {
  await s3?.stop();
  await gcs?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function s3Names(): Promise<string[]> {
  const { Contents = [] } = await s3.client.send(new ListObjectsV2Command({ Bucket: 'files' }));
  return Contents.map(({ Key }) => Key as string);
}

const stores: { kind: string; open: () => FileStorage; left: () => Promise<string[]> }[] = [
  {
    kind: 'a folder',
    open: () => openStorage(`file:${folder}`),
    left: async () => (await readdir(folder, { recursive: true })).filter((name) => name.includes(path.sep)),
  },
  {
    kind: 'S3',
    open: () => openStorage('s3://files/some/place', { s3Endpoint: s3.endpoint }),
    left: async () => [...(await s3Names()), ...(await s3.uploads('files'))],
  },
  {
    kind: 'Google Cloud Storage',
    open: () => openStorage('gs://files/some/place/'),
    left: async () => gcs.names('files'),
  },
];

async function* inParts(bytes: Uint8Array, size = 100_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

async function listed(storage: FileStorage): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list()) keys.push(key);
  return keys.sort();
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.each(stores)('$kind', ({ kind, open, left }) => {
  let storage: FileStorage;
  beforeAll(() => {
    storage = open();
  });

  test.each([0, 1, 300_000, 8 * MIB, 20 * MIB + 1])('gives back %i bytes', async (length) => {
    const bytes = randomBytes(length);
    const stored = await storage.write(inParts(bytes), { maxBytes: length });
    expect(stored).toEqual({
      key: expect.stringMatching(KEY),
      sizeBytes: length,
      sha256: sha256(bytes),
    });
    const back = await readAll(storage.read(stored.key));
    expect({ length: back.length, sha256: sha256(back) }).toEqual({ length, sha256: stored.sha256 });
    const removed = [await storage.remove(stored.key), await storage.remove(stored.key)];
    expect(removed).toEqual([true, kind === 'S3']);
    expect(await left()).toEqual([]);
    await expect(readAll(storage.read(stored.key))).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each([10, 20 * MIB + 1])('writes %i bytes under a key that was given, also twice', async (length) => {
    const key = randomUUID();
    await storage.write(inParts(Buffer.from('former')), { key, maxBytes: 6 });
    const bytes = randomBytes(length);
    const stored = await storage.write(inParts(bytes), { key, maxBytes: length });
    expect(stored).toEqual({ key, sizeBytes: length, sha256: sha256(bytes) });
    expect(sha256(await readAll(storage.read(key)))).toBe(stored.sha256);
    await storage.remove(key);
    expect(await left()).toEqual([]);
  });

  test('gives back a part', async () => {
    const bytes = randomBytes(300_000);
    const { key } = await storage.write(inParts(bytes), { maxBytes: 300_000 });
    for (const [start, end] of [
      [0, 2],
      [100_000, 250_000],
      [299_999, 300_000],
    ] as const) {
      expect(await readAll(storage.read(key, { start, end }))).toEqual(bytes.subarray(start, end));
    }
    await storage.remove(key);
    await expect(readAll(storage.read(key, { start: 0, end: 1 }))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test.each([1000, 20 * MIB])('keeps nothing of what is larger than %i bytes', async (maxBytes) => {
    const result = storage.write(inParts(Buffer.alloc(maxBytes + 1)), { maxBytes });
    await expect(result).rejects.toMatchObject({ name: 'DomainError', code: 'too_large', path: ['file'] });
    expect(await left()).toEqual([]);
  });

  test.each([1000, 20 * MIB])('keeps nothing of what breaks off after %i bytes', async (length) => {
    const failure = new Error('the sender is gone');
    async function* broken() {
      yield* inParts(Buffer.alloc(length));
      throw failure;
    }
    await expect(storage.write(broken(), { maxBytes: 2 * length })).rejects.toBe(failure);
    expect(await left()).toEqual([]);
  });

  test.each([
    '../../outside',
    '/etc/passwd',
    '..',
    '',
    'a\0b',
    FOREIGN_KEY.toUpperCase(),
    `${FOREIGN_KEY}/../x`,
  ])('has no file %j, whatever is there', async (key) => {
    await expect(storage.write(inParts(Buffer.from('x')), { key, maxBytes: 1 })).rejects.toMatchObject({
      name: 'DomainError',
      code: 'invalid',
      message: `No file is stored as ${JSON.stringify(key)}: this is no key of the storage.`,
    });
    await expect(readAll(storage.read(key))).rejects.toMatchObject({ code: 'not_found' });
    expect(await storage.remove(key)).toBe(false);
    if (storage.pathOf) expect(() => storage.pathOf?.(key)).toThrow('File not found.');
    expect(await left()).toEqual([]);
  });

  test('lists what it keeps, with its time', async () => {
    const before = Date.now() - 2000;
    const one = await storage.write(inParts(Buffer.from('one')), { maxBytes: 100 });
    const two = await storage.write(inParts(Buffer.from('two')), { maxBytes: 100 });
    expect(await listed(storage)).toEqual([one.key, two.key].sort());
    for await (const { modified } of storage.list()) expect(modified.getTime()).toBeGreaterThan(before);
    await Promise.all([one, two].map(({ key }) => storage.remove(key)));
    expect(await listed(storage)).toEqual([]);
  });
});

describe('what others keep in the same place', () => {
  const names = [
    'some/place/report.pdf',
    `some/place/${FOREIGN_KEY}`,
    `some/place/lectern-${FOREIGN_KEY}.bak`,
  ];

  test('is not listed on S3', async () => {
    for (const Key of names) await s3.client.send(new PutObjectCommand({ Bucket: 'files', Key, Body: 'x' }));
    expect(await listed(openStorage('s3://files/some/place', { s3Endpoint: s3.endpoint }))).toEqual([]);
  });

  test('is not listed on Google Cloud Storage', async () => {
    for (const name of names) gcs.put('files', name, Buffer.from('x'));
    expect(await listed(openStorage('gs://files/some/place'))).toEqual([]);
  });

  test('is not listed in a folder, nor removed as abandoned', async () => {
    await mkdir(path.join(folder, 'ab'), { recursive: true });
    await writeFile(path.join(folder, 'ab', 'letter.partial'), 'x');
    await writeFile(path.join(folder, FOREIGN_KEY), 'x');
    const storage = openStorage(`file:${folder}`);
    await storage.removeAbandoned(new Date(Date.now() + 60_000));
    expect(await listed(storage)).toEqual([]);
    expect(await readdir(path.join(folder, 'ab'))).toEqual(['letter.partial']);
  });
});

describe('what a killed process leaves', () => {
  const hour = 3_600_000;

  test('goes from a folder when it is old', async () => {
    const [old, recent] = [FOREIGN_KEY, FOREIGN_KEY.replace('0b', '0c')].map((key) =>
      path.join(folder, key.slice(0, 2), `${key}.partial`),
    ) as [string, string];
    for (const file of [old, recent]) {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, 'half');
    }
    await utimes(old, new Date(), new Date(Date.now() - 2 * hour));
    await openStorage(`file:${folder}`).removeAbandoned(new Date(Date.now() - hour));
    expect(await readdir(path.dirname(old))).toEqual([]);
    expect(await readdir(path.dirname(recent))).toEqual([path.basename(recent)]);
  });

  test('goes from S3 when it is old, and only what is ours', async () => {
    const ours = `some/place/lectern-${FOREIGN_KEY}`;
    for (const Key of [ours, 'some/place/movie.mp4', `elsewhere/lectern-${FOREIGN_KEY}`]) {
      await s3.client.send(new CreateMultipartUploadCommand({ Bucket: 'files', Key }));
    }
    const storage = openStorage('s3://files/some/place', { s3Endpoint: s3.endpoint });
    await storage.removeAbandoned(new Date(Date.now() - hour));
    expect(await s3.uploads('files')).toHaveLength(3);
    await storage.removeAbandoned(new Date(Date.now() + hour));
    expect((await s3.uploads('files')).sort()).toEqual([
      `elsewhere/lectern-${FOREIGN_KEY}`,
      'some/place/movie.mp4',
    ]);
  });
});

describe('a store that fails', () => {
  const unavailable = { name: 'DomainError', code: 'unavailable' };

  test('in the middle of an upload', async () => {
    const storage = openStorage('s3://files/some/place', { s3Endpoint: s3.endpoint });
    async function* untilKilled() {
      yield* inParts(Buffer.alloc(10 * MIB));
      await s3.kill();
      yield* inParts(Buffer.alloc(20 * MIB));
    }
    await expect(storage.write(untilKilled(), { maxBytes: 100 * MIB })).rejects.toMatchObject(unavailable);
    await expect(storage.remove(FOREIGN_KEY)).rejects.toMatchObject(unavailable);
    await expect(readAll(storage.read(FOREIGN_KEY))).rejects.toMatchObject(unavailable);
    await s3.start();
    expect(await listed(storage)).toEqual([]);
  });

  test('in the middle of an upload to Google', async () => {
    const storage = openStorage('gs://files/some/place');
    async function* untilKilled() {
      yield* inParts(Buffer.alloc(10 * MIB));
      await gcs.kill();
      yield* inParts(Buffer.alloc(20 * MIB));
    }
    await expect(storage.write(untilKilled(), { maxBytes: 100 * MIB })).rejects.toMatchObject(unavailable);
    await expect(storage.remove(FOREIGN_KEY)).rejects.toMatchObject(unavailable);
    await gcs.start();
    expect(await listed(storage)).toEqual([]);
  });

  test('because it has no such bucket', async () => {
    for (const url of ['s3://nowhere', 'gs://nowhere']) {
      const storage = openStorage(url, { s3Endpoint: s3.endpoint });
      const result = storage.write(inParts(Buffer.from('x')), { maxBytes: 1 });
      await expect(result).rejects.toMatchObject(unavailable);
    }
  });

  test.each(['S3', 'Google'])('because it falls silent on %s', async (kind) => {
    const silent = net.createServer((socket) => sockets.push(socket));
    const sockets: net.Socket[] = [];
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(silent.address() as net.AddressInfo).port}`;
    const { STORAGE_EMULATOR_HOST } = process.env;
    process.env.STORAGE_EMULATOR_HOST = endpoint;
    const place = { bucket: 'files', prefix: '' };
    const storage =
      kind === 'S3'
        ? createS3Storage(place, { endpoint, idleMs: 50 })
        : createGcsStorage(place, { idleMs: 50 });
    for (const length of [1, 20 * MIB]) {
      const result = storage.write(inParts(Buffer.alloc(length)), { maxBytes: length });
      await expect(result).rejects.toMatchObject(unavailable);
    }
    await expect(storage.remove(FOREIGN_KEY)).rejects.toMatchObject(unavailable);
    await expect(readAll(storage.read(FOREIGN_KEY))).rejects.toMatchObject(unavailable);
    process.env.STORAGE_EMULATOR_HOST = STORAGE_EMULATOR_HOST;
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test('because its disk takes no files', async () => {
    await writeFile(path.join(folder, 'a-file'), '');
    const storage = openStorage(`file:${folder}/a-file/files`);
    const result = storage.write(inParts(Buffer.from('x')), { maxBytes: 1 });
    await expect(result).rejects.toMatchObject(unavailable);
  });
});
