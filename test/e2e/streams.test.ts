import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { type OpenStream, openStream, progressUrl } from '../support/sse-client.js';

const DOCUMENTS = '/admin/api/v1/documents';
const LISTENERS = 300;

let database: TestDatabase;
let cable: DatabaseProxy;
let client: ReturnType<typeof connectUnscoped>;
/** Never answers, so that what is fetched from it is processed for as long as the tests last. */
let pages: Server;
let folder: Awaited<ReturnType<typeof makeDataDir>>;
let server: ServerProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  cable = new DatabaseProxy(new URL(database.url));
  await cable.heal();
  client = connectUnscoped(database.url, { max: 1 });
  pages = createServer(() => {}).listen(0, '127.0.0.1');
  await once(pages, 'listening');
  folder = await makeDataDir('server');
  server = await startServerProcess({
    DATA_DIR: folder.dataDir,
    DATABASE_URL: cable.url,
    FETCH_ALLOW_HOSTS: '127.0.0.1',
    FETCH_TIMEOUT_SECONDS: '3600',
    MAX_STREAMS: String(LISTENERS),
    MAX_STREAMS_PER_KEY: String(LISTENERS),
  });
}, 240_000);

afterAll(async () => {
  pages?.closeAllConnections();
  pages?.close();
  await server?.end('SIGTERM');
  await folder?.remove();
  await client?.close();
  await cable.close();
  await database?.drop();
});

/** A document that is being processed, in a tenant of its own. */
async function createDocument(tenantId: string): Promise<string> {
  const answer = await fetch(`${server.address}${DOCUMENTS}?tenantId=${tenantId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      tenantId,
      tenantUnitId: 'sales',
      documentType: 'UnstructuredWebpage',
      url: `http://127.0.0.1:${(pages.address() as AddressInfo).port}/slow`,
    }),
  });
  const { id } = (await answer.json()) as { id: string };
  return id;
}

const looks = () => cable.statements.filter((text) => text.includes('"new_chunks", "chunk_count"')).length;

test('one query serves all watchers of a tenant', async () => {
  const id = await createDocument('many');
  const url = progressUrl(server.address, { tenantId: 'many' }, [id]);
  const streams: OpenStream[] = [];
  for (let i = 0; i < LISTENERS; i++) streams.push(await openStream(url));
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  await Promise.all(streams.map((stream) => stream.until('"chunkCount":0')));

  const before = looks();
  await client.db.updateTable('documents').set({ chunkCount: 77 }).where('id', '=', id).execute();
  await Promise.all(streams.map((stream) => stream.until('"chunkCount":77')));
  // Each of them for itself would have needed a look of its own at least.
  expect(looks() - before).toBeLessThan(LISTENERS / 2);

  // With the last of them the looking ends: more than two intervals pass without a look.
  for (const stream of streams) stream.close();
  let last = -1;
  const sinceLast = () => {
    const more = looks() - last;
    last += more;
    return more;
  };
  await expect.poll(sinceLast, { interval: 1_500, timeout: 60_000 }).toBe(0);
}, 240_000);

test('one query serves all waiting requests of a tenant', async () => {
  const id = await createDocument('waiting');
  const input = { scope: { tenantId: 'waiting' }, documentId: id, seconds: 60 };
  const url = `${server.address}/trpc/documents.waitUntilSearchable?input=${encodeURIComponent(JSON.stringify(input))}`;
  const looksAtWaiting = () =>
    cable.statements.filter((text) => text.includes('"source", "enabled" from "documents"')).length;
  const answers = Array.from({ length: LISTENERS }, () => fetch(url).then((answer) => answer.json()));
  await expect.poll(looksAtWaiting).toBeGreaterThanOrEqual(LISTENERS);
  const before = looksAtWaiting();
  await client.db
    .updateTable('documents')
    .set({ source: 'none', status: 'created' })
    .where('id', '=', id)
    .execute();
  expect(await Promise.all(answers)).toEqual(answers.map(() => ({ result: { data: { searchable: true } } })));
  expect(looksAtWaiting() - before).toBeLessThan(LISTENERS / 2);
}, 240_000);

test('a client that leaves a stream as soon as it begins ends nothing but its stream', async () => {
  const url = new URL(
    progressUrl(server.address, { tenantId: 'leaving' }, [await createDocument('leaving')]),
  );
  for (let i = 0; i < 100; i++) {
    const socket = net.connect(Number(url.port), url.hostname);
    socket.write(
      `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`,
    );
    await once(socket, 'data');
    socket.destroy();
  }
  expect((await fetch(`${server.address}/healthz`)).status).toBe(200);
  expect(server.printed.stdout).not.toContain('"level":50');
}, 120_000);
