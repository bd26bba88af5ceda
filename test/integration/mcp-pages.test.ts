import { expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { connectMcp, overHttp } from '../support/mcp-client.js';
import { createRestClient } from './support/rest-client.js';

/* Every list pages by what is configured, though clients may ask for more. */

const app = useApp({ maxPageSize: 3 });
const STORES = '/integrations/openai/v1/vector_stores';

test('lists have at most as many items as a page may have', async () => {
  const rest = createRestClient(app);
  const names = ['a', 'b', 'c', 'd'];
  for (const documentName of names)
    await rest.createDocument(
      { documentName, documentContent: `The harbour of ${documentName}.`, tenantUnitId: 'sales' },
      ['faq'],
    );
  await app.settle();
  const client = await connectMcp(overHttp(app.address, undefined, '?tenantId=acme'));
  const call = async (name: string, args: object = {}) =>
    (await client.callTool({ name, arguments: { ...args } })).structuredContent as any;

  const first = await client.request({ method: 'resources/list' });
  const second = await client.request({ method: 'resources/list', params: { cursor: first.nextCursor } });
  expect([first, second].map(({ resources }) => resources.map(({ name }) => name))).toEqual([
    ['d', 'c', 'b'],
    ['a'],
  ]);
  expect(second.nextCursor).toBeUndefined();
  for (const args of [{}, { limit: 50 }]) {
    const { documents, total, nextCursor } = await call('list_documents', args);
    expect([documents.length, total]).toEqual([3, 4]);
    const rest = await call('list_documents', { cursor: nextCursor });
    expect(rest.documents.map(({ title }: { title: string }) => title)).toEqual(['a']);
  }
  expect(await call('list_conversations')).toEqual({ conversations: [], total: 0, nextCursor: null });
  expect((await call('search', { query: 'harbour' })).results).toHaveLength(3);
  // Of a server that has larger pages.
  const cursor = Buffer.from('2-50').toString('base64url');
  const refused = await client.callTool({ name: 'list_documents', arguments: { cursor } });
  expect(refused).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: 'cursor: must be a nextCursor of an earlier answer' }],
  });
  const found = await app.request('POST', `${STORES}/vs_sales.faq/search`, {
    query: { tenantId: 'acme' },
    body: { query: 'harbour' },
  });
  expect([found.status, found.body.data.length]).toEqual([200, 3]);
  await client.close();
});
