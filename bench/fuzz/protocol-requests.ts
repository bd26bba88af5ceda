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
    return (options) => call(`MCP: ${name}`, 'tools/call', { name, arguments: sampler(options) });
  }),
  (options) => {
    const method = options.random.oneOf(METHODS);
    const params = { uri: shortText(options), cursor: shortText(options), x: hostileValue(options.random) };
    return call(`MCP: ${method}`, method, params);
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

const call = (name: string, method: string, params: unknown): FuzzRequest =>
  toPost(name, '/mcp', { jsonrpc: '2.0', id: 1, method, params });

const toPost = (name: string, route: string, body: unknown): FuzzRequest => ({
  name,
  method: 'POST',
  route,
  headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
  body: JSON.stringify(body) ?? '',
});

const shortText = ({ random }: SampleOptions): string => hostileText(random).slice(0, 1_000).toWellFormed();
