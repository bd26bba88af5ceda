import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { type EndpointCase, endpoints, fillPath, type SampleRequest, titled, toForm } from './endpoints.js';
import { createFixtures, type Fixtures, readState } from './fixtures.js';
import { bodySchemaOf, type Json, operationOf, parametersOf } from './openapi-document.js';
import { type RawAnswer, type RawRequest, sendRaw } from './raw-request.js';

const MAX_UPLOAD_BYTES = 100_000;
const app = useApp({ maxUploadBytes: MAX_UPLOAD_BYTES });
let records: Fixtures;
let document: Json;

beforeAll(async () => {
  records = await createFixtures(app);
  ({ body: document } = await app.get('/openapi.json'));
});

const JSON_HEADERS = { 'content-type': 'application/json' };
const RAW_NUL = '%00';
const UNDECODABLE = '%E0%A4%A';

/** A request of the table as the bytes of it, with a query or body that replaces its own. */
function toRaw(
  one: EndpointCase,
  sample: SampleRequest,
  { query, body }: { query?: string; body?: string } = {},
): RawRequest {
  const pairs = Object.entries(sample.query ?? {}).flatMap(([name, value]) =>
    [value].flat().map((item): [string, string] => [name, item]),
  );
  const search = query ?? new URLSearchParams(pairs).toString();
  const text = body ?? (sample.body && JSON.stringify(sample.body));
  return {
    method: one.method,
    target: `${fillPath(one.path, sample.path)}?${search}`,
    ...(text !== undefined && { headers: JSON_HEADERS, body: text }),
  };
}

const send = (request: RawRequest) => sendRaw(app.address, request);

/** Refused in the documented shape; with a name, the field of that name is said to be the reason. */
function expectRefused(answer: RawAnswer, status: number, name?: string | string[], label?: string): void {
  expect(answer.body, label).toEqual({ detail: expect.any(Array) });
  expect(answer.body.detail.length).toBeGreaterThan(0);
  for (const one of answer.body.detail) {
    expect(one).toEqual({
      type: expect.stringMatching(/./),
      loc: expect.any(Array),
      msg: expect.stringMatching(/./),
    });
  }
  expect(answer.status, `${label} ${answer.text}`).toBe(status);
  expect(answer.headers['x-request-id']).toBeDefined();
  if (Array.isArray(name)) expect(answer.body.detail[0].loc, label).toEqual(name);
  else if (name)
    expect(
      answer.body.detail.flatMap(({ loc }: Json) => loc),
      label,
    ).toContain(name);
}

/** Nothing may be written by what a test does, and the server must answer after it. */
async function withoutTrace(action: () => Promise<void>): Promise<void> {
  const before = await readState(app);
  await action();
  expect(await readState(app)).toEqual(before);
  expect((await app.get('/healthz')).status).toBe(200);
}

const withBody = endpoints.filter((one) => !one.isForm && one.request({} as Fixtures).body);

describe('text that cannot be stored or decoded', () => {
  test.each(titled())('%s', async (_, one) => {
    const sample = one.request(records);
    await withoutTrace(async () => {
      for (const name of Object.keys(sample.path ?? {})) {
        const target = (value: string) => one.path.replace(`{${name}}`, value).replace(/\{\w+\}/g, 'x');
        const raw = toRaw(one, sample);
        const [, query] = raw.target.split('?');
        const isUpsert = name === 'externalId';
        expectRefused(
          await send({ ...raw, target: `${target(RAW_NUL)}?${query}` }),
          422,
          isUpsert ? undefined : name,
        );
        expectRefused(await send({ ...raw, target: `${target(UNDECODABLE)}?${query}` }), 422, ['path']);
      }
      if (one.isForm) return;
      for (const { name } of parametersOf(operationOf(document, one), 'query')) {
        // `status` and `statuses` are one list to the domain, as are `type` and `types`.
        const others = Object.fromEntries(
          Object.entries(sample.query ?? {}).filter(([other]) => !other.startsWith(name)),
        );
        const rest = toRaw(one, { ...sample, query: others }).target.split('?')[1];
        const isTwice = name in (sample.body ?? {}) || (name === 'tenantId' && one.number === 18);
        const answer = await send(toRaw(one, sample, { query: `${rest}&${name}=${RAW_NUL}` }));
        expectRefused(answer, 422, isTwice ? undefined : name, name);
      }
      for (const bad of ['%', '%zz', '%FF', '%ED%A0%80', UNDECODABLE]) {
        const answer = await send(
          toRaw(one, sample, { query: `${toRaw(one, sample).target.split('?')[1]}&x=${bad}` }),
        );
        expectRefused(answer, 422, ['query'], bad);
      }
      for (const [name, value] of Object.entries(sample.body ?? {})) {
        for (const bad of ['a\0b', '\ud800', 'a\udc00b']) {
          const wrong = Array.isArray(value) ? [bad] : typeof value === 'object' ? { a: [{ b: bad }] } : bad;
          const answer = await send(toRaw(one, { ...sample, body: { ...sample.body, [name]: wrong } }));
          expectRefused(answer, 422, name, JSON.stringify([name, wrong]));
        }
      }
    });
  });
});

describe('bodies that are no JSON objects', () => {
  test.each(titled(withBody))('%s', async (_, one) => {
    const sample = one.request(records);
    const good = JSON.stringify(sample.body);
    const post = (body: string, headers: Record<string, string> = JSON_HEADERS) =>
      send({ ...toRaw(one, sample), body, headers });
    await withoutTrace(async () => {
      const deep = 100_000;
      for (const body of [
        'null',
        '[]',
        '[{}]',
        '"text"',
        '7',
        'true',
        `${'['.repeat(deep)}${']'.repeat(deep)}`,
      ]) {
        expectRefused(await post(body), 422, ['body'], body.slice(0, 20));
      }
      for (const body of [
        '{',
        '{"a":}',
        good.slice(0, -1),
        `${good}x`,
        '{"a":01}',
        "{'a':1}",
        ' ',
        '\u0000',
        '[}',
        'NaN',
      ]) {
        const answer = await post(body);
        expectRefused(answer, 422, ['body'], body);
        expect(answer.body.detail[0].type).toBe('json_invalid');
      }
      for (const type of [
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        '',
        'json',
      ]) {
        expectRefused(await post(good, { 'content-type': type }), 415, ['body'], type);
      }
      expectRefused(await post(good, {}), 415, ['body']);
      for (const charset of ['latin1', 'utf-99', 'us-ascii']) {
        expectRefused(
          await post(good, { 'content-type': `application/json; charset=${charset}` }),
          415,
          ['body'],
          charset,
        );
      }
      expectRefused(await post(good, { ...JSON_HEADERS, 'content-encoding': 'compress' }), 415, ['body']);
      expectRefused(await post(good, { ...JSON_HEADERS, 'content-encoding': 'gzip' }), 422, ['body']);
      const bomb = gzipSync(Buffer.alloc(40_000_000, 32));
      const answer = await send({
        ...toRaw(one, sample),
        headers: { ...JSON_HEADERS, 'content-encoding': 'gzip' },
        body: bomb,
      });
      expectRefused(answer, 413, ['body']);
    });
  });

  test.each(titled(withBody))('%s: each field nested 20,000 deep', async (_, one) => {
    const sample = one.request(records);
    await withoutTrace(async () => {
      for (const name of Object.keys(bodySchemaOf(document, operationOf(document, one)).properties)) {
        for (const [open, close] of [
          ['[', ']'],
          ['{"a":', '}'],
        ] as const) {
          const deep = `${open.repeat(20_000)}1${close.repeat(20_000)}`;
          const others = JSON.stringify({ ...sample.body, [name]: undefined }).slice(1, -1);
          const body = `{${others}${others && ','}${JSON.stringify(name)}:${deep}}`;
          expectRefused(await send(toRaw(one, sample, { body })), 422, name, name);
        }
      }
    });
  });

  test.each(titled(endpoints.filter((one) => one.method !== 'GET')))('80 MB for %s', async (_, one) => {
    const part = Buffer.alloc(1_000_000, 32);
    const parts = function* () {
      for (let count = 0; count < 80; count += 1) yield part;
    };
    const raw = toRaw(one, one.isForm ? {} : one.request(records));
    const type = one.isForm ? 'multipart/form-data; boundary=b' : 'application/json';
    if (!raw.body && !one.isForm) return;
    await withoutTrace(async () => {
      const framings: Record<string, string>[] = [
        { 'content-length': '80000000' },
        { 'transfer-encoding': 'chunked' },
      ];
      for (const framing of framings) {
        const answer = await send({
          ...raw,
          headers: { 'content-type': type, ...framing },
          body: Readable.from(parts()),
        });
        expectRefused(answer, 413, ['body']);
      }
    });
  });
});

describe('numbers and lists beyond all bounds', () => {
  const HUGE = ['1e400', '9007199254740992', '99999999999999999999', '0', '-1', '101'];

  test.each([
    [1, 'page_size'],
    [2, 'page_size'],
    [12, 'pageSize'],
    [17, 'pageSize'],
  ])('page sizes of endpoint %i', async (number, name) => {
    const one = endpoints[number - 1] as EndpointCase;
    const sample = one.request(records);
    for (const value of HUGE) {
      const raw = toRaw(one, { ...sample, query: { ...sample.query, [name]: value } });
      expectRefused(await send(raw), 422, ['query', name], value);
    }
    const page = number === 1 ? 'page_num' : 'page';
    const last = { [name]: '100', [page]: '9007199254740991' };
    const answer = await send(toRaw(one, { ...sample, query: { ...sample.query, ...last } }));
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual([]);
  });

  test('top_k', async () => {
    const one = endpoints[17] as EndpointCase;
    const sample = one.request(records);
    for (const value of [...HUGE, '1.5', '-0.5', '5e-324']) {
      const body = JSON.stringify({ ...sample.body, top_k: 0 }).replace('"top_k":0', `"top_k":${value}`);
      expectRefused(await send(toRaw(one, sample, { body })), 422, ['body', 'top_k'], value);
    }
  });

  test('101 ids', async () => {
    const ids = Array.from({ length: 101 }, (_, place) => `id-${place}`);
    await withoutTrace(async () => {
      for (const number of [20, 21]) {
        const one = endpoints[number - 1] as EndpointCase;
        const sample = one.request(records);
        const raw = toRaw(one, { ...sample, body: { ...sample.body, documentChunkIds: ids } });
        expectRefused(await send(raw), 422, ['body', 'documentChunkIds']);
      }
      const byIds = endpoints[13] as EndpointCase;
      const raw = toRaw(byIds, { query: { tenantId: records.tenant, documentIds: JSON.stringify(ids) } });
      expectRefused(await send(raw), 422, ['query', 'documentIds']);
    });
  });

  test('forty thousand wrong items are not told of one by one', async () => {
    await withoutTrace(async () => {
      for (const [number, name] of [
        [18, 'dataset_ids'],
        [19, 'keywords'],
        [20, 'documentChunkIds'],
        [21, 'documentChunkIds'],
      ] as const) {
        const one = endpoints[number - 1] as EndpointCase;
        const sample = one.request(records);
        const body = JSON.stringify({ ...sample.body, [name]: [] }).replace(
          `"${name}":[]`,
          `"${name}":[${'0,'.repeat(40_000)}0]`,
        );
        const answer = await send(toRaw(one, sample, { body }));
        expectRefused(answer, 422, ['body', name]);
        expect(answer.text.length).toBeLessThan(1_000);
      }
    });
  });

  test('a body of more than 50,000 values, wherever they are', async () => {
    await withoutTrace(async () => {
      for (const part of ['0,', '[],', '{},', '"a",', '{"a":0},']) {
        const body = `{"ignored":[${part.repeat(50_000)}0]}`;
        const answer = await send({
          method: 'POST',
          target: '/admin/api/v2/conversations',
          headers: JSON_HEADERS,
          body,
        });
        const detail = [
          { type: 'value_error.too_big', loc: ['body'], msg: 'must hold at most 50000 values' },
        ];
        expect([answer.status, answer.body]).toEqual([422, { detail }]);
      }
    });
  });

  test('commas and brackets in text are no values', async () => {
    const answer = await send({
      method: 'POST',
      target: '/admin/api/v2/conversations',
      headers: JSON_HEADERS,
      body: JSON.stringify({ ignored: '[{"\\",'.repeat(60_000) }),
    });
    expect(answer.status).toBe(201);
  });

  test('identifiers are measured in bytes', async () => {
    const create = endpoints[7] as EndpointCase;
    const long = 'é'.repeat(128);
    const place = { tenantId: records.tenant, tenantUnitId: records.unit };
    const requests: [RawRequest, string][] = [
      ...['tenantId', 'tenantUnitId', 'id'].map((name): [RawRequest, string] => {
        const body = { ...place, documentType: 'StructuredFile', [name]: long };
        return [toRaw(create, { query: { tenantId: body.tenantId }, body }), name];
      }),
      [
        toRaw(create, {
          query: { tenantId: records.tenant, datasetIds: JSON.stringify([long]) },
          body: { ...place, documentType: 'StructuredFile' },
        }),
        'datasetIds',
      ],
      [
        toRaw(endpoints[9] as EndpointCase, {
          path: { externalId: 'é'.repeat(513) },
          query: { tenantId: records.tenant },
          body: { ...place, externalId: 'é'.repeat(513) },
        }),
        'externalId',
      ],
      ...['tenant_id', 'tenant_unit_id', 'assignment_id'].map((name): [RawRequest, string] => [
        toRaw(endpoints[2] as EndpointCase, { query: { [name]: long }, body: {} }),
        name,
      ]),
    ];
    await withoutTrace(async () => {
      for (const [raw, name] of requests) expectRefused(await send(raw), 422, name, name);
    });
    const fits = `${'é'.repeat(127)}x`;
    const raw = toRaw(create, {
      query: { tenantId: fits },
      body: { ...place, tenantId: fits, id: fits, documentType: 'StructuredFile' },
    });
    expect((await send(raw)).status).toBe(200);
  });
});

describe('keys with a meaning of their own', () => {
  const text =
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":{"__proto__":[1]}}';
  const isClean = () => expect(({} as Record<string, unknown>).polluted).toBeUndefined();

  test('come back from free-form objects as they were', async () => {
    const place = `"tenantId":"${records.tenant}","tenantUnitId":"u"`;
    const created = await send({
      method: 'POST',
      target: '/admin/api/v2/conversations',
      headers: JSON_HEADERS,
      body: `{"inputs":${text},"__proto__":{"topic":"x"}}`,
    });
    expect(created.status).toBe(201);
    expect(created.body.topic).toBe('New Conversation');
    expect(JSON.stringify(created.body.inputs)).toHaveLength(text.length);
    expect(Object.keys(created.body.inputs).sort()).toEqual(['__proto__', 'a', 'constructor']);
    const document = await send({
      method: 'POST',
      target: `/admin/api/v1/documents?tenantId=${records.tenant}`,
      headers: JSON_HEADERS,
      body: `{${place},"documentType":"StructuredFile","customProperties":${text}}`,
    });
    expect(Object.keys(document.body.customProperties).sort()).toEqual(['__proto__', 'a', 'constructor']);
    isClean();
  });

  test('are ignored in queries', async () => {
    const query = '__proto__=a&__proto__=b&constructor=x&__proto__[polluted]=1&toString=1';
    const answer = await send({
      method: 'GET',
      target: `/admin/api/v2/conversations?tenant_id=none&${query}`,
    });
    expect(answer.status).toBe(200);
    expect(answer.body.total_count).toBe(0);
    isClean();
  });
});

describe('forms', () => {
  const BOUNDARY = 'b0undary';
  const type = `multipart/form-data; boundary=${BOUNDARY}`;
  const target = '/admin/api/v1/documents/upload';
  const field = (name: string, value: string) =>
    `content-disposition: form-data; name="${name}"\r\n\r\n${value}`;
  const file = (name: string, value: string, fileName = 'a.txt') =>
    `content-disposition: form-data; name="${name}"; filename="${fileName}"\r\ncontent-type: text/plain\r\n\r\n${value}`;
  const fields = () => [
    field('tenantId', records.tenant),
    field('tenantUnitId', 'u'),
    field('documentType', 'UnstructuredFile'),
    field('datasetIds', 'faq'),
  ];
  const open = (parts: string[]) => parts.map((part) => `--${BOUNDARY}\r\n${part}`).join('\r\n');
  const whole = (parts: string[]) => `${open(parts)}\r\n--${BOUNDARY}--\r\n`;
  const post = (body: string | Readable, headers: Record<string, string> = { 'content-type': type }) =>
    send({ method: 'POST', target, headers, body });

  test.each<[string, () => string, number, string[]]>([
    ['no file', () => whole(fields()), 422, ['body', 'file']],
    ['text in place of the file', () => whole([...fields(), field('file', 'x')]), 422, ['body', 'file']],
    ['two files', () => whole([...fields(), file('file', 'x'), file('file', 'y')]), 422, ['body', 'file']],
    [
      'text and a file',
      () => whole([...fields(), field('file', 'x'), file('file', 'y')]),
      422,
      ['body', 'file'],
    ],
    [
      'a file and text',
      () => whole([...fields(), file('file', 'y'), field('file', 'x')]),
      422,
      ['body', 'file'],
    ],
    ['a file in another field', () => whole([...fields(), file('files', 'x')]), 422, ['body', 'file']],
    [
      'a file too large',
      () => whole([...fields(), file('file', 'x'.repeat(MAX_UPLOAD_BYTES + 1))]),
      413,
      ['body', 'file'],
    ],
    ['a file far too large', () => whole([...fields(), file('file', 'x'.repeat(5_000_000))]), 413, ['body']],
    [
      'a field too long',
      () => whole([...fields(), field('category', 'x'.repeat(2_000_000)), file('file', 'x')]),
      413,
      ['body'],
    ],
    [
      'too many fields',
      () => whole([...Array.from({ length: 1_001 }, () => field('a', 'x')), file('file', 'x')]),
      422,
      ['body'],
    ],
    [
      'too many parts in other fields',
      () =>
        whole([...fields(), ...Array.from({ length: 1_001 }, () => file('other', 'x')), file('file', 'x')]),
      422,
      ['body'],
    ],
    [
      'too many datasets',
      () => whole([...fields(), field('datasetIds', 'x,'.repeat(20_000)), file('file', 'x')]),
      422,
      ['body', 'datasetIds'],
    ],
    [
      'NUL in a field',
      () => whole([...fields(), field('category', 'a\0'), file('file', 'x')]),
      422,
      ['body', 'category'],
    ],
    [
      'NUL in JSON',
      () => whole([...fields(), field('customProperties', '{"a":"\\u0000"}'), file('file', 'x')]),
      422,
      ['body', 'customProperties', 'a'],
    ],
    ['a cut file', () => open([...fields(), file('file', 'x')]), 422, ['body']],
    ['a large cut file', () => open([...fields(), file('file', 'x'.repeat(90_000))]), 422, ['body']],
    ['a cut field', () => open([file('file', 'x'), ...fields()]), 422, ['body']],
    [
      'a cut head of a part',
      () => `${open(fields())}\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; na`,
      422,
      ['body'],
    ],
    ['a cut file in another field', () => open([...fields(), file('other', 'x')]), 422, ['body']],
    ['no last boundary', () => `${open([...fields(), file('file', 'x')])}\r\n--${BOUNDARY}`, 422, ['body']],
    ['an empty body', () => '', 422, ['body']],
    ['no parts', () => 'nothing', 422, ['body']],
  ])('%s', async (_, body, status, loc) => {
    await withoutTrace(async () => expectRefused(await post(body()), status, loc));
  });

  test('a wrong head', async () => {
    const body = whole([...fields(), file('file', 'x')]);
    await withoutTrace(async () => {
      expectRefused(await post(body, { 'content-type': 'multipart/form-data' }), 422, ['body']);
      expectRefused(await post(body, { 'content-type': 'multipart/mixed; boundary=b' }), 415, ['body']);
      expectRefused(await post('{}', JSON_HEADERS), 415, ['body']);
      expectRefused(await post(body, {}), 415, ['body']);
      expectRefused(await post(body, { 'content-type': type, 'content-encoding': 'gzip' }), 415, ['body']);
      expectRefused(await post(body, { 'content-type': 'multipart/form-data; boundary=other' }), 422, [
        'body',
      ]);
    });
  });

  test.each([
    [
      'a form',
      () => open([...fields(), file('file', 'x'.repeat(10_000))]),
      (source: Readable) => post(source),
    ],
    [
      'a typed call',
      () => 'x'.repeat(10_000),
      (body: Readable) =>
        send({
          method: 'POST',
          target: '/trpc/files.upload',
          headers: { 'content-type': 'application/octet-stream' },
          body,
        }),
    ],
  ])(
    'a client that goes away in the middle of a file of %s leaves nothing behind',
    async (_, begin, sendIt) => {
      const before = await readState(app);
      const source = new Readable({ read() {} });
      source.push(begin());
      const sent = sendIt(source);
      await expect.poll(async () => JSON.stringify(await readState(app))).toContain('.partial');
      source.destroy();
      await Promise.all([expect(sent).rejects.toThrow(), closeConnections()]);
      await expect.poll(() => readState(app)).toEqual(before);
    },
  );

  const closeConnections = async () => app.app.http.closeAllConnections();

  test('a form of the table is fine', async () => {
    const one = endpoints[8] as EndpointCase;
    const { body } = one.request(records);
    const { status } = await app.request('POST', target, { body: toForm(body ?? {}) });
    expect(status).toBe(200);
  });
});

test('a body that is announced as too large is refused before it comes', async () => {
  const beginning = new Readable({ read() {} });
  beginning.push('{');
  const answer = await send({
    method: 'POST',
    target: '/admin/api/v2/conversations',
    headers: { ...JSON_HEADERS, 'content-length': 10_000_000_000 },
    body: beginning,
  });
  beginning.destroy();
  expectRefused(answer, 413, ['body']);
});
