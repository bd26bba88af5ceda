import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { createS3Storage } from '../../src/storage/s3.js';
import { useApp } from '../support/app.js';
import { startEndlessServer } from '../support/endless-server.js';

const MIB = 2 ** 20;
const KEY = '0b0e0a52-6f0f-4c3e-9d77-2f8a6f6f1c11';
const XML = { type: 'application/xml', piece: Buffer.alloc(MIB, '<a>') };
Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' });

const read = async (stream: AsyncIterable<Uint8Array>) => {
  for await (const _ of stream);
};

describe('answers of a bucket', async () => {
  const failing = await startEndlessServer({ ...XML, status: 500 });
  const succeeding = await startEndlessServer({ ...XML, status: 200 });
  const dripping = await startEndlessServer({ status: 500, type: XML.type, piece: ' ', pauseMs: 20 });
  const servers = [failing, succeeding, dripping];
  afterAll(() => Promise.all(servers.map((server) => server.close())));
  const logged: { msg: string; err?: { message: string } }[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => logged.push(JSON.parse(line)) });
  const app = useApp({ storageUrl: 's3://files', s3Endpoint: failing.url }, { log });
  const open = (endpoint: string) =>
    createS3Storage({ bucket: 'files', prefix: '' }, { endpoint, deadlineMs: 200 });
  const unavailable = { name: 'DomainError', code: 'unavailable' };

  test('that never end are given up, and the upload is answered 503', async () => {
    const answer = await fetch(`${app.address}/trpc/files.upload`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: 'text',
    });
    expect(answer.status).toBe(503);
    expect(failing.isReadOn()).toBe(false);
    const { err } = logged.find(({ msg }) => msg === 'the file storage fails') ?? {};
    expect(err?.message).toBe('The bucket answers with more than 1 MiB where it should say little.');
  });

  test.each([
    ['an error', failing],
    ['a success', succeeding],
  ])('that never end are given up for all operations: %s', async (_, server) => {
    const storage = open(server.url);
    await expect(storage.remove(KEY)).rejects.toMatchObject(unavailable);
    await expect(read(storage.list() as never)).rejects.toThrow('1 MiB');
    await expect(storage.removeAbandoned(new Date())).rejects.toThrow('1 MiB');
    const part = storage.read(KEY, { start: 0, end: 10 });
    await expect(read(part)).rejects.toMatchObject(unavailable);
    expect(server.isReadOn()).toBe(false);
  });

  test('that drip have a deadline', async () => {
    const storage = open(dripping.url);
    await expect(storage.remove(KEY)).rejects.toMatchObject({
      ...unavailable,
      cause: { name: 'TimeoutError', message: 'The bucket has not answered within 0.2 seconds.' },
    });
    async function* bytes() {
      yield Buffer.from('x');
    }
    await expect(storage.write(bytes(), { maxBytes: 1 })).rejects.toMatchObject(unavailable);
  });
});
