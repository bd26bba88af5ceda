import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectSearchDatabase } from '../../src/compose/search-database.js';
import { createCircuitBreaker } from '../../src/model-endpoint/circuit-breaker.js';
import type { ChunkIndex } from '../../src/search/chunk-index.js';
import { withReranking } from '../../src/search/reranking/with-reranking.js';
import { createSearch } from '../../src/services/search/search.js';
import { useApp } from '../support/app.js';
import { embeddingConfig, startEmbeddingServer } from '../support/embedding-server.js';
import { startRerankServer } from '../support/rerank-server.js';
import { runForJson } from '../support/run-command.js';
import { waitFor } from '../support/wait-for.js';
import { createRestClient, TENANT_UNIT } from './support/rest-client.js';

const endpoint = await startRerankServer();
const embeddings = await startEmbeddingServer();
const lines: { level: number; msg: string; reason?: string }[] = [];
const linesOfEndpoint = () => lines.filter(({ msg }) => /rerank|endpoint/.test(msg));
const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });

const cross = { url: endpoint.url, apiKey: 'secret', model: 'cross' };
const app = useApp({ reranking: { endpoint: cross, timeoutMs: 30_000 } }, { log });
const impatient = useApp({ reranking: { endpoint: cross, timeoutMs: 2_000 } }, { beside: app, log });
/** On the same database: by meaning, too, and with the requests of Text Embeddings Inference. */
const tei = useApp(
  {
    embedding: embeddingConfig({ url: embeddings.url, model: 'words' }),
    reranking: {
      endpoint: { url: endpoint.address, apiKey: undefined, model: undefined },
      timeoutMs: 5_000,
    },
  },
  { beside: app },
);
const plain = useApp({}, { beside: app });
const rest = createRestClient(app);

afterAll(() => Promise.all([endpoint.close(), embeddings.close()]));

const create = (documentName: string, documentContent: string, fields: object = {}, datasets = ['faq']) =>
  rest.createDocument({ documentName, documentContent, ...fields }, datasets);

const idsOf = (hits: any[]) => hits.map(({ id }) => id);
const namesOf = (hits: any[]) => hits.map((hit) => hit.document_name);

const found = async (query: string, client = rest) => {
  const { headers, body } = await client.askSearch(query);
  return { reranked: headers.get('x-search-reranked'), names: namesOf(body) };
};

/** What is found as soon as searches are reranked. */
async function foundReranked(client = rest) {
  let last = await found('heron', client);
  await waitFor(
    async () => {
      if (last.reranked !== 'true') last = await found('heron', client);
      return last.reranked === 'true';
    },
    { what: 'searches to be reranked' },
  );
  return last.names;
}

const NUMBER_OF_STORKS = 60;

beforeAll(async () => {
  await create('first', 'The heron, the heron: a heron worth 0.1 or less.');
  await create('second', 'A heron stands in the lake for hours, worth 0.7 at most.');
  await create('third', 'Where anglers and boats are on the water, a heron that is hungry waits: worth 0.9.');
  const storks = Array.from(
    { length: NUMBER_OF_STORKS },
    (_, i) => `A stork${' has a nest'.repeat(i)} on the roof, worth 0.${10 + ((i * 7) % 60)}.`,
  );
  await app.trpc().documents.create.mutate({
    scope: TENANT_UNIT,
    documentType: 'UnstructuredFile',
    datasetIds: ['faq'],
    documentContent: storks.join(' | '),
    chunking: { separators: ['|'] },
  });
  await app.settle();
});

const BY_WORDS = ['first', 'second', 'third'];
const BY_SCORES = ['third', 'second', 'first'];

afterEach(async () => {
  Object.assign(endpoint.state, { fault: undefined, distort: undefined });
  await foundReranked();
  lines.length = 0;
});

test('the endpoint orders what a search finds', async () => {
  endpoint.state.requests.length = 0;
  const { headers, body } = await rest.askSearch('heron');
  expect(headers.get('x-search-reranked')).toBe('true');
  expect(headers.get('x-search-mode')).toBe('lexical');
  expect(body.map((hit: any) => [hit.document_name, hit.score])).toEqual([
    ['third', 0.9],
    ['second', 0.7],
    ['first', 0.1],
  ]);
  expect(endpoint.state.requests).toEqual([
    {
      path: '/v1/rerank',
      authorization: 'Bearer secret',
      body: {
        model: 'cross',
        query: 'heron',
        documents: [
          'The heron, the heron: a heron worth 0.1 or less.',
          'A heron stands in the lake for hours, worth 0.7 at most.',
          'Where anglers and boats are on the water, a heron that is hungry waits: worth 0.9.',
        ],
      },
    },
  ]);
});

test('the typed client has the same order', async () => {
  const hits = await app.trpc().chunks.search.query({
    scope: TENANT_UNIT,
    datasetIds: ['faq'],
    query: 'heron',
  });
  expect(hits.map(({ documentName, score }) => [documentName, score])).toEqual([
    ['third', 0.9],
    ['second', 0.7],
    ['first', 0.1],
  ]);
});

test('the command has the same order', async () => {
  const env = {
    DATABASE_URL: app.databaseUrl,
    RERANK_URL: endpoint.url,
    RERANK_MODEL: 'cross',
    RERANK_TIMEOUT_MS: '60000',
  };
  const where = ['--tenant', TENANT_UNIT.tenantId, '--unit', TENANT_UNIT.tenantUnitId, '--dataset', 'faq'];
  const { json } = await runForJson('query', ['heron', ...where], env);
  expect(json.hits.map((hit: any) => hit.documentName)).toEqual(BY_SCORES);
});

test('without a reranker nothing is said of it', async () => {
  expect(await found('heron', createRestClient(plain))).toEqual({ reranked: null, names: BY_WORDS });
});

test('where nothing is found, nothing is asked', async () => {
  endpoint.state.requests.length = 0;
  expect(await found('ptarmigan')).toEqual({ reranked: 'false', names: [] });
  expect(endpoint.state.requests).toEqual([]);
});

test('logits give scores from 0 to 1', async () => {
  endpoint.state.distort = (scores) => scores.map(({ index, score }) => ({ index, score: 10 * score - 8 }));
  const { body } = await rest.askSearch('heron');
  expect(namesOf(body)).toEqual(BY_SCORES);
  expect(body.map((hit: any) => hit.score.toFixed(3))).toEqual(['0.731', '0.269', '0.001']);
});

describe('of many candidates', () => {
  test('the best 50 are ordered, and the others follow with lower scores', async () => {
    endpoint.state.requests.length = 0;
    const { body: byWords } = await createRestClient(plain).askSearch('stork', { top_k: NUMBER_OF_STORKS });
    const { headers, body } = await rest.askSearch('stork', { top_k: NUMBER_OF_STORKS });
    expect(headers.get('x-search-reranked')).toBe('true');
    const sent = endpoint.state.requests[0]?.body.documents;
    expect(sent).toEqual(byWords.slice(0, 50).map((hit: any) => hit.content));
    expect(idsOf(body.slice(0, 50)).toSorted()).toEqual(idsOf(byWords.slice(0, 50)).toSorted());
    expect(idsOf(body.slice(50))).toEqual(idsOf(byWords.slice(50)));
    const scores = body.map((hit: any) => hit.score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    expect(scores[0]).toBe(0.69);
    expect(scores[49]).toBeLessThan(0.2);
    expect(scores[59]).toBeGreaterThan(0);
  });

  test('few are asked for, and the best of all are found', async () => {
    const { body } = await rest.askSearch('stork', { top_k: 2 });
    expect(body.map((hit: any) => hit.score)).toEqual([0.69, 0.68]);
  });

  test('an explanation tells the rank that a search gives', async () => {
    const hits = await rest.search('stork', { top_k: 60 });
    const search = { scope: TENANT_UNIT, datasetIds: ['faq'], query: 'stork', topK: 5 };
    for (const place of [0, 30, 55]) {
      const { document_id: documentId, id: chunkId, score } = hits[place];
      const { chunk } = await app.trpc().search.explain.query({ ...search, chunk: { documentId, chunkId } });
      expect(chunk).toMatchObject({ chunkId, rank: place + 1, score });
    }
  });

  test('Text Embeddings Inference is asked in its form, 32 at a time, also after meaning', async () => {
    await waitFor(async () => (await tei.trpc().search.status.query()).embedding?.waiting === 0, {
      what: 'all texts to be embedded',
    });
    endpoint.state.requests.length = 0;
    const { headers, body } = await createRestClient(tei).askSearch('stork', { top_k: 60 });
    expect(headers.get('x-search-mode')).toBe('hybrid');
    expect(headers.get('x-search-reranked')).toBe('true');
    expect(body).toHaveLength(60);
    const scores = body.map((hit: any) => hit.score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    const requests = endpoint.state.requests.toSorted((a, b) => b.body.texts.length - a.body.texts.length);
    expect(
      requests.map(({ body: { texts, ...fields }, ...request }) => ({
        ...request,
        ...fields,
        texts: texts.length,
      })),
    ).toEqual(
      [32, 18].map((texts) => ({
        path: '/rerank',
        authorization: undefined,
        query: 'stork',
        truncate: true,
        texts,
      })),
    );
  });
});

describe('while the endpoint', () => {
  const answer = (body: string) => ({ status: 200, body });
  const result = (index: number, score: string) => `{"index":${index},"relevance_score":${score}}`;
  const results = (...all: string[]) => answer(`{"results":[${all}]}`);
  const UNUSABLE = "The rerank endpoint's answer cannot be used:";

  test.each([
    ['does not answer', 'hang' as const, 'The rerank endpoint does not answer: no answer in time.'],
    ['breaks connections', 'reset' as const, 'The rerank endpoint does not answer: '],
    [
      'answers 500',
      { status: 500 },
      'The rerank endpoint answered 500: it fails. Check RERANK_URL, and whether the endpoint runs.',
    ],
    [
      'limits requests',
      { status: 429, headers: { 'retry-after': '1' }, body: '{"error":"Model is overloaded"}' },
      'The rerank endpoint answered 429: too many requests. Check the limits of the account.',
    ],
    [
      'refuses the key',
      { status: 401, body: '{"error":{"message":"Unauthorized"}}' },
      'The rerank endpoint answered 401: it refuses the key, or asks for one. Check RERANK_API_KEY.',
    ],
    [
      'redirects',
      { status: 307, headers: { location: '/v1/rerank' } },
      'The rerank endpoint answered 307: it has no such model or address. Check RERANK_MODEL, and that RERANK_URL is ',
    ],
    ['answers nonsense', answer('<html>'), `${UNUSABLE} not the answer of a rerank endpoint.`],
    [
      'answers NaN',
      results(result(0, 'NaN'), result(1, '0.2'), result(2, '0.3')),
      `${UNUSABLE} not the answer of a rerank endpoint.`,
    ],
    [
      'answers with infinite scores',
      results(result(0, '1e999'), result(1, '0.2'), result(2, '0.3')),
      `${UNUSABLE} not the answer of a rerank endpoint.`,
    ],
    ['answers with too few', results(result(0, '0.1')), `${UNUSABLE} 1 answers for 3 texts.`],
    [
      'answers with one twice',
      results(result(0, '0.1'), result(0, '0.2'), result(1, '0.3')),
      `${UNUSABLE} no answer for text 2 of 3.`,
    ],
    [
      'answers for a text that was not sent',
      results(result(0, '0.1'), result(1, '0.2'), result(99, '0.3')),
      `${UNUSABLE} no answer for text 2 of 3.`,
    ],
    ['answers too much', answer(`{"results":[]}${' '.repeat(100_000)}`), `${UNUSABLE} more than `],
  ])('%s, one search has asked it, and the order stays', async (_, fault, reason) => {
    const client = fault === 'hang' ? createRestClient(impatient) : rest;
    endpoint.state.fault = () => fault;
    const before = endpoint.asked().length;
    for (let i = 0; i < 3; i++)
      expect(await found('heron', client)).toEqual({ reranked: 'false', names: BY_WORDS });
    expect(endpoint.asked().length - before).toBe(1);
    expect(linesOfEndpoint()).toEqual([
      expect.objectContaining({
        level: 40,
        msg: 'searches are not reranked',
        reason: expect.stringContaining(reason),
      }),
    ]);

    endpoint.state.fault = undefined;
    expect(await foundReranked(client)).toEqual(BY_SCORES);
    expect(linesOfEndpoint().map(({ msg }) => msg)).toEqual([
      'searches are not reranked',
      'searches are reranked again',
    ]);
  });

  test('refuses the texts of a search, others are reranked', async () => {
    endpoint.state.fault = (texts) =>
      texts.some((text) => text.includes('heron'))
        ? { status: 422, body: '{"error":"too long"}' }
        : undefined;
    for (let i = 0; i < 2; i++) expect(await found('heron')).toEqual({ reranked: 'false', names: BY_WORDS });
    expect((await found('stork')).reranked).toBe('true');
    expect(linesOfEndpoint().map(({ level, reason }) => ({ level, reason }))).toEqual([
      { level: 40, reason: 'The rerank endpoint answered 422: it refuses the request. Check RERANK_MODEL.' },
    ]);
  });
});

describe('a text is not sent', () => {
  /** An index that is far behind: it proposes every chunk there is. */
  async function proposeAll(order: 'asc' | 'desc'): Promise<ChunkIndex> {
    const rows = await app.db.selectFrom('chunks').select('id').orderBy('id', order).execute();
    const all = rows.map(({ id }, i) => ({ chunkId: id, score: 1 - i / rows.length }));
    const engine = 'meilisearch';
    return {
      engine,
      search: async ({ limit }) => ({
        engine,
        mode: 'lexical',
        isTruncated: false,
        candidates: all.slice(0, limit),
      }),
      status: async () => ({ engine, available: true }),
    };
  }

  test('that the search may not show', async () => {
    const scope = { tenantId: 'secretive', tenantUnitId: 'open' };
    const fields = { tenantId: scope.tenantId, tenantUnitId: scope.tenantUnitId };
    const text = (what: string) => `A kingfisher, which is ${what}.`;
    await create('shown', text('shown'), fields);
    await create('foreign tenant', text('of a foreign tenant'), { ...fields, tenantId: 'foreign' });
    await create('other unit', text('of another unit'), { ...fields, tenantUnitId: 'other' });
    await create('other dataset', text('of another dataset'), fields, ['other']);
    const disabled = await create('disabled', text('disabled'), fields);
    const switched = await create('inactive', text('inactive'), fields);
    const deleted = await create('deleted', text('deleted'), fields);
    await app.settle();
    await rest.patchDocument(disabled.id, { enabled: false }, scope.tenantId);
    await app.db
      .updateTable('chunks')
      .set({ status: 'inactive' })
      .where('documentId', '=', switched.id)
      .execute();
    await app.db.updateTable('chunks').set({ deleted: true }).where('documentId', '=', deleted.id).execute();

    const { db, close } = connectSearchDatabase(app.databaseUrl, { max: 1 });
    const stopping = new AbortController();
    const breaker = createCircuitBreaker({
      timeoutMs: 30_000,
      messages: { opened: 'opened', closed: 'closed' },
      stopping: stopping.signal,
      log: pino({ level: 'silent' }),
    });
    const rerank = async (order: 'asc' | 'desc') =>
      withReranking(await proposeAll(order), { db, endpoint: cross, breaker });
    const query = { ...scope, datasetIds: ['faq'], text: 'kingfisher', language: 'english' as const };
    endpoint.state.requests.length = 0;
    try {
      const { candidates } = await (await rerank('desc')).search({ ...query, limit: 20 });
      expect(endpoint.state.requests.map(({ body }) => body)).toEqual([
        { model: 'cross', query: 'kingfisher', documents: ['A kingfisher, which is shown.'] },
      ]);
      expect(candidates).toHaveLength(20);
      expect(candidates.map(({ rerank }) => rerank)).toEqual([0.01, ...Array(19).fill(undefined)]);

      // A search asks for more candidates until it has its hits; these are the last ones that the index proposes.
      const search = createSearch({ db, index: await rerank('asc'), maxPageSize: 100 });
      const { hits, isReranked } = await search.search({
        scope,
        datasetIds: ['faq'],
        query: 'kingfisher',
        topK: 5,
        language: 'english',
      });
      expect(hits.map(({ content }) => content)).toEqual(['A kingfisher, which is shown.']);
      expect(isReranked).toBe(false);
    } finally {
      stopping.abort();
      await close();
    }
  });

  test('beyond 4,000 characters, and the headings before it', async () => {
    const fields = { tenantId: 'long', tenantUnitId: 'long' };
    const { id } = await create('long', '# Birds\n\nAn osprey.', fields);
    await app.settle();
    await app.db
      .updateTable('chunks')
      .set({ content: `An osprey ${'🐟'.repeat(5_000)}` })
      .where('documentId', '=', id)
      .execute();
    endpoint.state.requests.length = 0;
    await rest.askSearch(`osprey ${'🐟'.repeat(2_000)}`, { tenant_id: 'long', tenant_unit_id: 'long' });
    const { query, documents } = endpoint.state.requests[0]?.body ?? {};
    expect(documents[0].startsWith('Birds\nAn osprey 🐟')).toBe(true);
    expect([...documents[0]]).toHaveLength(4_000);
    expect([query.length, query.isWellFormed()]).toEqual([2_000, true]);
  });
});
