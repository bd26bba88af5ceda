import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import OpenAI from 'openai';
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { connectMcp, overHttp } from '../support/mcp-client.js';
import { LECTERN } from '../support/run-command.js';
import { SEARCH } from './support/rest-client.js';
import { createAnswers, expectAnswers, READABLE } from './support/same-answers.js';

/* Whatever asks, a key finds the same passage, and none that it may not read. Python asks in test/clients/python.test.ts. */

const app = useApp({ authMode: 'required' });
const { datasetId, ...scope } = READABLE;
let key: string;
beforeAll(async () => {
  key = await createAnswers(app);
});

const askMcp = async (client: Awaited<ReturnType<typeof connectMcp>>, query: string) => {
  const { structuredContent } = await client.callTool({ name: 'search', arguments: { query } });
  return (structuredContent as { results: { text: string }[] }).results.map(({ text }) => text);
};

test('tRPC', () =>
  expectAnswers(async (query) => {
    const { chunks } = app.trpc({ 'x-api-key': key });
    const hits = await chunks.search.query({ scope, datasetIds: [datasetId], query });
    return hits.map(({ content }) => content);
  }));

test('REST', () =>
  expectAnswers(async (query) => {
    const { body } = await app.request('POST', SEARCH, {
      query: { tenantId: scope.tenantId },
      headers: { 'x-api-key': key },
      body: {
        tenant_id: scope.tenantId,
        tenant_unit_id: scope.tenantUnitId,
        dataset_ids: [datasetId],
        query,
      },
    });
    return body.map(({ content }: { content: string }) => content);
  }));

test.each([
  ['Streamable HTTP', () => overHttp(app.address, key)],
  [
    'standard input and output',
    () =>
      new StdioClientTransport({
        command: process.execPath,
        args: [LECTERN, 'mcp', '--url', app.address],
        env: { LECTERN_KEY: key },
      }),
  ],
])('MCP over %s', async (_, transport) => {
  const client = await connectMcp(transport());
  await expectAnswers((query) => askMcp(client, query));
  await client.close();
});

test.each(['faq', 'sales/faq'])('Dify, of %s', (knowledge_id) =>
  expectAnswers(async (query) => {
    const { body } = await app.request('POST', '/integrations/dify/retrieval', {
      headers: { authorization: `Bearer ${key}` },
      body: { knowledge_id, query, retrieval_setting: { top_k: 5, score_threshold: 0 } },
    });
    return body.records.map(({ content }: { content: string }) => content);
  }),
);

test('the OpenAI package for TypeScript', async () => {
  const { vectorStores } = new OpenAI({ apiKey: key, baseURL: `${app.address}/integrations/openai/v1` });
  const ids = [];
  for await (const { id } of vectorStores.list()) ids.push(id);
  expect(ids).toEqual(['vs_sales.faq']);
  await expectAnswers(async (query) => {
    const { data } = await vectorStores.search('vs_sales.faq', { query });
    return data.map(({ content }) => content[0]?.text);
  });
});
