import { beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from '../contract/raw-request.js';
import { useApp } from '../support/app.js';
import { createRestClient } from './support/rest-client.js';

/* What hostile clients of MCP, Dify and OpenAI send: each is answered with an error of its protocol. */

const app = useApp();
const MCP = '/mcp?tenantId=acme&tenantUnitId=sales';
const DIFY = '/integrations/dify/retrieval?tenantId=acme';
const OPENAI = '/integrations/openai/v1/vector_stores/vs_sales.faq/search?tenantId=acme';
const STORES = '/integrations/openai/v1/vector_stores?tenantId=acme';
const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

beforeAll(async () => {
  await createRestClient(app).createDocument({ documentContent: 'The harbour.' }, ['faq']);
  await app.settle();
});

const send = (target: string, body: string, headers: Record<string, string> = {}) =>
  sendRaw(app.address, { method: 'POST', target, headers: { ...HEADERS, ...headers }, body });

const OF_MCP = {
  jsonrpc: '2.0',
  error: expect.objectContaining({ code: expect.any(Number), message: expect.any(String) }),
};
const OF_DIFY = { error_code: expect.any(Number), error_msg: expect.any(String) };
const OF_OPENAI = {
  error: {
    message: expect.any(String),
    type: expect.any(String),
    param: expect.toSatisfy((param) => param === null || typeof param === 'string'),
    code: expect.any(String),
  },
};
const PROTOCOLS: [string, string, object][] = [
  ['MCP', MCP, OF_MCP],
  ['Dify', DIFY, OF_DIFY],
  ['OpenAI', OPENAI, OF_OPENAI],
];

const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const BODIES: [string, string, Record<string, string>?][] = [
  ['nothing', ''],
  ['half an object', '{"jsonrpc":"2.0"'],
  ['null', 'null'],
  ['a text', '"search"'],
  ['a batch', `[${'{"jsonrpc":"2.0","id":1,"method":"ping"},'.repeat(100)}1]`],
  ['deep objects', deep(40_000)],
  ['deep lists', '['.repeat(10_000) + ']'.repeat(10_000)],
  ['many values', `[${'1,'.repeat(60_000)}1]`],
  ['a large text', `{"query":"${'x'.repeat(10 * 2 ** 20)}"}`],
  ['many keys', `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join()}}`],
  ['a prototype', '{"__proto__":{"query":"harbour"},"constructor":{"prototype":{}}}'],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]).toString('latin1')],
  ['text', 'query', { 'content-type': 'text/plain' }],
  ['a form', 'query=x', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['another charset', '{}', { 'content-type': 'application/json; charset=utf-16' }],
  ['an unknown encoding', '{}', { 'content-encoding': 'zip' }],
  ['what is not gzip', '{}', { 'content-encoding': 'gzip' }],
];

describe.each(PROTOCOLS)('%s refuses', (_, target, shape) => {
  test.each(BODIES)('%s', async (_what, body, headers) => {
    const answer = await send(target, body, headers);
    expect([answer.body, answer.headers['content-type']]).toEqual([
      target === MCP ? expect.objectContaining(shape) : shape,
      expect.stringMatching(/^application\/json(?:; charset=utf-8)?$/),
    ]);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });
});

const call = (name: string, args: unknown) => rpc('tools/call', { name, arguments: args });
const rpc = (method: unknown, params?: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const nested = (depth: number): object =>
  depth === 0
    ? { type: 'eq', key: 'colour', value: 'red' }
    : { type: 'and', filters: [nested(depth - 1), { type: 'exists', key: 'colour' }] };
const cursor = (text: string) => Buffer.from(text).toString('base64url');
const LONE = '\ud800';
/** Escaped as JSON.stringify does, which leaves no half of a character as it is. */
const ARGUMENTS: [string, unknown][] = [
  ['search', { query: '' }],
  ['search', { query: 'x'.repeat(10_001) }],
  ['search', { query: 'x', limit: 1e9 }],
  ['search', { query: 'x', limit: -1 }],
  ['search', { query: 'x', limit: 1.5 }],
  ['search', { query: 'x\u0000' }],
  ['search', { query: LONE }],
  ['search', { query: 'x', filter: nested(100) }],
  ['search', { query: 'x', filter: { type: 'eq', key: 'a\u0000', value: LONE } }],
  ['search', { query: 'x', filter: { type: 'or', filters: Array(500).fill(nested(0)) } }],
  ['search', { query: 'x', context: { before: 1e9 } }],
  ['search', { query: 'x', datasets: Array(1_001).fill('faq') }],
  ['search', { query: 'x', datasets: ['\u0000'] }],
  ['search', { query: 'x', unit: '\u0000' }],
  ['fetch', { id: '\u0000' }],
  ['fetch', { id: LONE }],
  ['fetch', { id: 'nobody', page: 1e300 }],
  ['fetch', { id: 'nobody', span: { start: -1, end: 1e300 } }],
  ['fetch', { id: 'nobody', span: [] }],
  ['list_documents', { name: LONE }],
  ['list_documents', { name: '\u0000' }],
  ...['', '0-20', '1-0', '2-51', '99999999999-20', '1-20\n', '-1-20', 'x', '１-20'].map(
    (text): [string, unknown] => ['list_documents', { cursor: cursor(text) }],
  ),
  ['list_documents', { cursor: 'x'.repeat(101) }],
  ['list_documents', { cursor: LONE }],
  ['list_datasets', { prefix: LONE }],
  ['list_datasets', { prefix: '\u0000' }],
  ['add_document', { name: '\u0000', text: 'x', datasets: ['faq'] }],
  ['add_document', { name: 'x', text: LONE, datasets: ['faq'] }],
  ['add_document', { name: 'x', text: 'a\u0000b', datasets: ['faq'] }],
  ['add_document', { name: 'x', url: 'file:///etc/passwd', datasets: ['faq'] }],
  ['add_document', { name: 'x', text: 'x', datasets: [LONE] }],
  ['list_conversations', { status: LONE }],
  ['list_conversations', { agentId: '\u0000' }],
  ['get_messages', { conversationId: LONE }],
];

test.each(ARGUMENTS)('a tool of MCP says what is wrong: %s %j', async (name, args) => {
  const { status, body } = await send(MCP, call(name, args));
  expect([status, body]).toEqual([
    200,
    {
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: expect.stringMatching(/./) }], isError: true },
    },
  ]);
  expect(body.result.content[0].text).not.toMatch(/internal|unavailable|server error/i);
});

test.each<[string, string, Record<string, string>?]>([
  ['a method that is no text', rpc(5)],
  ['params that are a list', rpc('tools/call', [])],
  ['a tool without an object of arguments', call('search', [])],
  ['a tool with null as arguments', call('search', null)],
  ['a tool without a name', rpc('tools/call', {})],
  ['a tool of a prototype', rpc('tools/call', { name: '__proto__' })],
  ['an unknown tool', rpc('tools/call', { name: LONE, arguments: {} })],
  ['a resource that is no URI', rpc('resources/read', { uri: '\u0000' })],
  ['a resource with half a character', rpc('resources/read', { uri: 'lectern://documents/%ff' })],
  ['a resource with an encoded NUL', rpc('resources/read', { uri: 'lectern://documents/%00' })],
  ['a page that is none', rpc('resources/read', { uri: 'lectern://documents/x?page=0' })],
  ['a cursor that was changed', rpc('resources/list', { cursor: cursor('0-50') })],
  ['a cursor of a large page', rpc('resources/list', { cursor: cursor('1-99') })],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
  ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
  ['an unknown version', rpc('ping'), { 'mcp-protocol-version': '1999-01-01' }],
  ['a version that is none', rpc('ping'), { 'mcp-protocol-version': '\u00ff' }],
  ['no accepted type', rpc('ping'), { accept: 'text/html' }],
])('MCP refuses %s', async (_, body, headers) => {
  const answer = await send(MCP, body, headers);
  expect(answer.body).toEqual(expect.objectContaining(OF_MCP));
  expect(answer.status).toBeLessThan(500);
  expect(answer.body.error.code).not.toBe(-32_603);
});

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
const LONG = 'x'.repeat(10_001);
const handshake = { protocolVersion: '2025-11-25', clientInfo: { name: 'x', version: '1' } };

test.each<[string, string, string]>([
  ['many arguments', call('fetch', many(3_000)), 'must have at most 3000 values in arguments'],
  [
    'a long list',
    call('search', { filter: { value: Array(3_000).fill(1) } }),
    'must have at most 3000 values in arguments',
  ],
  ['many parameters', rpc('ping', many(200)), 'must have at most 200 values besides arguments'],
  [
    'much that is said of a message',
    rpc('ping', { _meta: many(200) }),
    'must have at most 200 values besides arguments',
  ],
  [
    'many capabilities',
    rpc('initialize', { ...handshake, capabilities: { experimental: many(49_000) } }),
    'must have at most 200 values besides arguments',
  ],
  ['a long method', rpc(LONG), 'must have no text of more than 10000 characters besides arguments'],
  [
    'the long name of a tool',
    call(LONG, {}),
    'must have no text of more than 10000 characters besides arguments',
  ],
  [
    'the long name of a parameter',
    rpc('ping', { [LONG]: 1 }),
    'must have no text of more than 10000 characters besides arguments',
  ],
  [
    'a long cursor',
    rpc('resources/list', { cursor: LONG }),
    'must have no text of more than 10000 characters besides arguments',
  ],
])('MCP refuses %s before it is handled', async (_, body, excess) => {
  const answer = await send(MCP, body);
  expect([answer.status, answer.body]).toEqual([
    400,
    { jsonrpc: '2.0', error: { code: -32_600, message: `The message ${excess}.` }, id: null },
  ]);
});

test('MCP takes as many arguments as the lists of a tool may have', async () => {
  const filters = Array.from({ length: 49 }, () => ({ type: 'in', key: 'a', value: Array(10).fill('x') }));
  const args = { query: 'harbour', datasets: Array(1_000).fill('faq'), filter: { type: 'or', filters } };
  expect((await send(MCP, call('search', args))).body.result).toMatchObject({
    structuredContent: { results: [] },
  });
});

test('a session that nobody has begun does not matter', async () => {
  const { status, body } = await send(MCP, rpc('ping'), { 'mcp-session-id': 'stolen', 'last-event-id': '5' });
  expect([status, body]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
});

const asked = (fields: object) => JSON.stringify({ query: 'harbour', ...fields });
const retrieval = (fields: object) =>
  asked({ knowledge_id: 'sales/faq', retrieval_setting: { top_k: 1 }, ...fields });
const condition = (fields: object) =>
  retrieval({
    metadata_condition: { conditions: [{ name: 'a', comparison_operator: 'is', value: 'b', ...fields }] },
  });

test.each([
  retrieval({ retrieval_setting: { top_k: 1e9 } }),
  retrieval({ retrieval_setting: { top_k: -1 } }),
  retrieval({ retrieval_setting: { top_k: 1, score_threshold: 'NaN' } }),
  retrieval({ retrieval_setting: null }),
  retrieval({ knowledge_id: 'sales/\u0000' }),
  retrieval({ knowledge_id: LONE }),
  retrieval({ knowledge_id: 'sales/%00' }),
  retrieval({ query: LONE }),
  retrieval({ query: '\u0000' }),
  condition({ name: '\u0000' }),
  condition({ name: LONE }),
  condition({ value: '\u0000' }),
  condition({ value: LONE }),
  condition({ comparison_operator: 'start with', value: LONE }),
  condition({ comparison_operator: 'constructor' }),
  condition({ comparison_operator: 'before', name: 'document.createdTime', value: 1e300 }),
  condition({ comparison_operator: 'in', value: Array(501).fill('x') }),
  condition({ comparison_operator: '=', value: '1e999' }),
  retrieval({
    metadata_condition: {
      conditions: Array(2).fill({ name: 'a', comparison_operator: 'in', value: Array(251).fill({}) }),
    },
  }),
  retrieval({
    metadata_condition: { conditions: Array(51).fill({ name: 'a', comparison_operator: 'empty' }) },
  }),
])('Dify is told what is wrong: %s', async (body) => {
  const answer = await send(DIFY, body);
  expect(answer.body).toEqual(OF_DIFY);
  expect([400, 404]).toContain(answer.status);
});

test.each([
  asked({ max_num_results: 1e9 }),
  asked({ max_num_results: '5' }),
  asked({ ranking_options: 'auto' }),
  asked({ ranking_options: { score_threshold: 1e300 } }),
  asked({ ranking_options: { ranker: {} } }),
  asked({ ranking_options: { __proto__: 1, embedding_weight: 1 } }),
  asked({ query: Array(101).fill('x') }),
  asked({ query: Array(100).fill('x'.repeat(200)) }),
  asked({ query: [LONE] }),
  asked({ query: '\u0000' }),
  asked({ filters: nested(100) }),
  asked({ filters: [] }),
  asked({ filters: { type: 'eq', key: LONE, value: '\u0000' } }),
])('OpenAI is told what is wrong: %s', async (body) => {
  const answer = await send(OPENAI, body);
  expect([answer.status, answer.body]).toEqual([400, OF_OPENAI]);
});

test.each([
  'after=vs_~00.faq',
  'after=vs_sales.~ED~A0~80',
  'after=%00',
  'after=vs_a.b&after=vs_c.d',
  'limit[]=5',
  'limit=1e2',
  'order=asc&order=desc',
  `before=vs_${'x'.repeat(1_590)}.y`,
])('OpenAI is told what is wrong with a list: %s', async (query) => {
  const answer = await sendRaw(app.address, { method: 'GET', target: `${STORES}&${query}`, headers: {} });
  expect([answer.status, answer.body]).toEqual([400, OF_OPENAI]);
});

test('a filter nested to the limit is answered by each of them', async () => {
  const filter = nested(2);
  expect((await send(MCP, call('search', { query: 'harbour', filter }))).body.result.isError).toBeUndefined();
  expect((await send(OPENAI, asked({ filters: filter }))).status).toBe(200);
});

test('many calls at once are all answered', async () => {
  const bodies: [string, string][] = [
    [MCP, call('search', { query: 'harbour' })],
    [MCP, rpc('tools/list')],
    [DIFY, retrieval({})],
    [OPENAI, asked({})],
  ];
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => send(...(bodies[n % bodies.length] as [string, string]))),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});
