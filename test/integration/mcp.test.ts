import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';

const app = useApp({ authMode: 'required' });

test('smoke', async () => {
  const { key } = await app.makeKey();
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', app.address), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  console.log(client.getServerVersion(), transport.protocolVersion, client.getServerCapabilities());
  console.log(JSON.stringify(await client.listTools(), null, 1));
  console.log(
    await client.callTool({
      name: 'add_document',
      arguments: { name: 'Returns', text: 'Goods can be returned within 30 days.', datasets: ['handbook'] },
    }),
  );
  await app.settle();
  console.log(
    JSON.stringify(await client.callTool({ name: 'search', arguments: { query: 'return goods' } })),
  );
  console.log(JSON.stringify(await client.listResources()));
  await client.close();
});
