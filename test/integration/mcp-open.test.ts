import { expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { connectMcp, overHttp } from '../support/mcp-client.js';

const app = useApp();

test('without keys, the address names the tenant; links are paths', async () => {
  const acme = await connectMcp(overHttp(app.address, undefined, '?tenantId=acme&tenantUnitId=sales'));
  const other = await connectMcp(overHttp(app.address));
  const args = { name: 'Returns', text: 'Goods can be returned.', datasets: ['handbook'] };
  const { structuredContent } = await acme.callTool({ name: 'add_document', arguments: args });
  const { id } = structuredContent as { id: string };
  expect(structuredContent).toEqual({
    id,
    title: 'Returns',
    url: `/documents/${id}?tenant=acme`,
    status: 'created',
  });
  await app.settle();
  const search = { name: 'search', arguments: { query: 'goods' } };
  expect((await acme.callTool(search)).structuredContent).toMatchObject({ results: [{ id }] });
  expect((await other.callTool(search)).structuredContent).toEqual({ results: [] });
  // The tenant of those who name none.
  await other.callTool({ name: 'add_document', arguments: args });
  const { items } = await app.trpc().documents.list.query({ scope: { tenantId: 'default' } });
  expect(items).toMatchObject([{ tenantUnitId: 'default', documentName: 'Returns' }]);
  for (const client of [acme, other]) await client.close();
});
