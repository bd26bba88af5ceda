import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { CONVERSATIONS, createRestClient, DOCUMENTS, TENANT, TENANT_UNIT } from './support/rest-client.js';
import { readSourceText } from './support/source-text.js';

const app = useApp();
const { call, createDocument, patchDocument, upsert, upload } = createRestClient(app);

const MAX_BYTES = 256 * 1024;
const MAX_VALUES = 10_000;

/** As large as a free-form object may be: `{"text":"…"}`. */
const largest = (more = 0) => ({ text: 'x'.repeat(MAX_BYTES - '{"text":""}'.length + more) });
/** As many values as it may have, the list itself included. */
const widest = (more = 0) => ({ list: Array(MAX_VALUES - 1 + more).fill(0) });

const refusal = (loc: string[], msg: string, status = 422) => ({
  status,
  body: { detail: [{ type: 'value_error.custom', loc, msg }] },
});
const TOO_LONG = `must be at most ${MAX_BYTES} bytes of JSON`;
const TOO_WIDE = `must hold at most ${MAX_VALUES} values`;

async function answerTo(method: string, route: string, options: object) {
  const { status, body } = await app.request(method, route, options);
  return { status, body };
}

describe('a free-form object', () => {
  const place = { ...TENANT_UNIT, documentType: 'StructuredFile' };
  const requests: [string, string, (object: object) => [string, string, object]][] = [
    ['inputs', 'a conversation', (inputs) => ['POST', CONVERSATIONS, { body: { inputs } }]],
    [
      'customProperties',
      'a document',
      (customProperties) => ['POST', DOCUMENTS, { query: TENANT, body: { ...place, customProperties } }],
    ],
    [
      'customProperties',
      'a change of a document',
      (customProperties) => ['PATCH', `${DOCUMENTS}/x`, { query: TENANT, body: { customProperties } }],
    ],
    [
      'custom_properties',
      'an upsert',
      (custom_properties) => [
        'PUT',
        '/admin/api/v1/api/v1/documents/byExternalId/x',
        { query: TENANT, body: { ...TENANT_UNIT, externalId: 'x', custom_properties } },
      ],
    ],
    [
      'customProperties',
      'an upload',
      (customProperties) => {
        const body = new FormData();
        const fields = { ...place, datasetIds: '[]', customProperties: JSON.stringify(customProperties) };
        for (const [name, value] of Object.entries(fields)) body.set(name, value);
        body.set('file', new File(['text'], 'a.txt'));
        return ['POST', `${DOCUMENTS}/upload`, { body }];
      },
    ],
  ];

  test.each(requests)('%s of %s is refused above its limits, by its name', async (name, _, toRequest) => {
    expect(await answerTo(...toRequest(largest(1)))).toEqual(refusal(['body', name], TOO_LONG));
    expect(await answerTo(...toRequest(widest(1)))).toEqual(refusal(['body', name], TOO_WIDE));
    // Counted in bytes of UTF-8, as JSON writes them.
    const escaped = { text: '\n'.repeat(MAX_BYTES / 2) };
    expect(await answerTo(...toRequest(escaped))).toEqual(refusal(['body', name], TOO_LONG));
  });

  test('round-trips within its limits', async () => {
    for (const object of [largest(), widest()]) {
      const conversation = await call(201, 'POST', CONVERSATIONS, { body: { inputs: object } });
      expect(conversation.inputs).toEqual(object);
      const document = await createDocument({ customProperties: object });
      expect(document.customProperties).toEqual(object);
      expect((await patchDocument(document.id, { customProperties: object })).customProperties).toEqual(
        object,
      );
      await upsert('large', { custom_properties: object });
      const uploaded = await upload('text', 'a.txt', { customProperties: JSON.stringify(object) });
      expect(uploaded.customProperties).toEqual(object);
    }
  });

  test.each([
    ['conversations.create', (inputs: object) => ({ inputs }), ['inputs']],
    [
      'documents.createMany',
      (customProperties: object) => ({ scope: TENANT_UNIT, documents: [{ customProperties }] }),
      ['documents', 0, 'customProperties'],
    ],
  ])('of %s is refused over tRPC too', async (procedure, toInput, loc) => {
    for (const [object, msg] of [
      [largest(1), TOO_LONG],
      [widest(1), TOO_WIDE],
    ] as const) {
      const answer = await app.request('POST', `/trpc/${procedure}`, { body: toInput(object) });
      expect([answer.status, answer.body.error.data.detail]).toEqual([
        422,
        [{ type: 'value_error.custom', loc, msg }],
      ]);
    }
  });
});

test('a text of several megabytes is stored, read and chunked as it is', async () => {
  const text = '# 知识\n\n图谱😀 é '.repeat(150_000);
  const { id, documentContent } = await createDocument({ documentContent: text });
  expect(documentContent).toBe(text);
  const one = `${DOCUMENTS}/${id}`;
  expect((await call(200, 'GET', one, { query: TENANT })).documentContent).toBe(text);
  const ref = { scope: TENANT, documentId: id };
  expect((await app.trpc().documents.get.query(ref)).documentContent).toBe(text);
  expect((await patchDocument(id, { title: 'Long' })).documentContent).toBe(text);
  await app.settle();
  const { status, chunkCount } = await app.trpc().documents.get.query(ref);
  expect([status, chunkCount > 1_000]).toEqual(['ready', true]);
  const source = await readSourceText(app.trpc().documents, { ...ref, page: 1 });
  expect(text).toContain(source.pages[0]?.text.slice(0, 1_000));
  const same = await patchDocument(id, { documentContent: text });
  expect([same.status, same.documentContent]).toEqual(['ready', text]);
});

describe('a page of large records', () => {
  const COUNT = 45;
  const size = { page_size: 100 };
  const tooLarge = (loc: string[]) => ({
    status: 422,
    body: {
      detail: [
        {
          type: 'value_error.too_big',
          loc,
          msg: 'The records of this page are too large for one answer; ask for fewer.',
        },
      ],
    },
  });
  const repeat = <T>(make: (place: number) => Promise<T>) =>
    Promise.all(Array.from({ length: COUNT }, (_, place) => make(place)));

  test('of conversations is served as long as one answer can carry it', async () => {
    const query = { tenant_id: 'large' };
    await repeat(() => call(201, 'POST', CONVERSATIONS, { query, body: { inputs: largest() } }));
    expect(await answerTo('GET', CONVERSATIONS, { query: { ...query, ...size } })).toEqual(
      tooLarge(['query', 'page_size']),
    );
    const page = await call(200, 'GET', CONVERSATIONS, { query });
    expect([page.total_count, page.data.length]).toEqual([COUNT, 20]);
    for (const { inputs } of page.data) expect(inputs).toEqual(largest());
    const list = app.trpc().conversations.list;
    const scope = { tenantId: 'large' };
    await expect(list.query({ scope, pageSize: 100 })).rejects.toMatchObject({
      data: { httpStatus: 422, detail: [{ loc: ['pageSize'] }] },
    });
    expect((await list.query({ scope })).items).toHaveLength(20);
  });

  test('of documents, and some by their ids', async () => {
    const documents = await repeat(() => createDocument({ tenantId: 'large', customProperties: largest() }));
    const query = { tenantId: 'large' };
    expect(await answerTo('GET', DOCUMENTS, { query: { ...query, pageSize: 100 } })).toEqual(
      tooLarge(['query', 'pageSize']),
    );
    const page = await call(200, 'GET', DOCUMENTS, { query: { ...query, pageSize: 20 } });
    expect(page.data.map((one: any) => one.customProperties)).toEqual(Array(20).fill(largest()));
    const ids = documents.map(({ id }) => id);
    const byIds = (documentIds: string[]) =>
      answerTo('GET', `${DOCUMENTS}/byIds`, {
        query: { ...query, documentIds: JSON.stringify(documentIds) },
      });
    expect(await byIds(ids)).toEqual(tooLarge(['query', 'documentIds']));
    expect((await byIds(ids.slice(0, 20))).body).toHaveLength(20);
  });

  test('of messages, whose metadata the runtime writes: what is far too large stays where it is', async () => {
    const query = { tenant_id: 'runtime', tenant_unit_id: 'u' };
    const { id } = await call(201, 'POST', CONVERSATIONS, { query, body: {} });
    const message = (place: number, fields: object) => ({
      id: randomUUID(),
      tenantId: 'runtime',
      tenantUnitId: 'u',
      conversationId: id,
      agentId: 'a',
      userId: 'u',
      runId: 'r',
      messageFrom: 'agent',
      content: `message ${place}`,
      requestedTime: new Date(place),
      ...fields,
    });
    const huge = JSON.stringify({ list: Array(1_000_000).fill(0) });
    await app.db
      .insertInto('messages')
      .values([
        message(0, { metadata: huge }),
        message(1, { metadata: JSON.stringify({ a: 1 }) }),
        message(2, {}),
      ])
      .execute();
    const list = (page: object) =>
      answerTo('GET', `${CONVERSATIONS}/${id}/messages`, { query: { ...query, ...page } });
    const { body } = await list({});
    expect(body.data.map((one: any) => [one.content, one.metadata])).toEqual([
      ['message 0', null],
      ['message 1', { a: 1 }],
      ['message 2', null],
    ]);
    await app.db
      .insertInto('messages')
      .values([3, 4].map((place) => message(place, { content: `${place}`.repeat(6_000_000) })))
      .execute();
    expect(await list({})).toEqual(tooLarge(['query', 'page_size']));
    const one = await list({ page: 4, page_size: 1 });
    expect(one.body.data[0].content).toBe('3'.repeat(6_000_000));
  });
});

test('headers, queries and batches are bounded, too', async () => {
  const named = async (headers: Record<string, string>) => {
    const answer = await app.request('PATCH', `${CONVERSATIONS}/x`, { body: { topic: 'x' }, headers });
    return [answer.status, answer.body.detail[0].loc];
  };
  expect(await named({ 'x-user-id': 'u'.repeat(256) })).toEqual([422, ['header', 'X-User-Id']]);
  expect(await named({ 'idempotency-key': 'k'.repeat(256) })).toEqual([422, ['header', 'Idempotency-Key']]);
  expect(await named({ 'if-match': Array(101).fill('"1"').join() })).toEqual([422, ['header', 'If-Match']]);
  const prefer = { headers: { prefer: `wait=1, ${'x'.repeat(1_000)}` }, query: TENANT, body: {} };
  const { status, body } = await app.request('PATCH', `${DOCUMENTS}/x`, prefer);
  expect([status, body.detail[0].loc]).toEqual([422, ['header', 'Prefer']]);

  const statuses = Array(1_001).fill('a');
  expect(await answerTo('GET', CONVERSATIONS, { query: { statuses } })).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['query'], msg: 'must hold at most 1000 parameters' }] },
  });
  const units = { tenantId: 'acme', tenantUnitId: Array(1_001).fill('u') };
  await expect(app.trpc().conversations.list.query({ scope: units })).rejects.toMatchObject({
    data: {
      httpStatus: 422,
      detail: [{ loc: ['scope', 'tenantUnitId'], msg: 'must hold at most 1000 items' }],
    },
  });
  const batch = (count: number) =>
    app.request('GET', `/trpc/${Array(count).fill('conversations.list').join()}?batch=1&input=%7B%7D`);
  expect((await batch(100)).body).toHaveLength(100);
  expect((await batch(101)).body).toMatchObject({
    error: { message: 'Batch call exceeds maximum size' },
  });
});

test('the answers of a batch are bounded together', async () => {
  const now = new Date();
  const place = { tenantId: 'batches', tenantUnitId: 'sales', documentType: 'UnstructuredFile' } as const;
  const rows = Array.from({ length: 30 }, () => ({
    ...place,
    id: randomUUID(),
    customProperties: JSON.stringify(largest()),
    status: 'ready' as const,
    source: 'content' as const,
    createdTime: now,
    updatedTime: now,
  }));
  await app.db.insertInto('documents').values(rows).execute();
  const list = async (count: number) => {
    const input = { scope: { tenantId: 'batches' }, pageSize: 100 };
    const body = Object.fromEntries(Array.from({ length: count }, (_, call) => [call, input]));
    const names = Array(count).fill('documents.list').join();
    const route = `/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(body))}`;
    const answers: any[] = (await app.request('GET', route)).body;
    return answers.map(
      ({ result, error }) => result?.data.items.length ?? [error.data.httpStatus, error.message],
    );
  };
  const refused = [
    422,
    'The answers of this batch are larger than 10 MiB together; ask in several requests.',
  ];
  expect(await list(1)).toEqual([30]);
  const answers = await list(9);
  expect(answers.filter((answer) => answer === 30)).toHaveLength(1);
  expect(answers.filter((answer) => answer !== 30)).toEqual(Array(8).fill(refused));
});

test('tRPC takes neither forms nor compressed JSON', async () => {
  const send = async (headers: Record<string, string>, body: FormData | string) => {
    const response = await fetch(`${app.address}/trpc/conversations.create`, {
      method: 'POST',
      headers,
      body,
    });
    const { error } = (await response.json()) as any;
    return [response.status, error.data.httpStatus];
  };
  const form = new FormData();
  form.set('topic', 'x');
  expect(await send({}, form)).toEqual([415, 415]);
  const json = { 'content-type': 'application/json' };
  expect(await send({ ...json, 'content-encoding': 'gzip' }, '{}')).toEqual([415, 415]);
  expect(await send(json, '{"topic":'.padEnd(17 * 1024 * 1024))).toEqual([413, 413]);
  expect(await send(json, `{"x":[${'0,'.repeat(50_000)}0]}`)).toEqual([422, 422]);
});
