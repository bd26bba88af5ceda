import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.js';
import { readConfig } from '../../src/config/config.js';
import { startEmbeddingWorker } from '../../src/search/embedding/embedding-worker.js';
import { createRestClient } from '../integration/support/rest-client.js';
import { startBeside } from '../integration/support/start-beside.js';
import { useApp } from '../support/app.js';
import { embeddingConfig, startEmbeddingServer } from '../support/embedding-server.js';
import { findDatabaseUrl, runForJson } from '../support/run-command.js';
import { waitFor } from '../support/wait-for.js';

/* What stands before questions and passages, where a version did not know the prefixes of a model and the next one does. */

const MODEL = 'nomic-embed-text';
const endpoint = await startEmbeddingServer();
afterAll(() => endpoint.close());

const withoutPrefixes = embeddingConfig({ url: endpoint.url, model: MODEL });
/** As configured by these variables. */
const configured = (variables: NodeJS.ProcessEnv = {}, model = MODEL) => {
  const { embedding } = readConfig({ EMBEDDING_URL: endpoint.url, EMBEDDING_MODEL: model, ...variables });
  return { ...(embedding as NonNullable<Config['embedding']>), searchTimeoutMs: 2_000 };
};

const app = useApp({ embedding: withoutPrefixes, role: 'api' });
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

const start = (embedding: NonNullable<Config['embedding']>) =>
  startEmbeddingWorker({ db: app.db, options: embedding, log: pino({ level: 'silent' }) });
const models = () =>
  app.db
    .selectFrom('embeddingModels')
    .select(['id', 'status', 'queryPrefix', 'passagePrefix', 'center'])
    .where('status', '<>', 'retired')
    .orderBy('id')
    .execute();
const status = async () => (await app.trpc().search.status.query()).embedding;

let documents = 0;
async function embedOne(): Promise<string> {
  const text = `Heron number ${++documents} stands in the water.`;
  await rest.createDocument({ documentContent: text }, ['faq']);
  await worker.settle();
  await waitFor(() => endpoint.texts().some((one) => one.endsWith(text)), { what: 'the text' });
  await waitFor(async () => (await status())?.waiting === 0, { what: 'all texts to be embedded' });
  return endpoint.texts().find((one) => one.endsWith(text)) as string;
}

/** The question is a new one each time, so that its vector is asked for. */
async function askOne(): Promise<string> {
  const text = `Which heron is number ${++documents}?`;
  await waitFor(
    async () => (await rest.askSearch(text)).headers.get('x-search-mode') === 'hybrid' || undefined,
    { what: 'a search by meaning' },
  );
  return endpoint.texts().find((one) => one.endsWith(text)) as string;
}

/** What a server with this configuration says when it starts. */
async function startAndRead(embedding: NonNullable<Config['embedding']>) {
  const { app: started, logged } = await startBeside(app, { role: 'api', embedding });
  const found = () => logged.filter((line) => 'passagePrefix' in line);
  await waitFor(() => found().length > 0, { what: 'the line' });
  await started.close();
  return found();
}

test('texts that were embedded without a prefix stay so until a rebuild', async () => {
  const old = start(withoutPrefixes);
  expect(await embedOne()).toMatch(/^Heron/);
  await old.stop();
  const before = await models();

  const upgraded = start(configured());
  expect(await embedOne()).toMatch(/^Heron/);
  expect(await askOne()).toMatch(/^Which/);
  expect(await models()).toEqual(before);
  expect(await startAndRead(configured())).toMatchObject([
    {
      level: 40,
      model: MODEL,
      queryPrefix: 'search_query: ',
      passagePrefix: 'search_document: ',
      msg: expect.stringContaining('lectern search embed --rebuild'),
    },
  ]);

  const env = {
    DATABASE_URL: await findDatabaseUrl(app.db),
    EMBEDDING_URL: endpoint.url,
    EMBEDDING_MODEL: MODEL,
  };
  expect(await runForJson('embed', ['--rebuild'], env)).toMatchObject({ status: 0 });
  await waitFor(async () => (await models()).length === 1 && (await status())?.filled, {
    what: 'the rebuild',
  });
  expect(await models()).toMatchObject([
    { status: 'live', queryPrefix: 'search_query: ', passagePrefix: 'search_document: ' },
  ]);
  expect(await embedOne()).toMatch(/^search_document: Heron/);
  await waitFor(async () => (await askOne()).startsWith('search_query: Which'), { what: 'the prefix' });
  expect(await startAndRead(configured())).toMatchObject([
    {
      level: 30,
      model: MODEL,
      queryPrefix: 'search_query: ',
      passagePrefix: 'search_document: ',
      msg: 'the embedding model gets prefixes',
    },
  ]);
  await upgraded.stop();
});

test('another prefix of questions keeps the vectors of the texts', async () => {
  const [before] = await models();
  const texts = endpoint.texts().length;
  const other = start(configured({ EMBEDDING_QUERY_PREFIX: 'clustering: ' }));
  await waitFor(async () => (await models())[0]?.queryPrefix === 'clustering: ', { what: 'the prefix' });
  await waitFor(async () => (await askOne()).startsWith('clustering: Which'), { what: 'a question with it' });
  expect(await models()).toEqual([{ ...before, queryPrefix: 'clustering: ' }]);
  expect(
    endpoint
      .texts()
      .slice(texts)
      .filter((text) => text.includes('Heron')),
  ).toEqual([]);
  await other.stop();
});

test('another prefix of passages makes another model', async () => {
  const [before] = await models();
  const other = start(configured({ EMBEDDING_QUERY_PREFIX: 'none', EMBEDDING_PASSAGE_PREFIX: 'none' }));
  await waitFor(async () => (await models())[0]?.id !== before?.id && (await models()).length === 1, {
    what: 'the other model',
  });
  expect(await models()).toMatchObject([{ status: 'live', queryPrefix: '', passagePrefix: '' }]);
  await other.stop();
});

test('a model that an older version has made is measured by the next worker, and searched by words until then', async () => {
  await app.db.updateTable('embeddingModels').set({ cosines: null, center: null }).execute();
  const mode = async () =>
    (await rest.askSearch(`Which heron is number ${++documents}?`)).headers.get('x-search-mode');
  await waitFor(async () => (await mode()) === 'lexical', { what: 'a search by words' });
  const measuring = start(configured({ EMBEDDING_QUERY_PREFIX: 'none', EMBEDDING_PASSAGE_PREFIX: 'none' }));
  await waitFor(async () => (await mode()) === 'hybrid', { what: 'a search by meaning' });
  const [model] = await app.db
    .selectFrom('embeddingModels')
    .select(['cosines', 'center', 'dimensions'])
    .where('status', '=', 'live')
    .execute();
  expect(model?.cosines?.Latin?.related).toBeGreaterThan(model?.cosines?.Latin?.unrelated ?? 1);
  expect(model?.center).toHaveLength(model?.dimensions ?? 0);
  await measuring.stop();
});
