import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import { permissions } from '../../src/auth/permissions.js';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { createApiKeys } from '../../src/services/api-keys/api-keys.js';
import { createWriteTransaction } from '../../src/services/shared/write-transaction.js';
import { startConsumer } from '../integration/support/webhook-consumer.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { startEmbeddingServer } from '../support/embedding-server.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { openSearchServer } from '../support/search-server.js';
import { startServerProcess } from '../support/server-process.js';
import { type CollectedSpan, startTraceCollector } from '../support/trace-collector.js';
import { waitFor } from '../support/wait-for.js';

const CLIENT_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CLIENT_SPAN = '00f067aa0ba902b7';
const TRACEPARENT = `00-${CLIENT_TRACE}-${CLIENT_SPAN}-01`;
const BATCH_TRACE = '5bf92f3577b34da6a3ce929d0e0e4736';
const UNSAMPLED_TRACE = '6bf92f3577b34da6a3ce929d0e0e4736';
const scope = { tenantId: 'acme', tenantUnitId: 'legal' };

let database: TestDatabase;
let client: DatabaseClient;
let folder: Awaited<ReturnType<typeof makeDataDir>>;
let collector: Awaited<ReturnType<typeof startTraceCollector>>;
let consumer: Awaited<ReturnType<typeof startConsumer>>;
let search: Awaited<ReturnType<typeof openSearchServer>>;
let embedding: Awaited<ReturnType<typeof startEmbeddingServer>>;
let key: string;
let env: Record<string, string> & { DATA_DIR: string };

beforeAll(async () => {
  [database, folder, collector, consumer, search, embedding] = await Promise.all([
    createTestDatabase(),
    makeDataDir('traces'),
    startTraceCollector(),
    startConsumer(),
    openSearchServer(),
    startEmbeddingServer(),
  ]);
  client = connectUnscoped(database.url, { max: 2 });
  env = {
    DATA_DIR: folder.dataDir,
    DATABASE_URL: database.url,
    AUTH_MODE: 'required',
    LOG_LEVEL: 'info',
    FETCH_ALLOW_HOSTS: '127.0.0.1',
    MEILI_URL: search.config.url,
    MEILI_ADMIN_KEY: search.config.adminKey ?? '',
    MEILI_INDEX_PREFIX: search.config.prefix,
    EMBEDDING_URL: embedding.url,
    EMBEDDING_MODEL: 'words',
    EMBEDDING_API_KEY: 'embedding-key-zqxw',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=collector-key-zqxw',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  };
  key = await createKey();
});

afterAll(async () => {
  await Promise.all([collector?.close(), consumer?.stop(), search?.close(), embedding?.close()]);
  await client?.close();
  await database?.drop();
  await folder?.remove();
});

async function createKey(): Promise<string> {
  const { db } = client;
  const writeTransaction = createWriteTransaction(db);
  const apiKeys = createApiKeys({ db, writeTransaction, clock: () => new Date(), maxPageSize: 1 });
  const fields = { scope: { tenantId: scope.tenantId }, scopes: [...permissions], name: 'test' };
  return (await apiKeys.create(fields, { userId: undefined })).key;
}

const call = (address: string, path: string, init: RequestInit = {}, headers = {}) =>
  fetch(address + path, { ...init, headers: { 'x-api-key': key, ...headers } });

const post = (address: string, path: string, body: unknown, headers = {}) =>
  call(
    address,
    path,
    { method: 'POST', body: JSON.stringify(body) },
    { 'content-type': 'application/json', ...headers },
  );

const upload = (address: string, text: string, headers = {}) => {
  const body = new FormData();
  const fields = { ...scope, documentType: 'UnstructuredFile', datasetIds: 'handbook' };
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', new File([text], 'plan-zqxw.txt'));
  return call(address, '/admin/api/v1/documents/upload', { method: 'POST', body }, headers);
};

const ask = async (address: string, query: string): Promise<unknown[]> => {
  const body = {
    tenant_id: scope.tenantId,
    tenant_unit_id: scope.tenantUnitId,
    dataset_ids: ['handbook'],
    query,
  };
  return (await post(address, '/admin/api/v1/api/v1/documentChunks/search?tenantId=acme', body)).json();
};

test('one trace goes from an upload through statements, job, child process and index to the webhook', async () => {
  const server = await startServerProcess(env);
  const { address } = server;
  const hook = { scope, url: `${consumer.url}/hook-zqxw?token=hook-zqxw`, eventTypes: ['document.ready'] };
  const created = await post(address, '/trpc/webhooks.create', hook);
  expect(created.status).toBe(200);
  const { secret } = (await created.json()).result.data;

  const answer = await upload(address, 'Refunds are wombat-zqxw after a fortnight.', {
    traceparent: TRACEPARENT,
  });
  expect(answer.status).toBe(200);
  const documentId = (await answer.json()).id;
  const [event] = await consumer.expectEvents(1);
  await waitFor(async () => (await ask(address, 'question-zqxw refunds')).length > 0, { what: 'a hit' });
  expect((await call(address, '/admin/api/v1/path-zqxw?x=query-zqxw')).status).toBe(404);
  const isThere = (name: string) => collector.spans.some((span) => span.name === name);
  await waitFor(() => isThere('sync search index') && isThere('embed texts'), {
    what: 'work in the background',
  });
  expect(await server.end('SIGTERM')).toBe(0);

  const trace = collector.spans.filter(({ traceId }) => traceId === CLIENT_TRACE);
  const one = (name: string, parent?: CollectedSpan) => {
    const found = trace.filter(
      (span) => span.name === name && (!parent || span.parentSpanId === parent.spanId),
    );
    expect(found, name).toHaveLength(1);
    return found[0]!;
  };
  const request = one('POST /admin/api/v1/documents/upload');
  expect(request).toMatchObject({ parentSpanId: CLIENT_SPAN, kind: 2 });
  expect(request.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/admin/api/v1/documents/upload',
    'http.response.status_code': 200,
    'url.path': '/admin/api/v1/documents/upload',
    'url.scheme': 'http',
    'lectern.request_id': answer.headers.get('x-request-id'),
    'lectern.tenant_id': 'acme',
    'lectern.key_id': key.split('_')[1],
  });
  const file = one('write file', one('files.upload', request));
  expect(file.attributes).toEqual({ 'lectern.storage': 'file', 'lectern.bytes': 42 });
  const create = one('documents.create', request);
  expect(one('INSERT documents', create)).toMatchObject({
    kind: 3,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': 'INSERT',
      'db.query.text': expect.stringMatching(/^insert into "documents" \(.*values \(\$1, \$2/),
      'lectern.pool': 'requests',
    },
  });
  const job = one('process document', create);
  expect(job).toMatchObject({
    kind: 5,
    attributes: { 'lectern.tenant_id': 'acme', 'lectern.document_id': documentId, 'lectern.attempts': 0 },
  });
  const child = one('parse in a child process', job);
  expect(child.attributes).toMatchObject({ 'lectern.bytes': 42, 'lectern.sandbox.is_new': true });
  expect(child.events).toEqual(['has a slot', 'batch']);
  one('INSERT posting_changes', one('index chunks', job));
  const delivery = one('deliver webhook', job);
  const sent = one('POST', delivery);
  expect(sent).toMatchObject({
    kind: 3,
    attributes: { 'http.response.status_code': 204, 'server.address': new URL(consumer.url).host },
  });
  expect(event?.headers.traceparent).toBe(`00-${CLIENT_TRACE}-${sent.spanId}-01`);
  const spanIds = new Set([CLIENT_SPAN, ...trace.map(({ spanId }) => spanId)]);
  expect(trace.filter(({ parentSpanId }) => !spanIds.has(String(parentSpanId)))).toEqual([]);
  expect(collector.spans.filter(({ status }) => status === 2)).toEqual([]);

  const search = collector.spans.filter(({ name }) => name === 'search').at(-1);
  expect(search?.attributes).toMatchObject({
    'lectern.search.engine': 'meilisearch',
    'lectern.search.hits': 1,
  });
  const below = collector.spans.filter(({ parentSpanId }) => parentSpanId === search?.spanId);
  expect(below.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['ask embedding endpoint', 'ask search server']),
  );
  expect(collector.resources[0]).toMatchObject({
    'service.name': 'lectern',
    'deployment.environment.name': 'test',
  });
  expect(collector.headers[0]).toMatchObject({ 'x-collector-key': 'collector-key-zqxw' });

  // Texts, questions, names of files, addresses, values, keys and secrets.
  const { password } = new URL(database.url);
  for (const confidential of [key, secret, ...(password ? [password] : []), '-zqxw']) {
    expect(collector.bytes).not.toContain(confidential);
  }
  const lines = server.printed.stdout.split('\n').filter((line) => line.startsWith('{'));
  const logged = lines
    .map((line) => JSON.parse(line))
    .find(({ route }) => route === request.attributes['http.route']);
  expect(logged).toMatchObject({ trace_id: CLIENT_TRACE, span_id: request.spanId });
});

test('the first sync of the search index is traced where changes wait for it', async () => {
  const refused = await startServerProcess({ ...env, MEILI_ADMIN_KEY: 'refused' });
  expect((await upload(refused.address, 'Wait for the index.')).status).toBe(200);
  const waits = async () =>
    (await client.db.selectFrom('searchOutbox').select('chunkId').execute()).length > 0;
  await waitFor(waits, { what: 'a change of the index' });
  expect(await refused.end('SIGTERM')).toBe(0);
  const known = collector.spans.length;

  const server = await startServerProcess(env);
  await waitFor(async () => !(await waits()), { what: 'the change to be sent' });
  expect(await server.end('SIGTERM')).toBe(0);
  const names = collector.spans.slice(known).map(({ name }) => name);
  expect(names.filter((name) => name === 'sync search index')).toHaveLength(1);
});

test('documents that are processed together are in the trace of their request; what a client does not sample is not', async () => {
  const server = await startServerProcess(env);
  const describe = (text: string) => ({ documentType: 'UnstructuredFile', documentContent: text });
  const create = async (traceparent: string, texts: string[]) => {
    const input = { scope, documents: texts.map(describe) };
    const { status } = await post(server.address, '/trpc/documents.createMany', input, { traceparent });
    expect(status).toBe(200);
  };
  const known = consumer.received.length;
  await create(`00-${UNSAMPLED_TRACE}-${CLIENT_SPAN}-00`, ['Nobody watches this.']);
  await consumer.expectEvents(known + 1);
  await create(`00-${BATCH_TRACE}-${CLIENT_SPAN}-01`, ['One.', 'Two.']);
  const events = (await consumer.expectEvents(known + 3)).slice(known);
  expect(await server.end('SIGTERM')).toBe(0);

  const traceOf = (id: string) => collector.spans.filter(({ traceId }) => traceId === id);
  expect(traceOf(UNSAMPLED_TRACE)).toEqual([]);
  const trace = traceOf(BATCH_TRACE);
  const request = trace.find(({ name }) => name === 'documents.createMany');
  const jobs = trace.filter(({ name }) => name === 'process document');
  const batch = collector.spans.find(({ name }) => name === 'process documents');
  expect(jobs).toHaveLength(2);
  for (const job of jobs)
    expect(job).toMatchObject({ parentSpanId: request?.spanId, links: [batch?.spanId] });
  expect(batch).toMatchObject({ links: [request?.spanId, request?.spanId], parentSpanId: undefined });
  const deliveries = trace.filter(({ name }) => name === 'deliver webhook');
  expect(new Set(deliveries.map(({ parentSpanId }) => parentSpanId))).toEqual(
    new Set(jobs.map(({ spanId }) => spanId)),
  );
  expect(events.map(({ headers }) => headers.traceparent?.slice(3, 35))).toEqual([
    undefined,
    BATCH_TRACE,
    BATCH_TRACE,
  ]);
});

test('an endpoint that is gone, hangs or answers without end is not noticed but in the log', async () => {
  const hanging = await startTraceCollector();
  hanging.answer = () => {};
  const endless = await startTraceCollector();
  endless.answer = (response) => {
    response.writeHead(200);
    const send = () => !response.destroyed && response.write('x'.repeat(65_536), () => setImmediate(send));
    send();
  };
  const urls = ['http://127.0.0.1:1', hanging.url, endless.url];
  const results = await Promise.all(
    urls.map(async (url) => {
      const { OTEL_EXPORTER_OTLP_PROTOCOL: _, ...defaults } = env;
      const server = await startServerProcess({
        ...defaults,
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_EXPORTER_OTLP_TIMEOUT: '300',
        OTEL_BSP_MAX_QUEUE_SIZE: '10',
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
        SHUTDOWN_TIMEOUT_SECONDS: '15',
      });
      const statuses = new Set<number>();
      for (let i = 0; i < 30; i++) {
        statuses.add((await call(server.address, '/admin/api/v2/conversations?tenantId=acme')).status);
      }
      const warnings = () => server.printed.stdout.match(/traces are not exported/g)?.length;
      await waitFor(() => warnings() !== undefined, { what: 'a warning' });
      return { statuses: [...statuses], exit: await server.end('SIGTERM'), warnings: warnings() };
    }),
  );
  expect(results).toEqual(urls.map(() => ({ statuses: [200], exit: 0, warnings: 1 })));
  expect(hanging.headers[0]?.['content-type']).toBe('application/x-protobuf');
  await Promise.all([hanging.close(), endless.close()]);
});

test('without the variables nothing of OpenTelemetry but its interface, which is in the bundle, is loaded', async () => {
  const report = `import { createRequire } from 'node:module';
    process.on('exit', () => {
      const files = Object.keys(createRequire('/').cache);
      const names = files.map((file) => /@opentelemetry.(\\w[\\w-]*)/.exec(file)?.[1]).filter(Boolean);
      process.stderr.write('loaded: ' + [...new Set(names)] + ';');
    });`;
  const off = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('OTEL_')));
  const start = async (more: Record<string, string>) => {
    const server = await startServerProcess({
      ...(off as typeof env),
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(report)}`,
      ...more,
    });
    expect((await call(server.address, '/admin/api/v2/conversations?tenantId=acme')).status).toBe(200);
    expect(await server.end('SIGTERM')).toBe(0);
    return /loaded: (.*);/.exec(server.printed.stderr)?.[1];
  };
  const sent = collector.headers.length;
  expect(await start({})).toBe('');
  expect(await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'true' })).toBe('');
  expect(collector.headers).toHaveLength(sent);
});
