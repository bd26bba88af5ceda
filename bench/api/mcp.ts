import type { HttpClient } from '../search/http-client.js';
import type { Question } from './question.js';
import { type ComparedRequest, compareCpu } from './support/compare-cpu.js';
import { TENANT, UNIT } from './support/fill-tenant.js';
import { indexChunks } from './support/index-chunks.js';
import type { MeasuredServer } from './support/measured-server.js';
import { withServers } from './support/with-servers.js';

const FOUND = 200;
const REST = 'REST';
const targets = { [REST]: { atMost: 1.3 } };
const HITS = 5;
const QUERY = 'when can goods be returned';
const SEARCH = `/admin/api/v1/api/v1/documentChunks/search?tenantId=${TENANT}`;
const MCP = `/mcp?tenantId=${TENANT}&tenantUnitId=${UNIT}`;
const ACCEPT = { accept: 'application/json, text/event-stream' };

const call = (meta: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search', arguments: { query: QUERY, datasets: ['faq'], limit: HITS }, ...meta },
});
const MODERN = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

async function searchRest(http: HttpClient) {
  const place = { tenant_id: TENANT, tenant_unit_id: UNIT, dataset_ids: ['faq'] };
  const { body } = await http.post(SEARCH, { ...place, query: QUERY, top_k: HITS });
  return (body as { document_id: string; content: string }[]).map((hit) => [hit.document_id, hit.content]);
}

async function searchMcp(http: HttpClient, body: object, headers: Record<string, string>) {
  const answer = await http.send('POST', MCP, body, { ...ACCEPT, ...headers });
  const { result } = answer.body as {
    result: { structuredContent: { results: { id: string; text: string }[] } };
  };
  return result.structuredContent.results.map((hit) => [hit.id, hit.text]);
}

const asked = (what: string, body: object, headers: Record<string, string>): ComparedRequest => ({
  what,
  send: (http: HttpClient, _n: number, { name }: MeasuredServer) =>
    name === REST ? searchRest(http) : searchMcp(http, body, headers),
  targets,
});

const requests = [
  asked(`search among ${FOUND} chunks, 2026-07-28`, call(MODERN), {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'search',
  }),
  asked(`search among ${FOUND} chunks, 2025-11-25`, call(), { 'mcp-protocol-version': '2025-11-25' }),
];

/** The same search of the same service, over MCP and over REST. */
export const mcp: Question = {
  name: 'mcp',
  title: 'CPU of the server a search over MCP, beside REST',
  measure: (options) =>
    withServers(
      [{ name: REST, env: { ROLE: 'api' } }],
      async ({ db, ...servers }) => {
        await indexChunks(db, FOUND);
        const comparisons = [];
        for (const request of requests) comparisons.push(...(await compareCpu(request, servers, options)));
        return comparisons;
      },
      { env: { ROLE: 'api' } },
    ),
};
