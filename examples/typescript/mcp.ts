/** Asks a question over the Model Context Protocol. Usage: node built/mcp.js QUESTION */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { LECTERN_URL = 'http://127.0.0.1:8080', LECTERN_KEY, LECTERN_TENANT = 'example' } = process.env;
const [query] = process.argv.slice(2);
if (!query) {
  console.error('Usage: node built/mcp.js QUESTION');
  process.exit(2);
}
const address = new URL(`/mcp?tenantId=${encodeURIComponent(LECTERN_TENANT)}`, LECTERN_URL);
const headers: Record<string, string> = LECTERN_KEY ? { authorization: `Bearer ${LECTERN_KEY}` } : {};
const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
const { content } = await client.callTool({ name: 'search', arguments: { query, limit: 3 } });
for (const item of content) console.log(item.type === 'text' ? item.text : item.type);
await client.close();
