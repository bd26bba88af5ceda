import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rollUpLists } from '../../src/services/shared/lists/list-rollup.js';
import { fillTenant } from '../integration/support/fill-tenant.js';
import { findText } from '../integration/support/find-text.js';
import { SEARCH } from '../integration/support/rest-client.js';
import { rowsOf } from '../integration/support/tenant-rows.js';
import { startConsumer } from '../integration/support/webhook-consumer.js';
import { useApp } from '../support/app.js';
import { useHeldResponses } from '../support/held-responses.js';
import { type Environment, startProgram } from '../support/run-command.js';
import { openSearchServer } from '../support/search-server.js';
import { waitFor } from '../support/wait-for.js';

/* The built commands beside a running server, on tenants that have some of everything. */

const { config: meilisearch, close: closeSearchServer } = await openSearchServer();
const app = useApp({ authMode: 'required', fetchAllowHosts: ['127.0.0.1'], meilisearch });
const GONE = { tenantId: 'ornithology', word: 'quetzal' };
const PAGE = '/quetzal';
const KEPT = { tenantId: 'ichthyology', word: 'coelacanth' };

/** Where the word stands before. */
const TABLES_WITH_TEXT = [
  'api_keys',
  'audit_events',
  'chunk_terms',
  'chunks',
  'conversations',
  'document_sources',
  'documents',
  'evaluation_questions',
  'evaluation_runs',
  'idempotency_keys',
  'messages',
  'search_synonyms',
  'webhook_deliveries',
  'webhook_subscriptions',
];
const pages = useHeldResponses();
type Filled = Awaited<ReturnType<typeof fillTenant>>;
let consumer: Awaited<ReturnType<typeof startConsumer>>;
let folder: string;
let env: Environment;
let gone: Filled;
let kept: Filled;

beforeAll(async () => {
  consumer = await startConsumer();
  folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-export-'));
  env = {
    DATABASE_URL: app.databaseUrl,
    DATA_DIR: app.dataDir,
    MEILI_URL: meilisearch.url,
    MEILI_ADMIN_KEY: meilisearch.adminKey,
    MEILI_INDEX_PREFIX: meilisearch.prefix,
  };
  gone = await fillTenant(app, { ...GONE, webhookUrl: consumer.url });
  kept = await fillTenant(app, { ...KEPT, webhookUrl: consumer.url });
});
afterAll(async () => {
  await consumer?.stop();
  await closeSearchServer();
  await rm(folder, { recursive: true, force: true });
});

const tenant = (...args: string[]) => startProgram(['tenant', ...args], env).ended;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Every document of the search server's index. */
async function indexedIds(): Promise<string[]> {
  const route = `${meilisearch.url}/indexes/${meilisearch.prefix}chunks/documents?limit=1000`;
  const answer = await fetch(route, { headers: { authorization: `Bearer ${meilisearch.adminKey}` } });
  const { results } = (await answer.json()) as { results: { id: string }[] };
  return results.map(({ id }) => id);
}

async function storedFiles(): Promise<string[]> {
  const entries = await readdir(path.join(app.dataDir, 'files'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
}

/** An upload that never ends by itself. */
function beginUpload(headers: Record<string, string>): Promise<string> {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(`Long file of ${GONE.word}`)),
  });
  return fetch(`${app.address}/trpc/files.upload`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    body,
    duplex: 'half',
  } as RequestInit).then(
    ({ status }) => String(status),
    () => 'ended',
  );
}

const chunkIdsOf = async (tenantId: string) =>
  (await app.db.selectFrom('chunks').select('id').where('tenantId', '=', tenantId).execute()).map(
    ({ id }) => id,
  );

/** Waits until background work has come to rest: deliveries, postings, the search index, counters, counts of minutes. */
async function untilAtRest(): Promise<void> {
  await app.settle();
  let last = '';
  const isAtRest = async () => {
    while (await rollUpLists(app.db));
    const before = last;
    last = JSON.stringify(await rowsOf(app.db, KEPT.tenantId));
    return last === before;
  };
  await waitFor(isAtRest, { what: 'nothing to change', intervalMs: 6_000 });
}

test('refuses what was not confirmed, or a folder with something in it', async () => {
  const refused = { status: 2, stdout: '' };
  expect(await tenant('delete', GONE.tenantId)).toMatchObject(refused);
  expect(await tenant('delete', GONE.tenantId, '--confirm', 'ornithologi')).toMatchObject(refused);
  expect(await tenant('delete', '', '--confirm', '')).toMatchObject(refused);
  expect(await tenant('export', GONE.tenantId)).toMatchObject(refused);
  await writeFile(path.join(folder, 'notes.txt'), '');
  expect(await tenant('export', GONE.tenantId, '--to', folder)).toMatchObject({ status: 1, stdout: '' });
  await rm(path.join(folder, 'notes.txt'));
  const file = path.join(os.tmpdir(), `${path.basename(folder)}-file`);
  await writeFile(file, '');
  const { username } = os.userInfo();
  expect(await tenant('export', GONE.tenantId, '--to', file)).toEqual({
    status: 1,
    stdout: '',
    stderr: `Files: ${path.join(app.dataDir, 'files')}\n${file} is a file, and a folder is needed (EEXIST: file already exists, mkdir). Use a folder that the user ${username}, which this command runs as, has the right to write to.\n`,
  });
  await rm(file);
});

test('exports rows and files, with hashes that are right and without secrets', async () => {
  const { status, stdout } = await tenant('export', GONE.tenantId, '--to', folder, '--json');
  expect(status).toBe(0);
  const manifest = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8'));
  expect(JSON.parse(stdout)).toEqual(manifest);
  expect(manifest).toMatchObject({ format: 1, tenantId: GONE.tenantId, missingFiles: [] });
  for (const { file, sha256: hash, rows } of [...Object.values<any>(manifest.tables), manifest.files]) {
    const text = await readFile(path.join(folder, file), 'utf8');
    expect({ file, hash }).toEqual({ file, hash: sha256(Buffer.from(text)) });
    if (rows !== undefined) expect({ file, rows }).toEqual({ file, rows: text.split('\n').length - 1 });
    expect(text.includes(KEPT.word)).toBe(false);
    expect(/whsec_|secret_hash/.test(text)).toBe(false);
  }
  const list = (await readFile(path.join(folder, 'files.ndjson'), 'utf8')).trim().split('\n');
  expect(await readdir(path.join(folder, 'files'))).toHaveLength(2);
  const texts: string[] = [];
  for (const { file, sha256: hash } of list.map((line) => JSON.parse(line))) {
    const bytes = await readFile(path.join(folder, file));
    expect({ file, hash }).toEqual({ file, hash: sha256(bytes) });
    texts.push(bytes.toString());
  }
  expect(texts.sort()).toEqual([
    `# ${GONE.word}\n\nFrom a file about the ${GONE.word}.`,
    `A file of ${GONE.word}`,
  ]);
});

test('shows what there is, and changes nothing', async () => {
  const { status, stdout } = await tenant('delete', GONE.tenantId, '--dry-run', '--json');
  const report = JSON.parse(stdout);
  expect({ status, report }).toMatchObject({
    status: 0,
    report: {
      storage: path.join(app.dataDir, 'files'),
      tenantId: GONE.tenantId,
      dryRun: true,
      files: 2,
      tables: { conversations: 1, documents: 2, messages: 1 },
    },
  });
  const { items } = await gone.caller.documents.list.query({ scope: { tenantId: GONE.tenantId } });
  expect(items).toHaveLength(2);
});

test('a storage without the folder is not the one of the server: nothing is deleted', async () => {
  const elsewhere = { ...env, DATA_DIR: path.join(folder, 'elsewhere') };
  const args = ['tenant', 'delete', GONE.tenantId, '--confirm', GONE.tenantId];
  const { status, stdout, stderr } = await startProgram(args, elsewhere).ended;
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain(
    `The tenant has 2 files, and the folder of the storage, ${elsewhere.DATA_DIR}/files`,
  );
  expect(stderr).toContain('Set DATA_DIR and STORAGE_URL as the server has them.');
  expect((await tenant('delete', GONE.tenantId, '--dry-run')).stdout).toMatch(
    /^The tenant ornithology has 1 conversation, 1 message, 2 documents, 2 chunks, 3 API keys, 1 webhook, \d+ events of the audit log, 2 files; \d+ rows in all\.\n$/,
  );
});

test('a tenant that does not exist', async () => {
  const sentence = 'There is no tenant herpetology.\n';
  const exported = await tenant('export', 'herpetology', '--to', path.join(folder, 'herpetology'));
  expect(exported).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(sentence) });
  expect(await tenant('delete', 'herpetology', '--dry-run')).toMatchObject({ status: 0, stdout: sentence });
});

test('deletes everything, also after a kill and under a worker, and nothing of another tenant', async () => {
  await untilAtRest();
  const chunkIds = await chunkIdsOf(GONE.tenantId);
  const indexed = async () => {
    const ids = await indexedIds();
    return chunkIds.every((id) => ids.includes(id));
  };
  await waitFor(indexed, { what: 'the chunks to be indexed' });
  const others = await rowsOf(app.db, KEPT.tenantId);
  expect(await findText(app.db, GONE.word)).toEqual(expect.arrayContaining(TABLES_WITH_TEXT));

  await gone.caller.documents.create.mutate({
    scope: gone.scope,
    documentType: 'UnstructuredFile',
    documentName: GONE.word,
    url: pages.url(PAGE),
  });
  await waitFor(() => pages.asked().includes(PAGE), { what: 'a worker to fetch the page' });
  const upload = beginUpload({ 'x-api-key': gone.key });
  await waitFor(async () => (await storedFiles()).some((file) => file.endsWith('.partial')), {
    what: 'an upload to begin',
  });
  const killed = startProgram(['tenant', 'delete', GONE.tenantId, '--confirm', GONE.tenantId], env);
  killed.child.stderr?.on('data', (text) => text.includes('revoked') && killed.child.kill('SIGKILL'));
  expect((await killed.ended).status).toBeNull();
  const headers = { 'x-api-key': gone.key };
  expect((await app.request('GET', '/admin/api/v2/conversations', { headers })).status).toBe(401);

  const first = tenant('delete', GONE.tenantId, '--confirm', GONE.tenantId, '--json');
  const { status, stdout, stderr } = await first;
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('revoked') });
  expect(JSON.parse(stdout)).toMatchObject({
    tenantId: GONE.tenantId,
    dryRun: false,
    searchIndex: 'confirmed',
    tables: { conversations: 1, messages: 1 },
  });
  expect(await upload).toBe('ended');
  pages.answer(PAGE, `The ${GONE.word} on a page`);
  await untilAtRest();

  expect(await rowsOf(app.db, KEPT.tenantId)).toEqual(others);
  expect(await findText(app.db, GONE.tenantId)).toEqual([]);
  expect(await findText(app.db, GONE.word)).toEqual([]);
  const left = await indexedIds();
  expect(chunkIds.filter((id) => left.includes(id))).toEqual([]);
  for (const id of chunkIds) expect(await findText(app.db, id)).toEqual([]);
  const files = await storedFiles();
  expect(files).toHaveLength(2);
  for (const file of files) expect(await readFile(file, 'utf8')).toContain(KEPT.word);
});

test('run again, it finds nothing', async () => {
  const again = await tenant('delete', GONE.tenantId, '--confirm', GONE.tenantId);
  expect(again).toMatchObject({ status: 0, stdout: 'Nothing of the tenant ornithology is left.\n' });
  const { items } = await kept.caller.documents.list.query({ scope: { tenantId: KEPT.tenantId } });
  expect(items).toHaveLength(2);
});

test('a new tenant of the same name finds nothing', async () => {
  const { key } = await app.makeKey({ scope: { tenantId: GONE.tenantId } });
  const find = async (headers: Record<string, string>, scope: typeof gone.scope, query: string) => {
    const { tenantId: tenant_id, tenantUnitId: tenant_unit_id } = scope;
    const body = { tenant_id, tenant_unit_id, dataset_ids: ['faq'], query };
    const answer = await app.request('POST', SEARCH, { query: { tenantId: tenant_id }, body, headers });
    expect(answer.status).toBe(200);
    return JSON.stringify(answer.body);
  };
  expect(await find({ 'x-api-key': key }, gone.scope, GONE.word)).toBe('[]');
  expect(await find({ 'x-api-key': kept.key }, kept.scope, KEPT.word)).toContain(`the ${KEPT.word} is back`);
});

test('a storage that has none of the files is reported once', async () => {
  const elsewhere = { ...env, DATA_DIR: path.join(folder, 'elsewhere') };
  await mkdir(path.join(elsewhere.DATA_DIR, 'files'), { recursive: true });
  const args = ['tenant', 'delete', KEPT.tenantId, '--confirm', KEPT.tenantId, '--json'];
  const { status, stdout, stderr } = await startProgram(args, elsewhere).ended;
  const report = JSON.parse(stdout);
  expect({ status, report }).toMatchObject({ status: 1, report: { files: 0, missingFiles: 2 } });
  expect(stderr).toContain(`2 files are not in the storage ${report.storage}. Set DATA_DIR and STORAGE_URL`);
});
