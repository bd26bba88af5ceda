import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, useApp } from '../support/app.js';
import { startMeilisearch } from '../support/meilisearch/server.js';
import { waitFor } from '../support/wait-for.js';
import { createRestClient, SEARCH, TENANT, TENANT_UNIT } from './support/rest-client.js';

const server = await startMeilisearch();
const meilisearch = {
  url: server.url,
  apiKey: server.masterKey,
  adminKey: server.masterKey,
  prefix: 'fallback_',
  searchTimeoutMs: 2_000,
};
afterAll(() => server.close());

/** What makes the search server useless, and what makes it well again. */
const FAULTS: [string, () => Promise<void> | void, () => Promise<void> | void][] = [
  ['refuses connections', () => server.stop(), () => server.start()],
  ['breaks connections', () => server.answerWith('reset'), () => server.answerWith()],
  ['hangs', () => server.delayAnswers(60_000), () => server.delayAnswers(0)],
  [
    'is hidden by a proxy that fails',
    () => server.answerWith({ status: 502, body: '<h1>502 Bad Gateway</h1>' }),
    () => server.answerWith(),
  ],
  [
    'is something else',
    () => server.answerWith({ status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }),
    () => server.answerWith(),
  ],
  [
    'has lost its index',
    async () => {
      server.holdTasks();
      await server.stop();
      await server.start({ isEmpty: true });
    },
    () => server.releaseTasks(),
  ],
];

const body = {
  tenant_id: TENANT_UNIT.tenantId,
  tenant_unit_id: TENANT_UNIT.tenantUnitId,
  dataset_ids: ['faq'],
  query: 'herons',
};

/** Waits until the search server answers, rather than PostgreSQL. */
const untilServerAnswers = (search: () => Promise<Answer>) =>
  waitFor(async () => (await search()).headers.get('x-search-engine') === 'meilisearch', {
    what: 'the search server to answer',
  });

/** A service with one document that can be found. */
function useSearch(prefix: string, searchFallback: boolean) {
  const app = useApp({ meilisearch: { ...meilisearch, prefix }, searchFallback });
  const search = () => app.request('POST', SEARCH, { query: TENANT, body });
  const ready = async () => (await app.get('/readyz')).body;

  beforeAll(async () => {
    await createRestClient(app).createDocument({ documentContent: 'Herons stand still in the water.' }, [
      'faq',
    ]);
    await app.settle();
    await untilServerAnswers(search);
    await waitFor(async () => (await search()).body.length === 1, { what: 'the document to be found' });
  });
  return { app, search, ready };
}

describe('with a fallback', () => {
  const { app, search, ready } = useSearch('with_', true);

  test.each(FAULTS)('while the search server %s, PostgreSQL answers', async (_, hurt, heal) => {
    const before = await search();
    expect(before.headers.get('x-search-engine')).toBe('meilisearch');
    expect(before.body).toHaveLength(1);
    await expect.poll(ready).toEqual({ status: 'ready', database: 'ok', search: 'ok' });

    await hurt();
    const meanwhile = await search();
    expect(meanwhile.headers.get('x-search-engine')).toBe('postgres');
    expect({ status: meanwhile.status, body: meanwhile.body }).toEqual({ status: 200, body: before.body });
    await expect.poll(ready).toEqual({ status: 'ready', database: 'ok', search: 'degraded' });

    await heal();
    await untilServerAnswers(search);
    expect((await search()).body).toEqual(before.body);
    await expect.poll(ready).toEqual({ status: 'ready', database: 'ok', search: 'ok' });
  });

  test('answers of procedures say who answered as well', async () => {
    const input = { scope: TENANT_UNIT, datasetIds: ['faq'], query: 'herons' };
    const call = async (path: string, inputs: unknown) => {
      const route = `/trpc/${path}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
      const answer = await app.get(route);
      return { engine: answer.headers.get('x-search-engine'), calls: answer.body.length };
    };
    expect(await call('chunks.search', { 0: input })).toEqual({ engine: 'meilisearch', calls: 1 });
    expect(await call('chunks.search,chunks.search', { 0: input, 1: input })).toEqual({
      engine: 'meilisearch',
      calls: 2,
    });
  });

  test('a search that needs no engine names the one that would answer', async () => {
    const answer = await app.request('POST', SEARCH, { query: TENANT, body: { ...body, dataset_ids: [] } });
    expect(answer.body).toEqual([]);
    expect(answer.headers.get('x-search-engine')).toBe('meilisearch');
  });
});

describe('without a fallback', () => {
  const { app, search, ready } = useSearch('without_', false);

  test.each(FAULTS)('while the search server %s, searches are refused', async (_, hurt, heal) => {
    await hurt();
    const refused = await search();
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 503,
      body: {
        detail: [{ type: 'unavailable', loc: [], msg: 'Search is unavailable at the moment; try again.' }],
      },
    });
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(refused.headers.get('x-search-engine')).toBeNull();
    await expect.poll(ready).toEqual({ status: 'ready', database: 'ok', search: 'degraded' });

    await heal();
    await waitFor(async () => (await search()).status === 200, { what: 'searches to be answered' });
    const { body, headers } = await search();
    expect(body).toHaveLength(1);
    expect(headers.get('x-search-engine')).toBe('meilisearch');
  });

  test('all else goes on meanwhile', async () => {
    await server.stop();
    const { createDocument, getDocument } = createRestClient(app);
    const { id } = await createDocument({ documentContent: 'Egrets wade.' }, ['faq']);
    await app.settle();
    expect(await getDocument(id)).toMatchObject({ status: 'ready' });
    await server.start();
  });
});
