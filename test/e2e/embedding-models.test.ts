import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { startEmbeddingWorker } from '../../src/search/embedding/embedding-worker.js';
import { createRestClient } from '../integration/support/rest-client.js';
import { useApp } from '../support/app.js';
import { type EmbeddingRequest, embeddingConfig, startEmbeddingServer } from '../support/embedding-server.js';
import { findDatabaseUrl, runForJson } from '../support/run-command.js';
import { waitFor } from '../support/wait-for.js';

/* A change of the model: the former vectors serve until the new ones are complete. */

const endpoint = await startEmbeddingServer();
afterAll(() => endpoint.close());

const embedding = (model: string) =>
  embeddingConfig(
    { url: endpoint.url, model },
    { queryPrefix: 'question: ', passagePrefix: 'passage: ', batchSize: 4, concurrency: 1 },
  );

const app = useApp({ embedding: embedding('first'), role: 'api' });
const worker = useApp(
  { role: 'worker' },
  {
    beside: {
      get databaseUrl() {
        return app.databaseUrl;
      },
    },
  },
);
const rest = createRestClient(app);
const log = pino({ level: 'silent' });

const startEmbedding = (model: string) =>
  startEmbeddingWorker({ db: app.db, options: embedding(model), log });
const status = async () => (await app.trpc().search.status.query()).embedding;
const until = (what: string, isSo: (now: Awaited<ReturnType<typeof status>>) => boolean) =>
  waitFor(async () => isSo(await status()), { what });

/** The question is a new one each time, so that its vector is asked for. */
let asked = 0;
async function search() {
  const { headers, body } = await rest.askSearch(`money for my order ${asked++}`);
  const { model } = endpoint.state.requests.findLast(({ texts }) => texts[0]?.startsWith('question: ')) ?? {};
  return { mode: headers.get('x-search-mode'), model, names: body.map((hit: any) => hit.document_name) };
}

test('searches use the former vectors until the new model has all, and a rebuild takes their place likewise', async () => {
  for (const [documentName, documentContent] of [
    ['fees', 'The order form lists the fees of an order, and of another order.'],
    ['refunds', 'An order is reimbursed within seven days.'],
    ['shipping', 'An order is sent by train.'],
  ]) {
    await rest.createDocument({ documentName, documentContent }, ['faq']);
  }
  await rest.createDocument({ documentContent: 'Basilisks.' }, ['refused by the first model']);
  await worker.settle();
  expect(await search()).toMatchObject({ mode: 'lexical' });
  const isRefused = ({ model, texts }: EmbeddingRequest) =>
    model === 'first' && texts.some((text) => text.includes('Basilisks'));
  endpoint.state.fault = (request) => (isRefused(request) ? { status: 400 } : undefined);

  const first = startEmbedding('first');
  await until('the first model', (now) => now?.filled === true);
  await first.stop();
  await waitFor(async () => (await search()).mode === 'hybrid', { what: 'searches by meaning' });
  expect(await search()).toMatchObject({ model: 'first', names: ['refunds', 'fees', 'shipping'] });
  expect(endpoint.texts()).toContain('passage: An order is reimbursed within seven days.');

  const isPassages = ({ model, texts }: { model: string; texts: string[] }) =>
    model === 'second' && texts.some((text) => text.includes('An order'));
  endpoint.state.fault = (request) => (isPassages(request) ? { status: 503 } : undefined);
  const second = startEmbedding('second');
  await until('the second model', (now) => now?.next === 'second');
  expect(await search()).toMatchObject({
    mode: 'hybrid',
    model: 'first',
    names: ['refunds', 'fees', 'shipping'],
  });
  expect(await status()).toMatchObject({ model: 'first', next: 'second' });

  endpoint.state.fault = undefined;
  await until('the second model in its place', (now) => now?.model === 'second' && now.next === null);
  expect(await status()).toMatchObject({ waiting: 0, failed: 0 });
  await waitFor(async () => (await search()).model === 'second', { what: 'questions to the second model' });
  expect(await search()).toMatchObject({ mode: 'hybrid', names: ['refunds', 'fees', 'shipping'] });

  const before = endpoint.texts().length;
  const env = {
    DATABASE_URL: await findDatabaseUrl(app.db),
    EMBEDDING_URL: endpoint.url,
    EMBEDDING_MODEL: 'second',
    EMBEDDING_QUERY_PREFIX: 'question: ',
    EMBEDDING_PASSAGE_PREFIX: 'passage: ',
  };
  expect(await runForJson('embed', ['--rebuild'], env)).toMatchObject({
    status: 0,
    json: { embedding: { model: 'second' }, failure: null },
  });
  await until('the rebuild', (now) => now?.next === null && now.filled);
  expect(endpoint.texts().slice(before)).toContain('passage: An order is sent by train.');
  expect(await search()).toMatchObject({ mode: 'hybrid', model: 'second' });

  endpoint.state.dimensions = 32;
  const changed =
    'second has given vectors of 64 dimensions, and gives 32 now. Rebuild them: lectern search embed --rebuild';
  expect(await search()).toMatchObject({ mode: 'lexical' });
  expect(await runForJson('embed', ['--status'], env)).toMatchObject({
    status: 1,
    json: { failure: changed },
  });
  expect(await runForJson('embed', ['--rebuild'], env)).toMatchObject({ status: 0, json: { failure: null } });
  await until('vectors of other dimensions', (now) => now?.dimensions === 32);
  await waitFor(async () => (await search()).mode === 'hybrid', { what: 'searches by meaning' });
  await second.stop();
});
