import { sql } from 'kysely';
import OpenAI from 'openai';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { createRestClient, UUID } from './support/rest-client.js';

const STORES = '/integrations/openai/v1/vector_stores';
const app = useApp();
const ids: Record<string, string> = {};

beforeAll(async () => {
  const rest = createRestClient(app);
  const create = async (
    name: string,
    tenantUnitId: string,
    datasetIds: string[],
    customProperties?: object,
  ) => {
    const documentContent = `The harbour of the ${name} town.`;
    const fields = { documentName: name, documentContent, tenantUnitId, customProperties };
    ids[name] = (await rest.createDocument(fields, datasetIds)).id;
  };
  await create('red', 'sales', ['faq', 'b'], { colour: 'red', size: 5 });
  await create('green', 'sales', ['faq', 'a/b c.'], { colour: 'green', size: 40 });
  await create('elsewhere', 'support', ['faq', '帮助']);
  await app.settle();
});

const client = (options: object = {}) =>
  new OpenAI({
    baseURL: `${app.address}/integrations/openai/v1`,
    apiKey: 'none',
    defaultQuery: { tenantId: 'acme' },
    maxRetries: 0,
    ...options,
  });
const store = (id: string, name: string, documents: number) => ({
  id,
  object: 'vector_store',
  created_at: 0,
  name,
  usage_bytes: 0,
  file_counts: { in_progress: 0, completed: documents, failed: 0, cancelled: 0, total: documents },
  status: 'completed',
  expires_after: null,
  expires_at: null,
  last_active_at: null,
  metadata: {},
});
const ASCENDING = [
  store('vs_sales.a~2Fb~20c~2E', 'a/b c.', 1),
  store('vs_sales.b', 'b', 1),
  store('vs_sales.faq', 'faq', 2),
  store('vs_support.faq', 'faq', 1),
  store('vs_support.~E5~B8~AE~E5~8A~A9', '帮助', 1),
];
const names = (stores: { id: string }[]) => stores.map(({ id }) => id);

describe('the package of OpenAI for TypeScript', () => {
  test('lists vector stores', async () => {
    const all = [];
    for await (const one of client().vectorStores.list({ limit: 2, order: 'asc' })) all.push(one);
    expect(all).toEqual(ASCENDING);
    const turned = [];
    for await (const one of client().vectorStores.list({ limit: 3 })) turned.push(one);
    expect(turned).toEqual(ASCENDING.toReversed());
    const support = client({ defaultQuery: { tenantId: 'acme', tenantUnitId: 'support' } });
    expect((await support.vectorStores.list()).data).toEqual(ASCENDING.slice(3).toReversed());
  });

  test('retrieves a vector store', async () => {
    for (const one of ASCENDING) expect(await client().vectorStores.retrieve(one.id)).toEqual(one);
    expect(await client().vectorStores.retrieve('vs_faq')).toEqual(store('vs_faq', 'faq', 3));
  });

  test('searches a vector store', async () => {
    const found = await client().vectorStores.search('vs_sales.faq', {
      query: 'Where is the red town?',
      max_num_results: 1,
      filters: {
        type: 'and',
        filters: [
          { type: 'in', key: 'colour', value: ['red', 'green'] },
          { type: 'lt', key: 'size', value: 10 },
        ],
      },
      ranking_options: { ranker: 'auto', score_threshold: 0 },
      rewrite_query: false,
    });
    expect(found.data).toEqual([
      {
        file_id: ids.red,
        filename: 'red',
        score: expect.any(Number),
        attributes: {
          document_id: ids.red,
          chunk_id: UUID,
          unit: 'sales',
          datasets: 'b, faq',
          type: 'txt',
          keywords: expect.any(String),
          updated_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          size: 5,
          colour: 'red',
        },
        content: [{ type: 'text', text: 'The harbour of the red town.' }],
      },
    ]);
  });

  test('attributes are within the limits of OpenAI', async () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`p${10 + n}`, n]));
    const customProperties = {
      ...many,
      on: true,
      x: `${'x'.repeat(511)}😀`,
      no: null,
      in: { deep: 1 },
      li: [1],
      unit: 'mine',
      ['k'.repeat(65)]: 1,
    };
    await createRestClient(app).createDocument(
      { tenantId: 'limits', documentContent: 'The harbour.', customProperties },
      ['faq'],
    );
    await app.settle();
    const { data } = await client({ defaultQuery: { tenantId: 'limits' } }).vectorStores.search('vs_faq', {
      query: 'harbour',
    });
    const { document_id, chunk_id, keywords, updated_time, ...rest } = data[0]?.attributes ?? {};
    expect(rest).toEqual({
      unit: 'sales',
      datasets: 'faq',
      type: 'txt',
      x: 'x'.repeat(511),
      on: true,
      ...Object.fromEntries(Object.entries(many).slice(0, 7)),
    });
    expect(Object.keys(data[0]?.attributes ?? {})).toHaveLength(16);
  });

  test('searches several queries as one question, and all units without one', async () => {
    const search = async (id: string, query: string | string[]) => {
      const { data } = await client().vectorStores.search(id, { query });
      return data.map(({ filename }) => filename).toSorted();
    };
    expect(await search('vs_sales.faq', ['red', 'green'])).toEqual(['green', 'red']);
    expect(await search('vs_sales.a~2Fb~20c~2E', 'harbour')).toEqual(['green']);
    expect(await search('vs_support.~E5~B8~AE~E5~8A~A9', 'harbour')).toEqual(['elsewhere']);
    expect(await search('vs_faq', 'harbour')).toEqual(['elsewhere', 'green', 'red']);
    expect(await search('vs_sales.faq', 'nothing of that')).toEqual([]);
  });

  test('leaves out what scores below a threshold', async () => {
    const search = async (score_threshold: number) =>
      (
        await client().vectorStores.search('vs_sales.faq', {
          query: 'red',
          ranking_options: { score_threshold },
        })
      ).data;
    const [best] = await search(0);
    expect([(await search(best?.score ?? 1)).length, (await search(1)).length]).toEqual([1, 0]);
  });

  test('throws its errors', async () => {
    const search = (id: string, body: object) => client().vectorStores.search(id, body as never);
    await expect(search('vs_none', { query: 'x' })).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(search('vs_faq', { query: 'x', rewrite_query: true })).rejects.toMatchObject({
      status: 400,
      param: 'rewrite_query',
      type: 'invalid_request_error',
      message: '400 rewrite_query: is not supported: queries are searched as they are',
    });
    await expect(client().vectorStores.create({ name: 'x' })).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });
});

const call = async (method: string, path: string, body?: unknown, query: object = {}) => {
  const answer = await app.request(method, path, {
    query: { tenantId: 'acme', ...query },
    ...(body !== undefined && { body }),
  });
  return [answer.status, answer.body];
};
const failure = (message: unknown, param: string | null, code: string) => [
  400,
  { error: { message, type: 'invalid_request_error', param, code } },
];

describe('pages of the list', () => {
  const page = async (query: object) => {
    const [status, body] = await call('GET', STORES, undefined, query);
    expect(status).toBe(200);
    return [names(body.data), body.has_more];
  };
  const all = names(ASCENDING);

  test('have the documented fields', async () => {
    const [, body] = await call('GET', STORES, undefined, { limit: 2, order: 'asc' });
    expect(body).toEqual({
      object: 'list',
      data: ASCENDING.slice(0, 2),
      first_id: all[0],
      last_id: all[1],
      has_more: true,
    });
    expect(await call('GET', STORES, undefined, { tenantId: 'nobody' })).toEqual([
      200,
      { object: 'list', data: [], first_id: null, last_id: null, has_more: false },
    ]);
  });

  test('begin behind a store, or end before one', async () => {
    expect(await page({ order: 'asc', after: all[1], limit: 2 })).toEqual([all.slice(2, 4), true]);
    expect(await page({ order: 'asc', after: all[4] })).toEqual([[], false]);
    expect(await page({ order: 'asc', before: all[4], limit: 2 })).toEqual([all.slice(2, 4), true]);
    expect(await page({ order: 'asc', before: all[1] })).toEqual([all.slice(0, 1), false]);
    expect(await page({ order: 'desc', after: all[3], limit: 2 })).toEqual([[all[2], all[1]], true]);
    expect(await page({ order: 'desc', before: all[2] })).toEqual([[all[4], all[3]], false]);
    expect(await page({ order: 'asc', after: all[0], before: all[3] })).toEqual([all.slice(1, 3), false]);
    expect(await page({ order: 'asc', after: 'vs_sales.gone' })).toEqual([all.slice(3), false]);
  });

  test('are exact where a unit has more datasets than are read at a time', async () => {
    const datasets = Array.from({ length: 450 }, (_, place) => `set-${String(place).padStart(3, '0')}`);
    await createRestClient(app).createDocument({ tenantId: 'many', tenantUnitId: 'one' }, datasets);
    const found = [];
    for await (const { name } of client({ defaultQuery: { tenantId: 'many' } }).vectorStores.list({
      limit: 100,
    }))
      found.push(name);
    expect(found).toEqual(datasets.toReversed());
  });

  test('are exact where a tenant has many units', async () => {
    await sql`
      with made as (
        insert into documents (id, tenant_id, tenant_unit_id, document_type, source, dataset_ids, created_time, updated_time)
        select 'document ' || i, 'units', 'unit-' || lpad(i::text, 3, '0'), 'UnstructuredFile', 'none',
          array['faq', '帮助'], now(), now()
        from generate_series(0, 449) as i returning tenant_id, tenant_unit_id, id, created_time)
      insert into document_datasets (tenant_id, tenant_unit_id, document_id, created_time, dataset_id)
      select made.*, name from made cross join unnest(array['faq', '帮助']) as name
    `.execute(app.db);
    const found = [];
    for await (const { id } of client({ defaultQuery: { tenantId: 'units' } }).vectorStores.list({
      limit: 100,
      order: 'asc',
    }))
      found.push(id);
    const units = Array.from({ length: 450 }, (_, place) => `vs_unit-${String(place).padStart(3, '0')}`);
    expect(found).toEqual(units.flatMap((unit) => [`${unit}.faq`, `${unit}.~E5~B8~AE~E5~8A~A9`]));
  });

  test.each<[object, string, string]>([
    [{ limit: 0 }, 'limit', 'value_error.too_small'],
    [{ limit: 101 }, 'limit', 'value_error.too_big'],
    [{ limit: 'x' }, 'limit', 'value_error.invalid_format'],
    [{ order: 'up' }, 'order', 'value_error.invalid_value'],
    [{ after: 'vs_faq' }, 'after', 'value_error'],
    [{ before: 'x' }, 'before', 'value_error'],
    [{ include: 'x' }, 'include', 'value_error.unrecognized_keys'],
    [{ tenantId: '' }, 'tenantId', 'value_error.too_small'],
  ])('400 for %j', async (query, param, code) => {
    expect(await call('GET', STORES, undefined, query)).toEqual(failure(expect.any(String), param, code));
  });
});

const UNKNOWN_STORE = [
  404,
  {
    error: {
      message: 'There is no such vector store, or the API key may not read it.',
      type: 'invalid_request_error',
      param: 'vector_store_id',
      code: 'not_found',
    },
  },
];

test.each([
  'vs_none',
  'vs_none.faq',
  'vs_sales.none',
  'faq',
  'vs_',
  'vs_a.b.c',
  'vs_~zz',
  'vs_~FF',
  'vs_~00',
  'vs_~2f',
  `vs_${'x'.repeat(300)}`,
])('no such vector store: %s', async (id) => {
  expect(await call('GET', `${STORES}/${id}`)).toEqual(UNKNOWN_STORE);
  expect(await call('POST', `${STORES}/${id}/search`, { query: 'harbour' })).toEqual(UNKNOWN_STORE);
});

test('a search is answered as a page', async () => {
  const body = { query: ['nothing', 'of that'] };
  expect(await call('POST', `${STORES}/vs_sales.faq/search`, body)).toEqual([
    200,
    {
      object: 'vector_store.search_results.page',
      search_query: body.query,
      data: [],
      has_more: false,
      next_page: null,
    },
  ]);
});

describe('what is not supported is named', () => {
  test.each<[object, string, string, string]>([
    [{}, 'query', 'missing', 'query: Field required'],
    [
      { query: '' },
      'query',
      'value_error.too_small',
      'query: Too small: expected string to have >=1 characters',
    ],
    [{ query: 5 }, 'query', 'value_error.invalid_union', 'query: must be a string or a list of strings'],
    [{ query: [] }, 'query', 'value_error.too_small', 'query: Too small: expected array to have >=1 items'],
    [
      { query: 'x', rewrite_query: true },
      'rewrite_query',
      'value_error.invalid_value',
      'rewrite_query: is not supported: queries are searched as they are',
    ],
    [
      { query: 'x', max_num_results: 51 },
      'max_num_results',
      'value_error.too_big',
      'max_num_results: Too big: expected number to be <=50',
    ],
    [
      { query: 'x', max_num_results: 0 },
      'max_num_results',
      'value_error.too_small',
      'max_num_results: Too small: expected number to be >=1',
    ],
    [
      { query: 'x', ranking_options: { ranker: 'default-2024-11-15' } },
      'ranking_options.ranker',
      'value_error.invalid_value',
      'ranking_options.ranker: supports only "auto": the server is configured with a ranker or without',
    ],
    [
      { query: 'x', ranking_options: { hybrid_search: {} } },
      'ranking_options.hybrid_search',
      'value_error.unrecognized_keys',
      'ranking_options.hybrid_search: Unknown field.',
    ],
    [{ query: 'x', stream: true }, 'stream', 'value_error.unrecognized_keys', 'stream: Unknown field.'],
    [
      { query: 'x', filters: { type: 'eq', key: 'a', value: {} } },
      'filters.value',
      'value_error.invalid_union',
      'filters.value: must be a string, number or boolean',
    ],
    [
      {
        query: 'x',
        filters: { type: 'and', filters: [{ type: 'eq', key: 'document.createdTime', value: 'soon' }] },
      },
      'filters.filters.0.value',
      'value_error.custom',
      'filters.filters.0.value: must be an ISO 8601 time',
    ],
  ])('%j', async (body, param, code, message) => {
    expect(await call('POST', `${STORES}/vs_sales.faq/search`, body)).toEqual(failure(message, param, code));
  });

  test.each([
    ['POST', STORES],
    ['POST', `${STORES}/vs_sales.faq`],
    ['DELETE', `${STORES}/vs_sales.faq`],
    ['GET', `${STORES}/vs_sales.faq/files`],
    ['GET', `${STORES}/vs_sales.faq/search`],
    ['GET', '/integrations/openai/v1/models'],
    ['POST', '/integrations/openai/v1/responses'],
  ])('%s %s', async (method, path) => {
    const named = `${method} ${path.slice('/integrations/openai'.length)}`;
    expect(await call(method, path)).toEqual(
      failure(
        `${named} is not supported. Vector stores can be listed, read and searched.`,
        null,
        'value_error',
      ),
    );
  });

  test('a body that is no JSON', async () => {
    const send = async (type: string, body: string) => {
      const path = `${STORES}/vs_sales.faq/search?tenantId=acme`;
      const answer = await fetch(new URL(path, app.address), {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      return [answer.status, await answer.json()];
    };
    expect(await send('application/json', '{"query":')).toEqual(
      failure(expect.stringMatching(/^body: /), 'body', 'json_invalid'),
    );
    const [status, body] = await send('text/plain', 'query');
    expect([status, body]).toEqual([
      415,
      {
        error: {
          message: 'This endpoint takes application/json.',
          type: 'invalid_request_error',
          param: null,
          code: 'unsupported_media_type',
        },
      },
    ]);
  });
});

describe('with keys', () => {
  const guarded = useApp(
    {
      authMode: 'required',
      maxJsonBytes: 2_000,
      rateLimits: { store: 'memory', keyRequests: { amount: 4, seconds: 3_600 } },
    },
    { beside: app },
  );
  const withKey = (apiKey: string) =>
    client({ baseURL: `${guarded.address}/integrations/openai/v1`, apiKey, defaultQuery: {} }).vectorStores;

  test('a key sees only what it may read, until a limit is reached', async () => {
    const { key } = await guarded.makeKey({
      scopes: ['search'],
      scope: { tenantId: 'acme', tenantUnitId: 'sales' },
      datasetIds: ['faq'],
    });
    const stores = withKey(key);
    expect((await stores.list()).data).toEqual([store('vs_sales.faq', 'faq', 2)]);
    const found = await stores.search('vs_faq', { query: 'harbour' });
    expect(found.data.map(({ filename }) => filename).toSorted()).toEqual(['green', 'red']);
    await expect(stores.retrieve('vs_sales.b')).rejects.toMatchObject({
      status: 404,
      error: (UNKNOWN_STORE[1] as { error: object }).error,
    });
    await expect(stores.search('vs_faq', { query: 'x'.repeat(3_000) })).rejects.toMatchObject({
      status: 413,
      error: {
        message: 'The request body is larger than allowed.',
        type: 'invalid_request_error',
        param: null,
        code: 'too_large',
      },
    });
    const refusal = await stores.list().catch((error) => error);
    expect(refusal).toBeInstanceOf(OpenAI.RateLimitError);
    expect(refusal.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(refusal.error).toEqual({
      message: expect.any(String),
      type: 'rate_limit_error',
      param: null,
      code: 'rate_limit_exceeded',
    });
  });

  test('a wrong key, and one without the permission', async () => {
    const wrong = await withKey('lectern_wrong')
      .list()
      .catch((error) => error);
    expect(wrong).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(wrong.error).toEqual({
      message: 'A valid API key is needed, in X-Api-Key or as a bearer token.',
      type: 'authentication_error',
      param: null,
      code: 'invalid_api_key',
    });
    const { key } = await guarded.makeKey({ scopes: ['documents:read'] });
    expect((await withKey(key).list({ limit: 1 })).data).toHaveLength(1);
    const denied = await withKey(key)
      .search('vs_sales.faq', { query: 'x' })
      .catch((error) => error);
    expect(denied).toBeInstanceOf(OpenAI.PermissionDeniedError);
    expect(denied.error).toEqual({
      message: 'This API key may not do this: it lacks the scope search.',
      type: 'permission_error',
      param: null,
      code: 'forbidden',
    });
  });
});
