import { afterAll, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { embeddingConfig, startEmbeddingServer } from '../support/embedding-server.js';
import { waitFor } from '../support/wait-for.js';
import { testFilters } from './support/filter-suite.js';
import { TENANT_UNIT } from './support/rest-client.js';

const endpoint = await startEmbeddingServer();
afterAll(() => endpoint.close());

const app = useApp({ embedding: embeddingConfig({ url: endpoint.url, model: 'words' }) });

testFilters(app, {
  modes: ['hybrid', 'semantic'],
  settle: async () => {
    await app.settle();
    const status = () => app.trpc().search.status.query();
    await waitFor(async () => (await status()).embedding?.waiting === 0, {
      what: 'all texts to be embedded',
    });
    await waitFor(async () => (await status()).postings.changes === 0, { what: 'all changes to be merged' });
  },
});

test('a filter leaves what has no word of the question', async () => {
  const question = { scope: TENANT_UNIT, datasetIds: ['faq'], query: 'umbrella' };
  const filter = { type: 'eq' as const, key: 'colour', value: 'red' };
  for (const mode of ['hybrid', 'semantic'] as const) {
    const { mode: answered, hits } = await app.trpc().search.run.query({ ...question, mode, filter });
    expect({ answered, names: hits.map(({ documentName }) => documentName) }).toEqual({
      answered: mode,
      names: ['red'],
    });
  }
  const { hits } = await app.trpc().search.run.query({ ...question, mode: 'lexical', filter });
  expect(hits).toEqual([]);
});
