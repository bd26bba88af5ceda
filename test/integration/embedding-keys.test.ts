import { afterAll, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { embeddingConfig, startEmbeddingServer } from '../support/embedding-server.js';
import { waitFor } from '../support/wait-for.js';
import { createRestClient, SEARCH, TENANT, TENANT_UNIT } from './support/rest-client.js';
import { type StartedBeside, startBeside } from './support/start-beside.js';

/* A change of the provider: the former one answers questions until the next one has all texts, or goes away. */

const [former, next] = [await startEmbeddingServer(), await startEmbeddingServer()];
afterAll(() => Promise.all([former.close(), next.close()]));

const app = useApp({ role: 'api' });
const rest = createRestClient(app);

const formerEmbedding = embeddingConfig({ url: former.url, apiKey: 'of the former', model: 'words' });
const nextEmbedding = (previousApiKey?: string) =>
  embeddingConfig({ url: next.url, apiKey: 'of the next', model: 'words' }, { previousApiKey });

const keysSeenBy = ({ state }: typeof former) =>
  new Set(state.requests.map(({ authorization }) => authorization));

let asked = 0;
async function search({ address }: StartedBeside): Promise<string | null> {
  const { tenantId: tenant_id, tenantUnitId: tenant_unit_id } = TENANT_UNIT;
  const body = { tenant_id, tenant_unit_id, dataset_ids: ['faq'], query: `an order, asked ${asked++} times` };
  const response = await fetch(`${address}${SEARCH}?tenantId=${TENANT.tenantId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.headers.get('x-search-mode');
}
const untilHybrid = (server: StartedBeside) =>
  waitFor(async () => (await search(server)) === 'hybrid', { what: 'searches by meaning' });

test('a key is sent to the origin it is configured for alone, and the next provider is asked though the former fails', async () => {
  const first = await startBeside(app, { embedding: formerEmbedding });
  await rest.createDocument({ documentContent: 'An order is reimbursed within seven days.' }, ['faq']);
  await untilHybrid(first);
  await first.app.close();
  expect(keysSeenBy(former)).toEqual(new Set(['Bearer of the former']));

  next.state.fault = ({ texts }) => (texts.some((text) => text.includes('seven days')) ? 'reset' : undefined);
  former.state.requests.length = 0;
  const second = await startBeside(app, { embedding: nextEmbedding() });
  await untilHybrid(second);
  await second.app.close();
  expect(keysSeenBy(former)).toEqual(new Set([undefined]));

  former.state.requests.length = 0;
  const third = await startBeside(app, { embedding: nextEmbedding('of the former') });
  await untilHybrid(third);
  expect(keysSeenBy(former)).toEqual(new Set(['Bearer of the former']));

  // The former one does not come back; the next one need not wait for it.
  former.state.fault = () => 'reset';
  await waitFor(async () => (await search(third)) === 'lexical', { what: 'searches by words' });
  next.state.fault = undefined;
  await untilHybrid(third);
  await third.app.close();
  expect(next.texts().some((text) => text.startsWith('an order, asked'))).toBe(true);
  expect(keysSeenBy(next)).toEqual(new Set(['Bearer of the next']));
});
