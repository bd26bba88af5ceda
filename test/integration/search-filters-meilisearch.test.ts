import { afterAll, beforeAll, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { openSearchServer } from '../support/search-server.js';
import { waitFor } from '../support/wait-for.js';
import { testFilters } from './support/filter-suite.js';
import { SEARCH, TENANT_UNIT } from './support/rest-client.js';

const server = await openSearchServer();
const app = useApp({ meilisearch: server.config });
beforeAll(() => waitFor(async () => (await app.get('/readyz')).body.search === 'ok'));
afterAll(() => server.close());

testFilters(app);

test('PostgreSQL answers a question with a filter, and says so', async () => {
  const question = { scope: TENANT_UNIT, datasetIds: ['faq'], query: 'harbour' };
  const engineOf = async (fields: object) => {
    const input = encodeURIComponent(JSON.stringify({ ...question, ...fields }));
    return (await app.get(`/trpc/chunks.search?input=${input}`)).headers.get('x-search-engine');
  };
  await waitFor(async () => (await engineOf({})) === 'meilisearch', { what: 'the index' });
  expect(await engineOf({ filter: { type: 'eq', key: 'colour', value: 'red' } })).toBe('postgres');
  const run = await app.trpc().search.run.query({ ...question, filter: { type: 'exists', key: 'colour' } });
  expect(run.engine).toBe('postgres');
});

test('the documented REST search takes no filter', async () => {
  const { status, body } = await app.request('POST', SEARCH, {
    query: { tenantId: TENANT_UNIT.tenantId },
    body: {
      tenant_id: TENANT_UNIT.tenantId,
      tenant_unit_id: TENANT_UNIT.tenantUnitId,
      dataset_ids: ['faq'],
      query: 'harbour',
      filter: { type: 'exists', key: 'colour' },
    },
  });
  expect({ status, hits: body.length }).toEqual({ status: 200, hits: 4 });
});
