import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { Meilisearch } from 'meilisearch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataDir, REMOVAL } from '../../src/cli/shared/data-dir.js';
import { createLectern } from '../../src/client/index.js';
import { fillTenant } from '../integration/support/fill-tenant.js';
import { createRestClient } from '../integration/support/rest-client.js';
import { signIn } from '../integration/support/sign-in.js';
import { startConsumer } from '../integration/support/webhook-consumer.js';
import { useApp } from '../support/app.js';
import { createEmptyDatabase } from '../support/postgres.js';
import { recordAnswers } from '../support/record-answers.js';
import { startProgram } from '../support/run-command.js';
import { startS3Server } from '../support/s3-server.js';
import { openSearchServer } from '../support/search-server.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { waitFor } from '../support/wait-for.js';

/*
 * A server with everything that a tenant may have is backed up while another tenant writes; then all of it is destroyed:
 * database, files and search index. It comes back in an embedded database, and from that in an external one.
 */

const search = await openSearchServer();
const s3 = await startS3Server('library', 'restored');
const pages = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html').end('<h1>A page</h1><p>The quetzal is on this page.</p>');
});
await once(pages.listen(0, '127.0.0.1'), 'listening');
const { port: pagesPort } = pages.address() as AddressInfo;
const app = useApp({
  ...{
    authMode: 'required',
    fetchAllowHosts: ['127.0.0.1'],
    meilisearch: search.config,
    s3Endpoint: s3.endpoint,
  },
});
const QUETZAL = { tenantId: 'ornithology', word: 'quetzal' };
const NOISE = { tenantId: 'noise', tenantUnitId: 'sales' };

let work: string;
let embedded: Awaited<ReturnType<typeof makeDataDir>>;
let external: Awaited<ReturnType<typeof createEmptyDatabase>>;
let consumer: Awaited<ReturnType<typeof startConsumer>>;
let filled: Awaited<ReturnType<typeof fillTenant>>;
let cookie: string;
let before: Record<string, unknown>;
let server: ServerProcess | undefined;

beforeAll(async () => {
  work = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-backup-'));
  embedded = await makeDataDir('restored');
  external = await createEmptyDatabase();
  consumer = await startConsumer();
  filled = await fillTenant(app, { ...QUETZAL, webhookUrl: consumer.url });
  await addFurtherSources();
  cookie = (await signIn(app, filled.key)).cookie;
});
afterAll(async () => {
  await server?.end('SIGTERM');
  await consumer?.stop();
  await external?.drop();
  await embedded?.remove();
  pages.close();
  await Promise.all([search.close(), s3.stop()]);
  await rm(work, REMOVAL);
});

/** What there is besides inline text and a file: an object of a bucket, a page and a PDF. */
async function addFurtherSources(): Promise<void> {
  const { call } = createRestClient(app);
  const headers = { 'x-api-key': filled.key };
  const query = { tenantId: QUETZAL.tenantId, datasetIds: JSON.stringify(['faq']) };
  const document = { ...filled.scope, documentType: 'UnstructuredFile' };
  const Body = 'An object about the quetzal.';
  await s3.client.send(new PutObjectCommand({ Bucket: 'library', Key: 'quetzal.txt', Body }));
  const object = { storageType: 's3', storageBucket: 'library', storagePath: 'quetzal.txt' };
  const page = { documentType: 'UnstructuredWebpage', url: `http://127.0.0.1:${pagesPort}/quetzal` };
  for (const source of [object, page]) {
    await call(200, 'POST', '/admin/api/v1/documents', { query, headers, body: { ...document, ...source } });
  }
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...document, datasetIds: '["faq"]' })) form.set(name, value);
  form.set(
    'file',
    new File([await readFile('packages/file-to-markdown/test/fixtures/contract.pdf')], 'contract.pdf'),
  );
  await call(200, 'POST', '/admin/api/v1/documents/upload', { body: form, headers });
  await app.settle();
}

const record = (address: string) =>
  recordAnswers({
    address,
    apiKey: filled.key,
    ...filled.scope,
    datasetIds: ['faq'],
    queries: ['quetzal', 'Who pays for damage to the property?'],
  });

/** What is delivered later would be another answer. */
async function waitForDeliveries(address: string): Promise<void> {
  const { trpc } = createLectern({ url: address, apiKey: filled.key });
  const scope = { tenantId: QUETZAL.tenantId };
  const [webhook] = await trpc.webhooks.list.query({ scope });
  const read = () => trpc.webhooks.deliveries.query({ scope, webhookId: webhook?.id ?? '' });
  await waitFor(async () => (await read()).items.every(({ state }) => state === 'delivered'), {
    what: 'webhooks to be delivered',
  });
}

/** Documents, files and conversations come and go until it is stopped. */
async function writeMeanwhile() {
  const { key } = await app.makeKey({ scope: { tenantId: NOISE.tenantId } });
  const { trpc, addFile } = createLectern({ url: app.address, apiKey: key });
  let isOver = false;
  let rounds = 0;
  const writing = (async () => {
    for (; !isOver; rounds++) {
      const { id } = await addFile(new Blob([`Noise ${rounds}`]), {
        scope: NOISE,
        datasetIds: ['faq'],
        documentType: 'UnstructuredFile',
        fileName: 'noise.txt',
      });
      await trpc.conversations.create.mutate({ scope: NOISE, topic: `Noise ${rounds}` });
      if (rounds % 2 === 0) await trpc.documents.delete.mutate({ scope: NOISE, documentId: id });
    }
  })();
  await waitFor(() => rounds > 2, { what: 'writes to be under way' });
  return async () => {
    isOver = true;
    await writing;
    return rounds;
  };
}

async function lectern(args: string[], env: Record<string, string>) {
  const result = await startProgram(args, env).ended;
  expect(result.status, `${args.join(' ')}\n${result.stderr}`).toBe(0);
  return result;
}

const meiliEnv = () => ({
  MEILI_URL: search.config.url,
  MEILI_ADMIN_KEY: search.config.adminKey ?? '',
  MEILI_INDEX_PREFIX: search.config.prefix,
});
const serve = (env: Record<string, string> & { DATA_DIR: string }) =>
  startServerProcess({ AUTH_MODE: 'required', FETCH_ALLOW_HOSTS: '127.0.0.1', ...env });

test('is made while others write', async () => {
  await waitForDeliveries(app.address);
  before = await record(app.address);
  for (const text of [
    'is back',
    'on this page',
    'An object about',
    'Where is the quetzal',
    'PROFESSIONAL SERVICES',
  ]) {
    expect(JSON.stringify(before)).toContain(text);
  }
  const stop = await writeMeanwhile();
  const env = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir };
  const { stdout } = await lectern(['backup', '--to', path.join(work, 'first')], env);
  expect(await stop()).toBeGreaterThan(2);
  expect(stdout).toMatch(/^[\d,]+ rows and [\d,]+ files \([\d.]+ \w+\) are in \/.*\/first\.\n$/);
  expect((await lectern(['backup', 'verify', path.join(work, 'first')], {})).stdout).toMatch(
    /^The backup of [\dT:.-]+Z is intact: [\d,]+ rows and [\d,]+ files \([\d.]+ \w+\), version [\d.]+\.\n$/,
  );
});

test('everything is destroyed', async () => {
  await app.app.close();
  await app.destroy();
  await rm(app.dataDir, REMOVAL);
  const admin = new Meilisearch({ host: search.config.url, apiKey: search.config.adminKey ?? '' });
  await admin.index(`${search.config.prefix}chunks`).delete();
  await expect(record(app.address)).rejects.toThrow();
});

test('comes back in a new embedded database, with a search index that is filled anew', async () => {
  const env = { DATA_DIR: embedded.dataDir };
  await lectern(['restore', path.join(work, 'first')], env);
  server = await serve({ ...env, ...meiliEnv(), ...s3Env() });
  const { address } = server;
  const readySearch = async () => (await (await fetch(`${address}/readyz`)).json()).search;
  await waitFor(async () => (await readySearch()) === 'ok', { what: 'the search index' });
  expect(await record(address)).toEqual(before);
});

test('keys work, and sessions have ended', async () => {
  const address = server?.address ?? '';
  const ask = (headers: Record<string, string>) =>
    fetch(`${address}/trpc/session.get`, { headers }).then(({ status }) => status);
  expect(await ask({ 'x-api-key': filled.key })).toBe(200);
  expect(await ask({ cookie, origin: address })).toBe(401);
});

test('uploaded files are there, and documents can be processed again', async () => {
  const { trpc } = createLectern({ url: server?.address ?? '', apiKey: filled.key });
  const scope = { tenantId: QUETZAL.tenantId };
  const { items } = await trpc.documents.list.query({ scope });
  const uploaded = items.filter(({ source }) => source === 'file');
  expect(uploaded.map(({ id }) => id)).toHaveLength(2);
  for (const { id: documentId, chunkCount } of uploaded) {
    const { base64 } = await trpc.documents.readSource.query({ scope, documentId, offset: 0, length: 4 });
    expect(['# qu', '%PDF']).toContain(Buffer.from(base64, 'base64').toString());
    await trpc.documents.reprocess.mutate({ scope, documentId });
    const get = () => trpc.documents.get.query({ scope, documentId });
    await waitFor(async () => (await get()).status === 'ready', { what: 'the document to be processed' });
    expect((await get()).chunkCount).toBe(chunkCount);
  }
});

test('goes on to an external database and a bucket, as a user without further rights', async () => {
  const second = path.join(work, 'second');
  await waitForDeliveries(server?.address ?? '');
  before = await record(server?.address ?? '');
  await lectern(['backup', '--to', second], { DATA_DIR: embedded.dataDir });
  await server?.end('SIGTERM');
  const env = {
    DATABASE_URL: external.url,
    DATA_DIR: path.join(work, 'data'),
    STORAGE_URL: 's3://restored/files',
    ...s3Env(),
  };
  await lectern(['restore', second], env);
  // All rows are as they were: PostgreSQL writes the same again.
  await lectern(['backup', '--to', path.join(work, 'third')], env);
  expect(await tablesOf('third')).toEqual(await tablesOf('second'));
  server = await serve(env);
  expect(await record(server.address)).toEqual(before);
  expect(await readdir(work)).not.toContain('files');
});

const s3Env = () => ({
  AWS_ENDPOINT_URL_S3: s3.endpoint,
  AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID ?? '',
  AWS_SECRET_ACCESS_KEY: process.env.AWS_SECRET_ACCESS_KEY ?? '',
});

/** What the manifest of a backup says of each table, but for those that restoring adjusts. */
async function tablesOf(name: string): Promise<Record<string, unknown>> {
  const folder = path.join(work, name);
  const { tables } = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8'));
  const { search_index: _, ...others } = tables;
  if (process.env.CITUS_URL === undefined) return others;
  // The nodes of a cluster write in any order.
  for (const table of Object.values<{ file: string; sha256: unknown; sizeBytes?: unknown }>(others)) {
    const rows = gunzipSync(await readFile(path.join(folder, table.file))).toString();
    table.sha256 = rows.split('\n').sort();
    delete table.sizeBytes;
  }
  return others;
}
