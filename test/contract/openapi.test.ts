import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { type EndpointCase, endpoints, titled, toRequest } from './endpoints.js';
import { createFixtures } from './fixtures.js';
import { bodySchemaOf, type Json, objectsIn, operationOf, parametersOf } from './openapi-document.js';

const app = useApp();
const small = useApp({ maxPageSize: 7 });
const JSON_TYPE = 'application/json';
let document: Json;
let ajv: Ajv2020;

beforeAll(async () => {
  ({ body: document } = await app.get('/openapi.json'));
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('binary', true);
  ajv.addSchema(closed(document), 'document');
});

/** The same document, whose objects allow no fields but those they name. */
function closed(original: Json): Json {
  const copy = structuredClone(original);
  for (const object of objectsIn(copy)) {
    if (object.type === 'object' && object.properties) object.additionalProperties = false;
  }
  return copy;
}

const pointer = (...steps: (string | number)[]): string =>
  steps.map((step) => encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');

/** A check of what stands at a place in an operation. */
const checkAt = ({ path, method }: EndpointCase, ...steps: (string | number)[]): ValidateFunction =>
  ajv.compile({ $ref: `document#/${pointer('paths', path, method.toLowerCase(), ...steps)}` });

function expectValid(check: ValidateFunction, value: unknown): void {
  check(value);
  expect(check.errors, JSON.stringify(value)).toBeNull();
}

test('is OpenAPI 3.1, with every reference resolved and every schema sound', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d$/);
  expect(document.info.version).toBe('1.0.0');
  expect(Object.keys(document).sort()).toEqual([
    'components',
    'info',
    'openapi',
    'paths',
    'security',
    'servers',
  ]);
  for (const { $ref } of objectsIn(document)) {
    if ($ref === undefined) continue;
    expect($ref).toMatch(/^#\/components\/schemas\/\w+$/);
    expect(document.components.schemas).toHaveProperty($ref.split('/').at(-1));
  }
  for (const [name, schema] of Object.entries<Json>(document.components.schemas)) {
    expect(ajv.validateSchema(schema), name).toBe(true);
    expect(() => ajv.compile({ $ref: `document#/components/schemas/${name}` }), name).not.toThrow();
  }
});

test('operation ids are unique, and so are an operation’s parameters', () => {
  const ids = endpoints.map((one) => operationOf(document, one).operationId);
  expect(new Set(ids).size).toBe(22);
  for (const one of endpoints) {
    const names = (operationOf(document, one).parameters as Json[]).map((p) => `${p.in} ${p.name}`);
    expect(new Set(names).size, one.path).toBe(names.length);
  }
});

describe('each operation', () => {
  test.each(titled())('%s is described', (_, one) => {
    const operation = operationOf(document, one);
    expect(operation.summary).toMatch(/./);
    expect(operation.operationId).toMatch(/^[a-z]+_[a-zA-Z]+$/);
    expect(operation.tags).toHaveLength(1);
    const wanted = [...one.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const inPath = parametersOf(operation, 'path');
    expect(inPath.map(({ name }) => name)).toEqual(wanted);
    for (const parameter of inPath) expect(parameter.required).toBe(true);

    const success = operation.responses[one.status];
    expect(success.headers).toHaveProperty('X-Request-Id');
    const content = success.content?.[JSON_TYPE];
    expect(content === undefined).toBe(one.status === 204);
    if (content) {
      expect(content).toHaveProperty('example');
      expect(JSON.stringify(content.schema)).toContain('#/components/schemas/');
    }
    const [success2xx] = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
    expect(success2xx).toBe(String(one.status));
    expect(operation.responses[422].content[JSON_TYPE].schema).toEqual({
      $ref: '#/components/schemas/HTTPValidationError',
    });

    const sample = one.request({ tenant: 't', unit: 'u', agentId: 'a', messageIds: [] } as never);
    expect(operation.requestBody !== undefined).toBe(sample.body !== undefined);
    if (sample.body) {
      const [type, body] = Object.entries<Json>(operation.requestBody.content)[0] ?? [];
      expect(type).toBe(one.isForm ? 'multipart/form-data' : JSON_TYPE);
      expect(body.schema.$ref).toMatch(/^#\/components\/schemas\//);
      if (!one.isForm) expect(body).toHaveProperty('example');
    }
  });

  test.each(titled())('%s: its examples fit its schemas', (_, one) => {
    const operation = operationOf(document, one);
    for (const [place, { schema }] of operation.parameters.entries()) {
      for (const example of schema.examples ?? []) {
        expectValid(checkAt(one, 'parameters', place, 'schema'), example);
      }
    }
    const request = operation.requestBody?.content[JSON_TYPE];
    if (request) expectValid(checkAt(one, 'requestBody', 'content', JSON_TYPE, 'schema'), request.example);
    const answer = operation.responses[one.status].content?.[JSON_TYPE];
    const steps = ['responses', one.status, 'content', JSON_TYPE, 'schema'];
    if (answer) expectValid(checkAt(one, ...steps), answer.example);
  });

  test.each(titled())('%s: what it answers fits its schemas', async (_, one) => {
    const records = await createFixtures(app);
    const sample = one.request(records);
    const refused = await app.request(
      ...toRequest(one, { ...sample, query: { ...sample.query, ...twoTenants(one) } }),
    );
    if (refused.status >= 400) {
      const steps = ['responses', refused.status, 'content', JSON_TYPE, 'schema'];
      expectValid(checkAt(one, ...steps), refused.body);
    }
    const answer = await app.request(...toRequest(one, sample));
    expect(answer.status).toBe(one.status);
    if (answer.status === 204) expect(answer.body).toBeUndefined();
    else expectValid(checkAt(one, 'responses', one.status, 'content', JSON_TYPE, 'schema'), answer.body);
  });
});

/** What no endpoint takes: a tenant given twice. */
const twoTenants = ({ path }: EndpointCase): Record<string, string[]> =>
  path.includes('/v2/') ? { tenant_id: ['a', 'b'] } : { tenantId: ['a', 'b'] };

describe('the peculiarities of the API document', () => {
  const namesIn = (place: 'query' | 'header', one: EndpointCase) =>
    parametersOf(operationOf(document, one), place).map(({ name }) => name);
  const queries: Record<number, string[]> = {
    1: [
      'assignment_id',
      'agent_id',
      'page_num',
      'page_size',
      'order',
      'status',
      'statuses',
      'tenant_id',
      'tenant_unit_id',
    ],
    2: ['page', 'page_size', 'tenant_id', 'tenant_unit_id'],
    3: ['assignment_id', 'tenant_id', 'tenant_unit_id'],
    4: ['tenant_id', 'tenant_unit_id'],
    5: ['tenant_id', 'tenant_unit_id'],
    6: [],
    7: ['tenant_id', 'tenant_unit_id'],
    8: ['datasetIds', 'tenantUnitId', 'tenantId'],
    9: ['tenantId', 'tenantUnitId'],
    10: ['datasetIds', 'tenantId'],
    11: ['tenantId'],
    12: ['type', 'types', 'tenantUnitId', 'datasetIds', 'page', 'pageSize', 'tenantId'],
    13: ['tenantId'],
    14: ['documentIds', 'tenantId'],
    15: ['tenantId'],
    16: ['tenantId'],
    17: ['page', 'pageSize', 'tenantId'],
    18: ['tenantId'],
    19: ['tenantId'],
    20: ['tenantUnitId', 'tenantId'],
    21: ['tenantUnitId', 'tenantId'],
    22: ['tenantUnitId', 'tenantId'],
  };
  const bodies: Record<number, { required: string[]; optional: string[] }> = {
    3: { required: [], optional: ['topic', 'status', 'agent_id', 'inputs', 'assignment_id'] },
    5: { required: [], optional: ['topic'] },
    7: { required: ['status'], optional: [] },
    8: {
      required: ['tenantId', 'tenantUnitId', 'documentType'],
      // `category` is no field of the documented request, but one of the document.
      optional: [
        'id',
        'documentSubType',
        'documentName',
        'storageType',
        'storageBucket',
        'storagePath',
        'url',
        'title',
        'customProperties',
        'enabled',
        'documentContent',
        'category',
      ],
    },
    9: {
      required: ['documentType', 'datasetIds', 'tenantUnitId', 'file', 'tenantId'],
      optional: ['documentSubType', 'category', 'customProperties'],
    },
    10: {
      required: ['externalId', 'tenantId', 'tenantUnitId'],
      optional: ['documentName', 'url', 'documentContent', 'custom_properties'],
    },
    15: { required: [], optional: ['url', 'customProperties', 'enabled', 'documentContent'] },
    16: { required: ['enabled'], optional: [] },
    18: {
      required: ['tenant_id', 'tenant_unit_id', 'dataset_ids', 'query'],
      optional: ['top_k', 'language'],
    },
    19: { required: [], optional: ['content', 'keywords'] },
    20: { required: ['documentChunkIds'], optional: [] },
    21: { required: ['status', 'documentChunkIds'], optional: [] },
    22: { required: ['status'], optional: [] },
  };
  /** Endpoint, parameter: required. Every other query parameter is optional. */
  const requiredIn = (number: number, name: string) =>
    (name === 'tenantId' && ![9, 20, 21].includes(number)) ||
    (name === 'tenantUnitId' && [21, 22].includes(number)) ||
    name === 'documentIds';

  test.each(titled())('%s takes exactly the documented parameters and fields', (_, one) => {
    expect(namesIn('query', one).sort()).toEqual(queries[one.number]?.sort());
    for (const { name, required = false } of parametersOf(operationOf(document, one), 'query')) {
      expect(required, name).toBe(requiredIn(one.number, name));
    }
    const schema = bodySchemaOf(document, operationOf(document, one));
    const { required, optional } = bodies[one.number] ?? {};
    expect(schema && (schema.required ?? []).toSorted()).toEqual(required?.toSorted());
    expect(schema && Object.keys(schema.properties).sort()).toEqual(
      required && [...required, ...(optional ?? [])].sort(),
    );
  });

  test.each(titled())('%s: X-Api-Key on documents and chunks only', (_, one) => {
    expect(namesIn('header', one).includes('X-Api-Key')).toBe(one.number >= 8);
    expect(operationOf(document, one)).not.toHaveProperty('security');
  });

  test.each(titled())('%s: the headers of requests and answers', (_, one) => {
    const operation = operationOf(document, one);
    const canWait = [8, 9, 10, 15, 16, 19, 20, 21, 22].includes(one.number);
    expect(namesIn('header', one).includes('Prefer')).toBe(canWait);
    const isWrite = one.method !== 'GET' && one.number !== 18;
    expect(namesIn('header', one).includes('Idempotency-Key')).toBe(isWrite);
    expect(namesIn('header', one).includes('X-User-Id')).toBe(isWrite);
    const heeds = [5, 6, 7, 13, 15, 16, 19, 22].includes(one.number);
    expect(namesIn('header', one).includes('If-Match')).toBe(heeds);
    const headers = Object.keys(operation.responses[one.status].headers);
    expect(headers).toEqual([
      'X-Request-Id',
      ...(canWait ? ['Preference-Applied'] : []),
      ...([3, 4, 5, 7, 8, 9, 11, 15, 16, 19, 22].includes(one.number) ? ['ETag'] : []),
      ...(one.number === 18
        ? ['X-Search-Engine', 'X-Search-Mode', 'X-Search-Reranked', 'X-Search-Truncated']
        : []),
    ]);
  });

  test('an upload is a multipart form with a binary file', () => {
    const schema = bodySchemaOf(document, operationOf(document, endpoints[8] as EndpointCase));
    expect(schema.properties.file).toEqual({ type: 'string', format: 'binary' });
    expect(schema.properties.datasetIds).toMatchObject({ type: 'array', items: { type: 'string' } });
    expect(schema.properties.customProperties).toMatchObject({ type: 'string' });
  });

  test('limits are published: of lengths, of lists, and of what must come together', () => {
    const headers = parametersOf(operationOf(document, endpoints[2] as EndpointCase), 'header');
    const header = (name: string) => headers.find((one) => one.name === name)?.schema;
    expect(header('Idempotency-Key')).toMatchObject({ minLength: 1, maxLength: 255, pattern: '^[ -~]+$' });
    expect(header('X-User-Id')).toMatchObject({ maxLength: 255 });
    const [assignmentId] = parametersOf(operationOf(document, endpoints[2] as EndpointCase), 'query');
    expect(assignmentId).toMatchObject({ name: 'assignment_id', schema: { minLength: 1, maxLength: 255 } });
    const created = bodySchemaOf(document, operationOf(document, endpoints[7] as EndpointCase));
    expect(created.properties.customProperties).toMatchObject({ type: 'object', maxProperties: 10_000 });
    expect(created.dependentRequired).toEqual({
      storageBucket: ['storagePath'],
      storagePath: ['storageBucket'],
    });
  });

  test('the largest page and list are the configured ones', async () => {
    const { body: configured } = await small.get('/openapi.json');
    const maxima = (given: Json) => ({
      pages: [1, 2, 12, 17].map(
        (number) =>
          parametersOf(operationOf(given, endpoints[number - 1] as EndpointCase), 'query').find(({ name }) =>
            /^page_?size$/i.test(name),
          )?.schema.maximum,
      ),
      topK: given.components.schemas.DocumentChunkSearch.properties.top_k.maximum,
      chunks: given.components.schemas.DocumentChunkSelection.properties.documentChunkIds.maxItems,
    });
    expect(maxima(document)).toEqual({ pages: [100, 100, 100, 100], topK: 100, chunks: 100 });
    expect(maxima(configured)).toEqual({ pages: [7, 7, 7, 7], topK: 7, chunks: 7 });
    expect(JSON.stringify(configured)).not.toContain('x-limit');
  });

  test('defaults are published', () => {
    const defaultsOf = (number: number) =>
      Object.fromEntries(
        parametersOf(operationOf(document, endpoints[number - 1] as EndpointCase), 'query')
          .filter(({ schema }) => 'default' in schema)
          .map(({ name, schema }) => [name, schema.default]),
      );
    expect(defaultsOf(1)).toEqual({ page_num: 1, page_size: 20, order: 'recent' });
    expect(defaultsOf(2)).toEqual({ page: 1, page_size: 20 });
    expect(defaultsOf(12)).toEqual({ page: 1, pageSize: 10 });
    expect(defaultsOf(17)).toEqual({ page: 1, pageSize: 10 });
    const search = bodySchemaOf(document, operationOf(document, endpoints[17] as EndpointCase));
    expect(search.properties.top_k.default).toBe(5);
    expect(search.properties.language.default).toBe('english');
  });

  test.each([
    'Conversation',
    'ConversationListItem',
    'ConversationPage',
    'Message',
    'MessagePage',
    'RunStatus',
    'Document',
    'DocumentPage',
    'DocumentType',
    'Pagination',
    'UpsertResult',
    'DocumentChunk',
    'DocumentChunkPage',
    'DocumentChunkMetadata',
    'DocumentChunkSearchHit',
    'HTTPValidationError',
  ])('%s is a component', (name) => {
    expect(document.components.schemas).toHaveProperty(name);
  });
});
