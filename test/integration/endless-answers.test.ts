import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { connectMeilisearch } from '../../src/search/meilisearch/connect.js';
import { isApiError, toOperatorMessage } from '../../src/search/meilisearch/errors.js';
import { createS3Storage } from '../../src/storage/s3.js';
import { useApp } from '../support/app.js';
import { startEndlessServer } from '../support/endless-server.js';
import { SEARCH, TENANT } from './support/rest-client.js';

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
  const open = (endpoint: string, options = {}) =>
    createS3Storage({ bucket: 'files', prefix: '' }, { endpoint, ...options });
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

  test('of too many XML tags are refused', async () => {
    const { url, close } = await startAnswering(500, `<Error>${'<a/>'.repeat(200_000)}</Error>`);
    await expect(open(url).remove(KEY)).rejects.toMatchObject({
      ...unavailable,
      cause: { message: 'The bucket answers with more than 40000 XML tags where it should say little.' },
    });
    close();
  });

  test('that drip have a deadline', async () => {
    const storage = open(dripping.url, { deadlineMs: 200 });
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

describe('answers of a search server', async () => {
  const endless = (status: number, start: string, piece: string) =>
    startEndlessServer({ status, type: 'application/json', start, piece: piece.repeat(100_000) });
  const text = await endless(200, '{"hits":[],"x":"', 'xxxxxxxxxx');
  const error = await endless(500, '{"message":"', 'xxxxxxxxxx');
  const values = await endless(200, '[', '[],');
  const servers = [text, error, values];
  afterAll(() => Promise.all(servers.map((server) => server.close())));
  const config = (url: string) => ({
    url,
    apiKey: 'a',
    adminKey: undefined,
    prefix: 'test_',
    searchTimeoutMs: 20_000,
  });
  const app = useApp({ meilisearch: config(text.url) });
  const message = (size: string) =>
    `The search server's answer has more than ${size}. Check that MEILI_URL names a Meilisearch server.`;

  test('that never end are given up, and the search is answered 503', async () => {
    const body = { tenant_id: 'acme', tenant_unit_id: 'u', dataset_ids: ['d'], query: 'herons' };
    await app.trpc().documents.create.mutate({
      scope: { tenantId: 'acme', tenantUnitId: 'u' },
      documentType: 'UnstructuredFile',
      datasetIds: ['d'],
      documentContent: 'Herons stand still in the water.',
    });
    await app.settle();
    const answer = await app.request('POST', SEARCH, { query: TENANT, body });
    expect(answer).toMatchObject({
      status: 503,
      body: {
        detail: [{ type: 'unavailable', msg: 'Search is unavailable at the moment; try again.' }],
      },
    });
    const status = await app.trpc().search.status.query();
    expect(status).toMatchObject({ server: { error: message('16 MiB') } });
    expect(text.isReadOn()).toBe(false);
  });

  test.each([
    ['text', text],
    ['an error', error],
    ['values', values],
  ])('that never end are given up: %s', async (_, server) => {
    const { searchClient, documentClient, indexUid } = connectMeilisearch(config(server.url));
    const documents = (await documentClient()).index(indexUid).getDocuments();
    expect(await documents.catch(toOperatorMessage)).toBe(message('16 MiB'));
    const search = (await searchClient()).multiSearch({ queries: [] });
    expect(await search.catch(toOperatorMessage)).toBe(message('4 MiB'));
    expect(server.isReadOn()).toBe(false);
  });

  test('of too many values are refused', async () => {
    const { url, close } = await startAnswering(200, '['.repeat(3 * MIB));
    const search = (await connectMeilisearch(config(url)).searchClient()).multiSearch({ queries: [] });
    expect(await search.catch(toOperatorMessage)).toBe(message('500000 values'));
    close();
  });

  test('that are errors keep what they say', async () => {
    const said = { message: 'Index `test_chunks` not found.', code: 'index_not_found' };
    const { url, close } = await startAnswering(404, JSON.stringify(said));
    const search = (await connectMeilisearch(config(url)).searchClient()).multiSearch({ queries: [] });
    const thrown = await search.catch((error) => error);
    expect(isApiError(thrown, 'index_not_found')).toBe(true);
    expect(toOperatorMessage(thrown)).toBe(`${said.message} Make it with: lectern search reindex`);
    close();
  });
});

async function startAnswering(status: number, body: string) {
  const server = createServer((_, response) => void response.writeHead(status).end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
