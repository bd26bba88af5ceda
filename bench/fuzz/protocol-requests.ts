import type { z } from 'zod';
import { retrieval } from '../../src/integrations/dify/dify.js';
import { searchBody } from '../../src/integrations/openai/search-vector-store.js';
import { tools } from '../../src/mcp/tools/index.js';
import { DATASET, TENANT_UNIT } from './fixtures.js';
import type { FuzzRequest, MakeRequest } from './fuzz-request.js';
import { hostileText, hostileValue } from './hostile-values.js';
import { createSampler, type SampleOptions } from './sample-schema.js';

const STORES = '/integrations/openai/v1/vector_stores';
const STORE = `vs_${TENANT_UNIT.tenantUnitId}.${DATASET}`;
const KNOWLEDGE = `${TENANT_UNIT.tenantUnitId}/${DATASET}`;
const VERSION = '2026-07-28';
const CLIENT = { name: 'fuzz', version: '1' };
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const METHODS = ['tools/list', 'resources/list', 'resources/read', 'initialize', 'ping'];

/** A maker of requests for each operation of the integrations and each tool of MCP. */
export const listProtocols = (): MakeRequest[] => [
  post('Dify: retrieval', '/integrations/dify/retrieval', retrieval, { knowledge_id: KNOWLEDGE }),
  post('OpenAI: search', `${STORES}/${STORE}/search`, searchBody),
  (options) => ({
    name: 'OpenAI: list',
    method: 'GET',
    route: `${STORES}?${new URLSearchParams({ [options.random.oneOf(['after', 'before', 'limit', 'order'])]: shortText(options) })}`,
    headers: {},
  }),
  ...tools.map(({ name, input }): MakeRequest => {
    const sampler = createSampler(input);
    return (options) => call('tools/call', { name, arguments: sampler(options) }, options);
  }),
  (options) => {
    const method = options.random.oneOf(METHODS);
    const uri = options.random.oneOf([shortText(options), `lectern://documents/${documentOf(options)}`]);
    const x = hostileValue(options.random);
    const ofHandshake = {
      protocolVersion: '2025-11-25',
      clientInfo: CLIENT,
      capabilities: { experimental: x },
    };
    return call(
      method,
      method === 'initialize' ? ofHandshake : { uri, cursor: shortText(options), x, _meta: { x } },
      options,
    );
  },
];

/** Where an operation needs what exists, it mostly has that. */
function post(name: string, route: string, schema: z.ZodType, known: object = {}): MakeRequest {
  const sampler = createSampler(schema);
  return (options) => {
    const body = sampler(options);
    const isObject = typeof body === 'object' && body !== null && options.random.below(10) > 0;
    return toPost(name, route, isObject ? { ...body, ...known } : body);
  };
}

interface Params extends Record<string, unknown> {
  name?: string;
  uri?: string;
}

/** A message of a version with a handshake, or of one without. */
function call(method: string, params: Params, { random }: SampleOptions): FuzzRequest {
  const named = params.name ?? (method === 'resources/read' ? params.uri : undefined);
  const isModern = random.below(2) === 0;
  const message = { jsonrpc: '2.0', id: 1, method, params: isModern ? { ...params, _meta: META } : params };
  const headers = isModern
    ? {
        'Mcp-Protocol-Version': VERSION,
        'Mcp-Method': method,
        ...(named !== undefined && { 'Mcp-Name': `=?base64?${Buffer.from(named).toString('base64')}?=` }),
      }
    : {};
  return toPost(`MCP: ${params.name ?? method}`, '/mcp', message, headers);
}

const documentOf = ({ random, known }: SampleOptions): string =>
  encodeURIComponent(String(random.oneOf(known.documentId ?? [])));

const toPost = (name: string, route: string, body: unknown, headers = {}): FuzzRequest => ({
  name,
  method: 'POST',
  route,
  headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
  body: JSON.stringify(body) ?? '',
});

const shortText = ({ random }: SampleOptions): string => hostileText(random).slice(0, 1_000).toWellFormed();
