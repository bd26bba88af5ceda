import OpenAI from 'openai';
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { connectMcp, overHttp } from '../support/mcp-client.js';
import { createRestClient } from './support/rest-client.js';

/* Whatever asks, a key finds the same passage, and none that it may not read. */

const app = useApp({ authMode: 'required' });

const ANSWERS = {
  'Who pays for damage to the property?': 'The tenant pays for damage to the property.',
  'When can goods be returned?': 'Goods can be returned within thirty days.',
  'How long does a refund take?': 'A refund takes five working days.',
  'What does express delivery cost?': 'Express delivery costs nine euros.',
  'Where is the head office?': 'The head office is in the harbour district.',
  'Which warranty do hinges have?': 'Hinges have a warranty of ten years.',
  'How is the boiler reset?': 'The boiler is reset with the green button.',
  'Can invoices be sent by post?': 'Invoices can be sent by post on request.',
  'What opens the parking garage?': 'A badge opens the parking garage at night.',
  'Who may change the password?': 'Only the account owner may change the password.',
};
const questions = Object.entries(ANSWERS);

const scope = { tenantId: 'acme', tenantUnitId: 'sales' };
let key: string;

beforeAll(async () => {
  const scopes = ['search', 'documents:read'] as const;
  ({ key } = await app.makeKey({ scope, datasetIds: ['faq'], scopes: [...scopes] }));
  const { key: owner } = await app.makeKey({ scope: { tenantId: 'acme' } });
  const rest = createRestClient({
    ...app,
    request: (method, route, options) =>
      app.request(method, route, { ...options, headers: { 'x-api-key': owner, ...options?.headers } }),
  });
  for (const [question, answer] of questions) {
    await rest.createDocument({ documentName: answer, documentContent: answer }, ['faq']);
    // What is out of reach would be found first.
    await rest.createDocument({ documentName: 'secret', documentContent: `${question} ${answer}` }, [
      'other',
    ]);
  }
  await app.settle();
});

test.each([
  [
    'tRPC',
    async (query: string) => {
      const hits = await app.trpc({ 'x-api-key': key }).chunks.search.query({
        scope,
        datasetIds: ['faq'],
        query,
      });
      return hits.map(({ content }) => content);
    },
  ],
  [
    'MCP',
    async (query: string) => {
      const client = await connectMcp(overHttp(app.address, key));
      const { structuredContent } = await client.callTool({ name: 'search', arguments: { query } });
      await client.close();
      return (structuredContent as { results: { text: string }[] }).results.map(({ text }) => text);
    },
  ],
  [
    'Dify',
    async (query: string) => {
      const { body } = await app.request('POST', '/integrations/dify/retrieval', {
        headers: { authorization: `Bearer ${key}` },
        body: { knowledge_id: 'faq', query, retrieval_setting: { top_k: 5, score_threshold: 0 } },
      });
      return (body as { records: { content: string }[] }).records.map(({ content }) => content);
    },
  ],
  [
    'the OpenAI package',
    async (query: string) => {
      const openai = new OpenAI({ apiKey: key, baseURL: `${app.address}/integrations/openai/v1` });
      const { data } = await openai.vectorStores.search('vs_sales.faq', { query });
      return data.map(({ content }) => content[0]?.text);
    },
  ],
])('%s finds the answers', async (_name, ask) => {
  for (const [question, answer] of questions) {
    const found = await ask(question);
    expect([question, found[0]]).toEqual([question, answer]);
    expect(found.filter((text) => !Object.values(ANSWERS).includes(text ?? ''))).toEqual([]);
  }
});
