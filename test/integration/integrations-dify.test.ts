import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { createRestClient, TENANT_UNIT, UUID } from './support/rest-client.js';

const PATH = '/integrations/dify/retrieval';
const app = useApp();

/** What the documents have that are searched: all of them say "harbour". */
const DOCUMENTS: Record<string, Record<string, unknown>> = {
  plain: {},
  red: {
    url: 'https://shop.test/red',
    customProperties: { colour: 'red', size: 5, tags: ['a', 'b'], at: 100 },
  },
  green: {
    url: 'https://shop.test/green',
    customProperties: { colour: 'green', size: 40, note: '', at: 200 },
  },
  last: { customProperties: { colour: 'r\u{10ffff}', size: '5', alias: 'red' } },
};
const ids: Record<string, string> = {};

beforeAll(async () => {
  const rest = createRestClient(app);
  for (const [name, fields] of Object.entries(DOCUMENTS)) {
    const content = { documentName: name, documentContent: `The harbour of the ${name} town.` };
    const { id } = await rest.createDocument({ ...content, ...fields }, ['faq', 'a/b 100%']);
    ids[name] = id;
  }
  await rest.createDocument(
    { documentName: 'elsewhere', documentContent: 'The harbour.', tenantUnitId: 'support' },
    ['faq'],
  );
  await rest.createDocument(
    { documentName: 'default', documentContent: 'The harbour.', tenantId: 'default', tenantUnitId: 'one' },
    ['faq'],
  );
  await app.settle();
});

const question = (fields: object = {}) => ({
  knowledge_id: 'sales/faq',
  query: 'harbour',
  retrieval_setting: { top_k: 10, score_threshold: 0 },
  ...fields,
});
const ask = (fields: object = {}, query: Record<string, string> = { tenantId: 'acme' }) =>
  app.request('POST', PATH, { query, body: question(fields) });
const titles = async (fields: object = {}, query?: Record<string, string>) => {
  const { status, body } = await ask(fields, query);
  expect({ status, body }).toEqual({ status: 200, body: { records: expect.any(Array) } });
  return body.records.map(({ title }: { title: string }) => title).toSorted();
};
const refused = async (fields: object, query?: Record<string, string>) => {
  const { status, body } = await ask(fields, query);
  return [status, body];
};
const ALL = ['green', 'last', 'plain', 'red'];

test('a documented request is answered with records', async () => {
  const { status, body } = await ask({
    query: 'red town',
    retrieval_setting: { top_k: 1, score_threshold: 0 },
  });
  expect([status, body]).toEqual([
    200,
    {
      records: [
        {
          content: 'The harbour of the red town.',
          score: expect.any(Number),
          title: 'red',
          metadata: {
            document_id: ids.red,
            chunk_id: UUID,
            unit: 'sales',
            datasets: 'a/b 100%, faq',
            type: 'txt',
            keywords: expect.any(String),
            updated_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
            url: 'https://shop.test/red',
            colour: 'red',
            size: 5,
            at: 100,
            tags: ['a', 'b'],
          },
        },
      ],
    },
  ]);
  const [{ score }] = body.records;
  const from = (score_threshold: number) =>
    titles({ query: 'red town', retrieval_setting: { top_k: 1, score_threshold } });
  expect([await from(score), await from(Math.min(1, score + 0.01))]).toEqual([['red'], []]);
});

test('what Dify sends without settings of the user is accepted', async () => {
  const setting = { top_k: null, score_threshold: null };
  expect(await titles({ retrieval_setting: setting, metadata_condition: null, more: 1 })).toEqual(ALL);
  expect(await titles({ metadata_condition: { logical_operator: 'and', conditions: [] } })).toEqual(ALL);
  expect(await titles({ metadata_condition: { logical_operator: null, conditions: null } })).toEqual(ALL);
});

test('a knowledge id names a dataset, or unit and dataset', async () => {
  expect(await titles({ knowledge_id: 'faq' })).toEqual(['elsewhere', ...ALL].toSorted());
  expect(await titles({ knowledge_id: 'support/faq' })).toEqual(['elsewhere']);
  expect(await titles({ knowledge_id: 'faq' }, { tenantId: 'acme', tenantUnitId: 'support' })).toEqual([
    'elsewhere',
  ]);
  expect(await titles({ knowledge_id: 'sales/a%2Fb 100%25' })).toEqual(ALL);
  expect(await titles({ knowledge_id: 'faq' }, {})).toEqual(['default']);
  expect(await titles({ query: 'nothing of that' })).toEqual([]);
});

test('where Dify appends its path, the tenant can still be named', async () => {
  const endpoint = `${PATH}?tenantId=acme&path=`;
  const { body } = await app.request('POST', `${endpoint}/retrieval`, { body: question() });
  expect(body.records).toHaveLength(4);
});

test.each([
  'sales/none',
  'none',
  'none/faq',
  '',
  'sales/',
  'a/b/c',
  'sales/%zz',
  'a\u0000b',
  `sales/${'x'.repeat(300)}`,
])('no such knowledge: %j', async (knowledge_id) => {
  expect(await refused({ knowledge_id })).toEqual(
    knowledge_id.includes('\u0000')
      ? [400, { error_code: 400, error_msg: expect.stringMatching(/^knowledge_id: /) }]
      : [
          404,
          { error_code: 2001, error_msg: 'There is no such knowledge base, or the API key may not read it.' },
        ],
  );
});

type Condition = [name: string | string[], operator: string, value?: unknown];
const toCondition = ([name, comparison_operator, value]: Condition) => ({ name, comparison_operator, value });
const filtered = (conditions: Condition[], logical_operator?: string) => ({
  metadata_condition: { logical_operator, conditions: conditions.map(toCondition) },
});

describe('a metadata condition', () => {
  test.each<[Condition, string[]]>([
    [
      ['colour', 'contains', 're'],
      ['green', 'red'],
    ],
    [['tags', 'contains', 'a'], ['red']],
    [
      ['colour', 'not contains', 're'],
      ['last', 'plain'],
    ],
    [
      ['colour', 'start with', 'r'],
      ['last', 'red'],
    ],
    [['colour', 'start with', 're'], ['red']],
    [['colour', 'start with', 'r\u{10ffff}'], ['last']],
    [
      ['colour', 'start with', ''],
      ['green', 'last', 'red'],
    ],
    [['document.url', 'start with', 'https://shop.test/r'], ['red']],
    [['document.name', 'start with', 'p'], ['plain']],
    [['colour', 'is', 'red'], ['red']],
    [['size', 'is', '5'], ['last']],
    [
      ['colour', 'is not', 'red'],
      ['green', 'last', 'plain'],
    ],
    [
      ['colour', 'in', ['red', 'green']],
      ['green', 'red'],
    ],
    [
      ['colour', 'not in', ['red', 'green']],
      ['last', 'plain'],
    ],
    [['note', 'empty'], ALL],
    [['note', 'not empty'], []],
    [['colour', 'empty'], ['plain']],
    [
      ['colour', 'not empty', null],
      ['green', 'last', 'red'],
    ],
    [['size', '=', 5], ['red']],
    [['size', '=', '5'], ['red']],
    [
      ['size', '≠', 5],
      ['green', 'last', 'plain'],
    ],
    [['size', '>', 5], ['green']],
    [['size', '<', '40.0'], ['red']],
    [
      ['size', '≥', 5],
      ['green', 'red'],
    ],
    [['size', '≤', 5], ['red']],
    [['document.createdTime', 'after', '2020-01-01T00:00:00Z'], ALL],
    [['document.createdTime', 'before', 1_577_836_800], []],
    [['at', 'before', 150], ['red']],
    [['at', 'after', 150], ['green']],
    [
      [['colour', 'alias'], 'is', 'red'],
      ['last', 'red'],
    ],
    [
      [['colour', 'alias'], 'is not', 'red'],
      ['green', 'plain'],
    ],
    [[['colour', 'alias'], 'empty'], ['plain']],
    [['document.id', 'is', 'nothing'], []],
  ])('%j', async (condition, left) => {
    expect(await titles(filtered([condition]))).toEqual(left);
  });

  test('several hold together, or any of them', async () => {
    const conditions: Condition[] = [
      ['colour', 'is', 'red'],
      ['size', '>', 5],
    ];
    expect(await titles(filtered(conditions))).toEqual([]);
    expect(await titles(filtered(conditions, 'and'))).toEqual([]);
    expect(await titles(filtered(conditions, 'or'))).toEqual(['green', 'red']);
  });

  const AT = 'metadata_condition.conditions.1';
  test.each<[Condition, string]>([
    [['colour', 'end with', 'd'], `${AT}: "end with" is not supported: there is no exact filter for it.`],
    [['colour', 'like', 'd'], `${AT}: "like" is not an operator of the External Knowledge API.`],
    [['colour', '__proto__', 'd'], `${AT}: "__proto__" is not an operator of the External Knowledge API.`],
    [
      ['colour', 'constructor', 'd'],
      `${AT}: "constructor" is not an operator of the External Knowledge API.`,
    ],
    [['colour', 'is'], `${AT}: "is" takes one value.`],
    [['colour', 'contains', ['a']], `${AT}: "contains" takes one value.`],
    [['colour', 'in', 'red'], `${AT}: "in" takes a list of values.`],
    [['colour', 'start with', 5], `${AT}: "start with" takes a text.`],
    [['size', '>', 'many'], `${AT}: ">" compares numbers.`],
    [['size', '=', ' '], `${AT}: "=" compares numbers.`],
    [['document.createdTime', 'before', 'soon'], `${AT}: "before" takes an ISO 8601 time or Unix time.`],
    [
      ['since', 'after', '2026-01-01'],
      `${AT}: "after" takes a number, such as Unix time, for a custom property. Only document.createdTime and document.updatedTime are times.`,
    ],
    [['document.createdTime', 'is', 'soon'], `${AT}: must be an ISO 8601 time`],
  ])('is refused where no filter is exact: %j', async (condition, error_msg) => {
    const conditions: Condition[] = [['colour', 'is', 'red'], condition];
    expect(await refused(filtered(conditions))).toEqual([400, { error_code: 400, error_msg }]);
  });
});

test.each<[string, object, string]>([
  ['no query', { query: undefined }, 'query: Field required'],
  ['an empty query', { query: '' }, 'query: Too small: expected string to have >=1 characters'],
  ['no settings', { retrieval_setting: undefined }, 'retrieval_setting: Field required'],
  [
    'a threshold above 1',
    { retrieval_setting: { top_k: 1, score_threshold: 2 } },
    'retrieval_setting.score_threshold: Too big: expected number to be <=1',
  ],
  [
    'no results',
    { retrieval_setting: { top_k: 0 } },
    'retrieval_setting.top_k: Too small: expected number to be >=1',
  ],
  ['too many results', { retrieval_setting: { top_k: 101 } }, 'retrieval_setting.top_k: must be at most 100'],
  ['no knowledge', { knowledge_id: undefined }, 'knowledge_id: Field required'],
])('400 for %s', async (_, fields, error_msg) => {
  expect(await refused(fields)).toEqual([400, { error_code: 400, error_msg }]);
});

describe('what is refused before', () => {
  const send = async (method: string, path: string, init: RequestInit = {}) => {
    const answer = await fetch(new URL(path, app.address), { method, ...init });
    return [answer.status, await answer.json()];
  };
  const json = { 'content-type': 'application/json' };

  test.each<[string, string, string, RequestInit, number, object]>([
    [
      'nothing, as Dify tries an address',
      'POST',
      PATH,
      {},
      400,
      { error_code: 400, error_msg: 'knowledge_id: Field required' },
    ],
    [
      'a list',
      'POST',
      PATH,
      { headers: json, body: '[]' },
      400,
      { error_code: 400, error_msg: expect.any(String) },
    ],
    [
      'no JSON',
      'POST',
      PATH,
      { headers: json, body: '{"query":' },
      400,
      { error_code: 400, error_msg: expect.stringMatching(/^body: /) },
    ],
    [
      'a form',
      'POST',
      PATH,
      { body: new URLSearchParams({ query: 'x' }) },
      415,
      { error_code: 415, error_msg: 'This endpoint takes application/json.' },
    ],
    ['another method', 'GET', PATH, {}, 405, { error_code: 405, error_msg: 'GET is not allowed here.' }],
    [
      'another path',
      'POST',
      '/integrations/dify/other',
      {},
      404,
      { error_code: 404, error_msg: 'Path not found.' },
    ],
    [
      'a page of another origin',
      'POST',
      PATH,
      { headers: { ...json, origin: 'https://pages.invalid' }, body: '{}' },
      403,
      { error_code: 1002, error_msg: 'Pages of other origins may write only if CORS_ORIGINS names them.' },
    ],
    [
      'a tenant without a name',
      'POST',
      `${PATH}?tenantId=`,
      { headers: json, body: JSON.stringify(question()) },
      400,
      { error_code: 400, error_msg: expect.stringMatching(/^tenantId: /) },
    ],
  ])('%s', async (_, method, path, init, status, body) => {
    expect(await send(method, path, init)).toEqual([status, body]);
  });
});

describe('with keys', () => {
  const guarded = useApp(
    {
      authMode: 'required',
      maxJsonBytes: 2_000,
      rateLimits: { store: 'memory', keyRequests: { amount: 2, seconds: 3_600 } },
    },
    { beside: app },
  );
  const retrieve = async (headers: Record<string, string>, fields: object = {}) => {
    const answer = await guarded.request('POST', PATH, { headers, body: question(fields) });
    return { status: answer.status, body: answer.body, retryAfter: answer.headers.get('retry-after') };
  };
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  test.each([
    ['none', {}],
    ['no scheme', { authorization: 'lectern_key' }],
    ['another scheme', { authorization: 'Basic abc' }],
    ['no key', { authorization: 'Bearer ' }],
    ['two words', { authorization: 'Bearer a b' }],
  ])('a malformed Authorization header: %s', async (_, headers) => {
    expect(await retrieve(headers)).toEqual({
      status: 403,
      retryAfter: null,
      body: { error_code: 1001, error_msg: 'Expected the header "Authorization: Bearer API_KEY".' },
    });
  });

  test('a wrong key, and one without the permission', async () => {
    expect(await retrieve(bearer('lectern_wrong'))).toEqual({
      status: 403,
      retryAfter: null,
      body: {
        error_code: 1002,
        error_msg: 'A valid API key is needed, in X-Api-Key or as a bearer token.',
      },
    });
    const { key } = await guarded.makeKey({ scopes: ['documents:read'] });
    expect(await retrieve(bearer(key))).toEqual({
      status: 403,
      retryAfter: null,
      body: { error_code: 1002, error_msg: 'This API key may not do this: it lacks the scope search.' },
    });
  });

  test('a key finds in its tenant, until a limit is reached', async () => {
    const { key } = await guarded.makeKey({ scopes: ['search'], scope: TENANT_UNIT, datasetIds: ['faq'] });
    const found = await retrieve(bearer(key), { knowledge_id: 'faq' });
    expect(found.body.records.map(({ title }: { title: string }) => title).toSorted()).toEqual(ALL);
    const large = await retrieve(bearer(key), { query: 'x'.repeat(3_000) });
    expect(large).toEqual({
      status: 413,
      retryAfter: null,
      body: { error_code: 413, error_msg: 'The request body is larger than allowed.' },
    });
    expect(await retrieve(bearer(key))).toEqual({
      status: 429,
      retryAfter: expect.stringMatching(/^\d+$/),
      body: { error_code: 429, error_msg: expect.any(String) },
    });
  });
});
