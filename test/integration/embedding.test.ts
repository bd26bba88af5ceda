import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { embeddingConfig, startEmbeddingServer } from '../support/embedding-server.js';
import { waitFor } from '../support/wait-for.js';
import { createRestClient, TENANT, TENANT_UNIT } from './support/rest-client.js';

const endpoint = await startEmbeddingServer();
afterAll(() => endpoint.close());

/** What the endpoint's own failures must not outlast. */
afterEach(() => {
  Object.assign(endpoint.state, {
    fault: undefined,
    distort: undefined,
    maxLength: Number.POSITIVE_INFINITY,
  });
});

const embedding = embeddingConfig(
  { url: endpoint.url, apiKey: 'secret', model: 'words' },
  { searchTimeoutMs: 300 },
);

const app = useApp({ embedding });
const rest = createRestClient(app);

const status = async () => (await app.trpc().search.status.query()).embedding;
const settle = async () => {
  await app.settle();
  await waitFor(async () => (await status())?.waiting === 0, { what: 'all texts to be embedded' });
};
const found = async (query: string) => {
  const { headers, body } = await rest.askSearch(query);
  return { mode: headers.get('x-search-mode'), names: body.map((hit: any) => hit.document_name) };
};
const create = (documentName: string, documentContent: string) =>
  rest.createDocument({ documentName, documentContent }, ['faq']);

test('a chunk is found by words at once, and ranked by meaning when it is embedded', async () => {
  await create('fees', 'The order form lists the fees of an order, and of another order.');
  await create('refunds', 'An order is reimbursed within seven days.');
  await settle();
  expect(await found('money for my order')).toEqual({ mode: 'hybrid', names: ['refunds', 'fees'] });
  const { body } = await rest.askSearch('money for my order');
  expect(body.map((hit: any) => hit.score > 0 && hit.score <= 1)).toEqual([true, true]);
  expect(endpoint.state.requests.at(-1)?.authorization).toBe('Bearer secret');
  const { mode } = await found('订单的费用');
  expect(mode).toBe('lexical');
});

test('a model is not asked for the dimensions that it has: some refuse that', () => {
  expect(new Set(endpoint.state.requests.map(({ dimensions }) => dimensions))).toEqual(new Set([undefined]));
});

test('the typed client chooses by words alone', async () => {
  const search = (mode: 'lexical' | 'hybrid') =>
    app.trpc().chunks.search.query({
      scope: TENANT_UNIT,
      datasetIds: ['faq'],
      query: 'money for my order',
      mode,
    });
  expect((await search('lexical')).map(({ documentName }) => documentName)).toEqual(['fees', 'refunds']);
  expect((await search('hybrid')).map(({ documentName }) => documentName)).toEqual(['refunds', 'fees']);
});

test('no text is embedded twice, and a changed one is embedded anew', async () => {
  const { id } = await create('twice', 'Herons stand still in the water of the lake.');
  await settle();
  const count = () => endpoint.texts().filter((text) => text.includes('Herons')).length;
  expect(count()).toBe(1);
  await create('again', 'Herons stand still in the water of the lake.');
  await rest.call(204, 'DELETE', `/admin/api/v1/documents/${id}`, { query: TENANT });
  await create('third', 'Herons stand still in the water of the lake.');
  await settle();
  expect(count()).toBe(1);
  const { id: edited } = await create('edited', 'Storks build nests.');
  await settle();
  const [chunk] = await rest.listChunks(edited);
  await rest.editChunk(chunk, { content: 'Herons build nests.' });
  await settle();
  expect(count()).toBe(2);
});

test('the vector of a deleted chunk belongs to none, so that it expires', async () => {
  const { id } = await create('deleted', 'Cranes dance before they mate.');
  await settle();
  const [chunk] = await rest.listChunks(id);
  const owners = () =>
    app.db.selectFrom('chunkTexts').select('hash').where('chunkId', '=', chunk.id).execute();
  expect(await owners()).toHaveLength(1);
  await app.trpc().chunks.deleteMany.mutate({ scope: TENANT_UNIT, documentId: id, chunkIds: [chunk.id] });
  expect(await owners()).toEqual([]);
});

test('a text that is too long is cut', async () => {
  endpoint.state.maxLength = 300;
  await create('long', `Swallows fly low before the rain. ${'They return in spring. '.repeat(30)}`);
  await create('short', 'Swallows fly high in the sunshine.');
  await settle();
  expect((await found('swallows weather')).names.slice(0, 2).toSorted()).toEqual(['long', 'short']);
  expect(await status()).toMatchObject({ waiting: 0, failed: 0 });
});

describe('while the endpoint', () => {
  test.each([
    ['answers 500', { status: 500 }],
    ['limits requests', { status: 429, headers: { 'retry-after': '1' } }],
    ['refuses the key', { status: 401, body: '{"error":{"message":"Incorrect API key provided"}}' }],
    ['breaks connections', 'reset' as const],
    ['does not answer', 'hang' as const],
  ])('%s, searches go by words, and nothing is lost', async (_, fault) => {
    endpoint.state.fault = () => fault;
    const name = `during ${_}`;
    const begin = performance.now();
    const { mode } = await found(`fees ${name}`);
    expect(mode).toBe('lexical');
    await create(name, `A price of ${name.split(' ').at(-1)} is due.`);
    await app.settle();
    expect((await found('price due')).names).toContain(name);
    expect((await status())?.waiting).toBe(1);
    expect(performance.now() - begin).toBeLessThan(30_000);

    endpoint.state.fault = undefined;
    await settle();
    await waitFor(async () => (await found(`fees after ${name}`)).mode === 'hybrid', {
      what: 'searches by meaning',
    });
  });

  test.each([
    ['too few vectors', (answer: any) => ({ ...answer, data: answer.data.slice(1) })],
    [
      'a vector for a text that was not sent',
      (answer: any) => ({ ...answer, data: answer.data.map((one: any) => ({ ...one, index: 99 })) }),
    ],
    ['other dimensions', (answer: any) => ({ data: answer.data.map(() => ({ embedding: [1, 2, 3] })) })],
    ['zeros', (answer: any) => ({ data: answer.data.map(() => ({ embedding: Array(64).fill(0) })) })],
    ['something else', () => ({ hello: 'world' })],
  ])('answers with %s, the answer is not used', async (_, distort) => {
    endpoint.state.distort = distort;
    await create(_, `Distorted: ${_}.`);
    await app.settle();
    expect((await found(`distorted ${_}`)).mode).toBe('lexical');
    expect((await status())?.waiting).toBe(1);
    endpoint.state.distort = undefined;
    await settle();
    await waitFor(async () => (await found(`undistorted ${_}`)).mode === 'hybrid', {
      what: 'searches by meaning',
    });
  });
});

test('a text that fails alone does not hold up the others', async () => {
  endpoint.state.fault = ({ texts }) =>
    texts.some((text) => text.includes('Basilisk')) ? { status: 500, body: 'no' } : undefined;
  await create('poison', 'Basilisk.');
  await create('well', 'Griffin.');
  await app.settle();
  await waitFor(async () => (await status())?.waiting === 1, { what: 'the other text to be embedded' });
  expect(await status()).toMatchObject({
    failed: 1,
    errors: [
      {
        error:
          'The embedding endpoint answered 500: it fails. Check EMBEDDING_URL, and whether the endpoint runs.',
      },
    ],
  });
});

describe('the vector of a question', () => {
  const tenants = ['first', 'second'].map((tenantId) => ({ tenantId, tenantUnitId: 'main' }));
  const ask = (scope: (typeof tenants)[number], query: string) =>
    app.trpc().chunks.search.query({ scope, datasetIds: ['faq'], query, mode: 'semantic' });
  const askedFor = (query: string) => endpoint.texts().filter((text) => text === query).length;

  test('is asked for once by a tenant, and by each: nobody learns by the time what others have asked', async () => {
    const query = 'Who asked for herons?';
    for (const scope of [...tenants, ...tenants]) await ask(scope, query);
    expect(askedFor(query)).toBe(2);
  });

  test("is no other tenant's while both wait for it", async () => {
    const query = 'Who waits for herons?';
    let release = () => {};
    const released = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined);
    });
    endpoint.state.fault = ({ texts }) => (texts.includes(query) ? released : undefined);
    const asking = [...tenants, ...tenants].map((scope) => ask(scope, query));
    await waitFor(() => askedFor(query) === 2, { what: 'a request for each tenant' });
    release();
    await Promise.all(asking);
    expect(askedFor(query)).toBe(2);
  });
});
