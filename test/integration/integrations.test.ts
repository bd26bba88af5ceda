import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewApiKey } from '../../src/services/api-keys/api-keys.schema.js';
import { type RequestOptions, useApp } from '../support/app.js';
import { DOCUMENTS, SEARCH, TENANT, TENANT_UNIT } from './support/rest-client.js';

/* What all interfaces have in common. The matrices ask each of them for what a key may not read. */

type Call = [method: string, route: string, options?: RequestOptions];

const STORES = '/integrations/openai/v1/vector_stores';
const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
const mcp = (method: string, params: object): Call => [
  'POST',
  '/mcp',
  { headers: { accept: 'application/json, text/event-stream' }, body: rpc(method, params) },
];
const input = encodeURIComponent(
  JSON.stringify({ scope: TENANT_UNIT, datasetIds: ['faq'], query: 'refund' }),
);

/** A read over each interface. */
const READS: Record<string, Call> = {
  REST: [
    'POST',
    SEARCH,
    {
      query: TENANT,
      body: { tenant_id: 'acme', tenant_unit_id: 'sales', dataset_ids: ['faq'], query: 'refund' },
    },
  ],
  tRPC: ['GET', `/trpc/chunks.search?input=${input}`],
  'a tool of MCP': mcp('tools/call', { name: 'search', arguments: { query: 'refund' } }),
  'the list of MCP': mcp('tools/list', {}),
  'a resource of MCP': mcp('resources/read', { uri: 'lectern://documents/returns' }),
  Dify: [
    'POST',
    '/integrations/dify/retrieval',
    { body: { knowledge_id: 'faq', query: 'refund', retrieval_setting: {} } },
  ],
  'the list of OpenAI': ['GET', STORES],
  OpenAI: ['POST', `${STORES}/vs_sales.faq/search`, { body: { query: 'refund' } }],
};
const reads = Object.entries(READS);

const documentType = 'UnstructuredFile' as const;
type TestApp = ReturnType<typeof useApp>;
const ask = (app: TestApp, [method, route, options = {}]: Call, key: string) =>
  app.request(method, route, {
    ...options,
    headers: { ...options.headers, authorization: `Bearer ${key}` },
  });
const keyOf = async (app: TestApp, fields: Partial<NewApiKey> = {}) =>
  (await app.makeKey({ scope: TENANT_UNIT, ...fields })).key;
const add = (app: TestApp, key: string, fields: object = {}) =>
  app.trpc({ 'x-api-key': key }).documents.create.mutate({
    scope: TENANT_UNIT,
    documentType,
    datasetIds: ['faq'],
    documentContent: 'A refund takes five days.',
    ...fields,
  });

/** An error as each interface tells it. */
const refusalOf = (name: string, status: number, type: string, message: unknown): object => {
  if (name === 'REST') return { detail: [{ type, loc: [], msg: message }] };
  if (name === 'tRPC')
    return { error: expect.objectContaining({ data: expect.objectContaining({ httpStatus: status }) }) };
  if (name.endsWith('MCP')) return { jsonrpc: '2.0', id: null, error: { code: -32_000, message } };
  if (name === 'Dify') return { error_code: status, error_msg: message };
  const about = {
    429: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    503: { type: 'server_error', code: 'unavailable' },
  }[status];
  return { error: { message, param: null, ...about } };
};

describe('limits', () => {
  const SECONDS = 1_000_000;
  const limited = useApp({
    authMode: 'required',
    rateLimits: { store: 'memory', keyRequests: { amount: reads.length + 1, seconds: SECONDS } },
  });

  test('a key has one rate limit for all interfaces', async () => {
    // Adding the document is the first.
    const key = await keyOf(limited, { scope: TENANT });
    await add(limited, key, { id: 'returns' });
    await limited.settle();
    for (const [place, [name, call]] of reads.entries()) {
      const { status, headers } = await ask(limited, call, key);
      const left = reads.length - place - 1;
      expect([name, status, headers.get('ratelimit')]).toEqual([
        name,
        200,
        expect.stringMatching(new RegExp(`^"key";r=${left};`)),
      ]);
    }
    for (const [name, call] of reads) {
      const { status, headers, body } = await ask(limited, call, key);
      expect([name, status, headers.get('retry-after'), body]).toEqual([
        name,
        429,
        expect.stringMatching(/^\d+$/),
        refusalOf(
          name,
          429,
          'too_many_requests',
          expect.stringMatching(/^Too many requests with this API key/),
        ),
      ]);
    }
  });

  const few = useApp({
    authMode: 'required',
    quotas: { documents: 3, chunks: undefined, bytes: undefined },
  });

  test('a tenant has one quota for all interfaces', async () => {
    const key = await keyOf(few);
    const args = { name: 'Returns', text: 'A refund takes five days.', datasets: ['faq'] };
    const tool = mcp('tools/call', { name: 'add_document', arguments: args });
    const rest: Call = ['POST', DOCUMENTS, { query: TENANT, body: { ...TENANT_UNIT, documentType } }];
    await add(few, key);
    expect((await ask(few, tool, key)).body.result).toMatchObject({
      structuredContent: { status: 'created' },
    });
    expect((await ask(few, rest, key)).status).toBe(200);

    const text =
      'This tenant may have 3 documents, and no more. Delete documents that are no longer needed, or have the quota raised.';
    await expect(add(few, key)).rejects.toMatchObject({ message: text, data: { httpStatus: 409 } });
    expect((await ask(few, tool, key)).body.result).toEqual({
      content: [{ type: 'text', text }],
      isError: true,
    });
    const refused = await ask(few, rest, key);
    expect([refused.status, refused.body.detail[0].msg]).toEqual([409, text]);
  });
});

describe('with keys', () => {
  const webDir = mkdtempSync(path.join(os.tmpdir(), 'lectern-web-'));
  const page = { 'index.html': { type: 'text/html; charset=utf-8', encodings: [], etag: 'W/"page"' } };
  writeFileSync(path.join(webDir, 'index.html'), '<!doctype html><title>Lectern</title>');
  writeFileSync(path.join(webDir, 'files.json'), JSON.stringify({ files: page }));
  afterAll(() => rmSync(webDir, { recursive: true, force: true }));
  const app = useApp({ authMode: 'required' }, { webDir });
  let own: string;
  beforeAll(async () => {
    own = await keyOf(app, { scope: TENANT });
    await add(app, own, { id: 'returns' });
    await add(app, own, { scope: { tenantId: 'acme', tenantUnitId: 'legal' }, datasetIds: ['contracts'] });
  });

  test('the list of vector stores has only what a key may read', async () => {
    const list = async (fields: Partial<NewApiKey>) => {
      const { body } = await ask(app, ['GET', STORES], await keyOf(app, fields));
      return body.data?.map(({ id }: { id: string }) => id);
    };
    expect(await list({ scope: TENANT })).toEqual(['vs_sales.faq', 'vs_legal.contracts']);
    expect(await list({ scopes: ['search'] })).toEqual(['vs_sales.faq']);
    expect(await list({ scope: TENANT, datasetIds: ['contracts'], scopes: ['search'] })).toEqual([
      'vs_legal.contracts',
    ]);
    expect(await list({ scope: { tenantId: 'globex' } })).toEqual([]);
    expect(await list({ scopes: ['conversations:read'] })).toBeUndefined();
  });

  test('a dataset of a key that has no document does not exist', async () => {
    const key = await keyOf(app, {
      scope: { tenantId: 'acme', tenantUnitId: ['sales', 'legal'] },
      datasetIds: ['contracts', 'empty'],
      scopes: ['search'],
    });
    const { body } = await ask(app, ['GET', STORES], key);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['vs_legal.contracts']);
    const statusOf = async (call: Call) => (await ask(app, call, key)).status;
    for (const [id, status] of [
      ['contracts', 200],
      ['legal.contracts', 200],
      ['sales.contracts', 404],
      ['empty', 404],
    ] as const) {
      const asked = { knowledge_id: id.replace('.', '/'), query: 'refund', retrieval_setting: {} };
      expect([
        id,
        await statusOf(['GET', `${STORES}/vs_${id}`]),
        await statusOf(['POST', `${STORES}/vs_${id}/search`, { body: { query: 'refund' } }]),
        await statusOf(['POST', '/integrations/dify/retrieval', { body: asked }]),
      ]).toEqual([id, status, status, status]);
    }
  });

  test('a permalink answers everybody the same page, whatever it names', async () => {
    const answers = [];
    for (const key of [own, await keyOf(app, { scope: { tenantId: 'globex' } }), 'nonsense'])
      for (const id of ['returns', 'unknown']) {
        const response = await fetch(`${app.address}/documents/${id}?tenant=acme&chunk=x`, {
          headers: { accept: 'text/html', authorization: `Bearer ${key}` },
        });
        const { date: _, 'x-request-id': _id, ...headers } = Object.fromEntries(response.headers);
        answers.push({ status: response.status, headers, body: await response.text() });
      }
    expect(answers[0]).toMatchObject({ status: 200, body: expect.stringContaining('<title>Lectern') });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });
});

describe('during an outage of the database', () => {
  const fallen = useApp();
  beforeAll(() => fallen.destroy());

  test.each(reads.filter(([name]) => !name.endsWith('MCP')))(
    '%s answers 503 in its form, with Retry-After',
    async (name, call) => {
      const [method, route, options] = call;
      const { status, headers, body } = await fallen.request(method, route, options);
      expect([status, headers.get('retry-after'), body]).toEqual([
        503,
        '2',
        refusalOf(name, 503, 'unavailable', expect.stringMatching(/try again/)),
      ]);
    },
  );
});
