import { execFile } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { LECTERN } from '../support/run-command.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { waitFor } from '../support/wait-for.js';

const run = promisify(execFile);
const FIXTURE = 'packages/file-to-markdown/test/fixtures/contract.pdf';
const DOCUMENTS = '/admin/api/v1/documents';

let folder: Awaited<ReturnType<typeof makeDataDir>>;
let server: ServerProcess | undefined;
let address = '';

beforeAll(async () => {
  folder = await makeDataDir('server');
});

afterAll(async () => {
  await server?.end('SIGTERM');
  await folder.remove();
});

/** The built server with an embedded database, as `npm start` runs it. */
async function start(): Promise<ServerProcess> {
  server = await startServerProcess({ DATA_DIR: folder.dataDir });
  address = server.address;
  return server;
}

async function get(route: string) {
  const response = await fetch(address + route);
  return response.json() as Promise<any>;
}

const untilReady = (id: string) =>
  waitFor(
    async () => {
      const document = await get(`${DOCUMENTS}/${id}?tenantId=acme`);
      return (document.status === 'ready' || document.status === 'failed') && document;
    },
    { what: 'the document to be processed', intervalMs: 50 },
  );

async function search(query: string): Promise<any[]> {
  const response = await fetch(`${address}/admin/api/v1/api/v1/documentChunks/search?tenantId=acme`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenant_id: 'acme', tenant_unit_id: 'legal', dataset_ids: ['contracts'], query }),
  });
  return response.json() as Promise<any[]>;
}

test('a PDF is uploaded, found, and found again after a restart and after a crash', async () => {
  const { printed } = await start();
  const ready = printed.stdout.split('\n').find((line) => line.includes('Lectern is ready')) ?? '{}';
  expect(JSON.parse(ready)).toMatchObject({
    address,
    // The build of the server alone has none.
    console: expect.stringMatching(/^(http:\/\/\S+\/|not built: npm run build)$/),
    reference: `${address}/docs`,
    data: folder.dataDir,
    database: expect.stringMatching(/^PostgreSQL 18\S*, embedded/),
    search: 'postgres',
  });

  const form = new FormData();
  form.set('documentType', 'UnstructuredFile');
  form.set('tenantId', 'acme');
  form.set('tenantUnitId', 'legal');
  form.set('datasetIds', 'contracts');
  form.set('file', await openAsBlob(FIXTURE, { type: 'application/pdf' }), 'contract.pdf');
  const created = await fetch(`${address}${DOCUMENTS}/upload`, { method: 'POST', body: form });
  expect(created.status).toBe(200);
  const { id, status } = (await created.json()) as { id: string; status: string };
  expect(status).toBe('created');
  expect(await untilReady(id)).toMatchObject({
    status: 'ready',
    documentSubType: 'pdf',
    processingProgress: 100,
  });

  const hits = await search('Who pays for damage to the property?');
  expect(hits.length).toBeGreaterThan(0);
  expect(hits[0]).toMatchObject({ document_id: id, document_name: 'contract.pdf' });

  expect(await server?.end('SIGTERM')).toBe(0);
  await start();
  expect(await search('Who pays for damage to the property?')).toEqual(hits);

  await server?.end('SIGKILL');
  await start();
  expect(await search('Who pays for damage to the property?')).toEqual(hits);
});

test('curl uploads a file too', async () => {
  const { stdout } = await run('curl', [
    '--silent',
    ...['tenantId=acme', 'tenantUnitId=legal', 'documentType=UnstructuredFile', 'datasetIds=curled'].flatMap(
      (field) => ['--form', field],
    ),
    '--form',
    `file=@${FIXTURE}`,
    `${address}${DOCUMENTS}/upload`,
  ]);
  expect(await untilReady(JSON.parse(stdout).id)).toMatchObject({
    status: 'ready',
    documentName: 'contract.pdf',
  });
});

test('a document that was being processed when the server died is processed after the next start', async () => {
  const text = 'The lighthouse keeper counts the ships. '.repeat(20_000);
  const created = await fetch(`${address}${DOCUMENTS}?tenantId=acme&datasetIds=["night"]`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      tenantId: 'acme',
      tenantUnitId: 'legal',
      documentType: 'UnstructuredFile',
      documentContent: text,
    }),
  });
  const { id } = (await created.json()) as { id: string };
  await server?.end('SIGKILL');
  await start();
  expect(await untilReady(id)).toMatchObject({ status: 'ready' });
});

test('the reference page and its parts are served', async () => {
  for (const route of ['/docs', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css', '/docs/start.js']) {
    expect((await fetch(address + route)).status).toBe(200);
  }
  // The package has more files than the page.
  for (const file of [
    'package.json',
    'index.html',
    'swagger-ui-bundle.js.map',
    'LICENSE',
    '..%2Fpackage.json',
  ]) {
    expect({ file, status: (await fetch(`${address}/docs/${file}`)).status }).toEqual({ file, status: 404 });
  }
});

test('a bad configuration is refused, every variable named', async () => {
  const failed = run(process.execPath, [LECTERN], {
    env: { PATH: process.env.PATH, PORT: 'eighty', MAX_PAGE_SIZE: '0', DATABASE_URL: 'mysql://x' },
  });
  await expect(failed).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/PORT[\s\S]*DATABASE_URL[\s\S]*MAX_PAGE_SIZE/),
  });
});

test('the demonstration tenant is filled beside the running server, once', async () => {
  const seed = () =>
    run(process.execPath, [LECTERN, 'seed'], {
      env: { PATH: process.env.PATH, DATA_DIR: folder.dataDir },
    });
  expect((await seed()).stdout).toContain('11 conversations added\n5 documents added\n');
  expect((await seed()).stdout).toContain('0 conversations added\n0 documents added\n');
  const page = await get('/admin/api/v2/conversations?tenant_id=demo&page_size=50');
  expect(new Set(page.data.map((one: { status: string }) => one.status)).size).toBe(11);
  expect(
    Math.max(...page.data.map((one: { message_count: number }) => one.message_count)),
  ).toBeGreaterThanOrEqual(45);
  const documents = await get(`${DOCUMENTS}?tenantId=demo`);
  expect(documents.data.map((one: { status: string }) => one.status)).toEqual(Array(5).fill('ready'));
});
