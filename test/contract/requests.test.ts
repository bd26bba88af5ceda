import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { conversationOf, documentOf, UUID } from './endpoints.js';
import { createFixtures, type Fixtures } from './fixtures.js';

const app = useApp();
const CONVERSATIONS = '/admin/api/v2/conversations';
const DOCUMENTS = '/admin/api/v1/documents';
const DOUBLED = '/admin/api/v1/api/v1';
let records: Fixtures;

beforeAll(async () => {
  records = await createFixtures(app);
});

describe('conversations', () => {
  const tenant_id = 'filters';
  const create = (body: object = {}) => app.request('POST', CONVERSATIONS, { query: { tenant_id }, body });
  const topicsOf = async (query: Record<string, string | string[]>) => {
    const { body, status } = await app.get(CONVERSATIONS, { tenant_id, ...query });
    expect(status).toBe(200);
    return body.data.map(({ topic }: { topic: string }) => topic);
  };

  beforeAll(async () => {
    for (const [topic, status] of [
      ['a', 'running'],
      ['b', 'failed'],
      ['c', 'input-required'],
    ]) {
      await create({ topic, status });
    }
  });

  test.each<[string, Record<string, string | string[]>, string[]]>([
    ['none', {}, ['c', 'b', 'a']],
    ['order=recent', { order: 'recent' }, ['c', 'b', 'a']],
    ['order=oldest', { order: 'oldest' }, ['a', 'b', 'c']],
    ['status', { status: 'failed' }, ['b']],
    ['an unknown status', { status: 'nope' }, []],
    ['one of statuses', { statuses: 'failed' }, ['b']],
    ['repeated statuses', { statuses: ['failed', 'running'] }, ['b', 'a']],
    ['statuses[]', { 'statuses[]': ['failed', 'running'] }, ['b', 'a']],
    ['unknown statuses', { statuses: ['nope', 'neither'] }, []],
    ['an unknown status among others', { statuses: ['nope', 'failed'] }, ['b']],
    ['status and statuses', { status: 'running', statuses: ['failed'] }, ['b', 'a']],
    ['an unknown assignment', { assignment_id: 'nope' }, []],
    ['an unknown agent', { agent_id: 'nope' }, []],
    ['an unknown unit', { tenant_unit_id: 'nope' }, []],
    ['an undeclared parameter', { topic: 'b', undeclared: 'x' }, ['c', 'b', 'a']],
  ])('filter: %s', async (_, query, topics) => {
    expect(await topicsOf(query)).toEqual(topics);
  });

  test('pages', async () => {
    const { body } = await app.get(CONVERSATIONS, { tenant_id, page_num: 2, page_size: 2 });
    expect(body).toEqual({
      page_num: 2,
      page_size: 2,
      total_count: 3,
      total_pages: 2,
      has_next_page: false,
      data: [expect.objectContaining({ topic: 'a', message_count: 0 })],
    });
    const first = await app.get(CONVERSATIONS, { tenant_id, page_size: 2 });
    expect(first.body).toMatchObject({ page_num: 1, total_pages: 2, has_next_page: true });
  });

  test('what is left out has its default; the body wins over the query', async () => {
    const without = await app.request('POST', CONVERSATIONS);
    const nulls = await app.request('POST', CONVERSATIONS, {
      body: { topic: null, status: null, agent_id: null, inputs: null, assignment_id: null },
    });
    const expected = {
      ...conversationOf(records),
      id: UUID,
      topic: 'New Conversation',
      agent_id: '00000000-0000-0000-0000-000000000000',
      tenant_id: 'default',
      tenant_unit_id: 'default',
      user_id: 'anonymous',
      inputs: null,
      assignment_id: null,
      created_by: null,
      updated_by: null,
    };
    for (const { body, status } of [without, nulls]) {
      expect(body).toEqual(expected);
      expect(status).toBe(201);
    }
    const both = await app.request('POST', CONVERSATIONS, {
      query: { assignment_id: 'query' },
      body: { assignment_id: 'body' },
    });
    expect(both.body.assignment_id).toBe('body');
  });

  test('a status of null is stored; the deletion honours the scope that it does not declare', async () => {
    const { body: conversation } = await create();
    const path = `${CONVERSATIONS}/${conversation.id}`;
    const { body } = await app.request('PATCH', `${path}/status`, { body: { status: null } });
    expect(body.status).toBeNull();
    const foreign = await app.request('DELETE', path, { query: { tenant_id: 'another' } });
    expect(foreign.status).toBe(404);
    expect((await app.request('DELETE', path, { body: { ignored: true } })).status).toBe(204);
    const again = await app.request('DELETE', path);
    expect(again.body).toEqual({
      detail: [{ type: 'not_found', loc: ['path', 'conversation_id'], msg: 'Conversation not found.' }],
    });
    expect(again.status).toBe(404);
  });
});

describe('documents', () => {
  const tenantId = 'document-filters';
  const namesOf = async (query: Record<string, string>) => {
    const { body, status } = await app.get(DOCUMENTS, { tenantId, ...query });
    expect(status).toBe(200);
    return body.data.map(({ documentName }: { documentName: string }) => documentName);
  };

  beforeAll(async () => {
    for (const [documentName, documentType, datasetIds] of [
      ['a', 'UnstructuredFile', '["x"]'],
      ['b', 'StructuredFile', '["x","y"]'],
      ['c', 'StructuredWebpage', '[]'],
    ] as const) {
      await app.request('POST', DOCUMENTS, {
        query: { tenantId, datasetIds },
        body: { tenantId, tenantUnitId: 'u', documentType, documentName },
      });
    }
  });

  test.each<[string, Record<string, string>, string[]]>([
    ['none', {}, ['c', 'b', 'a']],
    ['type', { type: 'StructuredFile' }, ['b']],
    ['an unknown type', { type: 'nope' }, []],
    ['types as a list', { types: 'StructuredFile, UnstructuredFile' }, ['b', 'a']],
    ['types as JSON', { types: '["StructuredFile","StructuredWebpage"]' }, ['c', 'b']],
    ['unknown types', { types: 'nope,neither' }, []],
    ['type and types', { type: 'UnstructuredFile', types: 'StructuredFile' }, ['b', 'a']],
    ['datasetIds', { datasetIds: 'y' }, ['b']],
    ['several datasetIds', { datasetIds: 'x,y' }, ['b', 'a']],
    ['unknown datasetIds', { datasetIds: 'nope' }, []],
    ['empty datasetIds', { datasetIds: '' }, ['c', 'b', 'a']],
    ['an unknown unit', { tenantUnitId: 'nope' }, []],
    ['all together', { type: 'StructuredFile', datasetIds: 'x', tenantUnitId: 'u' }, ['b']],
  ])('filter: %s', async (_, query, names) => {
    expect(await namesOf(query)).toEqual(names);
  });

  test('pages', async () => {
    const { body } = await app.get(DOCUMENTS, { tenantId, page: 2, pageSize: 2 });
    expect(body.pagination).toEqual({ totalCount: 3, currentPage: 2, pageSize: 2, totalPages: 2 });
    expect(body.data).toHaveLength(1);
  });

  test.each(['a/b', 'a b', 'ü退货', '100%', '?x=1', '..', '{documentId}', 'byIds', 'upload'])(
    'the id %j, percent-encoded in the path',
    async (id) => {
      const query = { tenantId: 'ids' };
      const body = { tenantId: 'ids', tenantUnitId: 'u', documentType: 'StructuredFile', id };
      expect((await app.request('POST', DOCUMENTS, { query, body })).body.id).toBe(id);
      const path = `${DOCUMENTS}/${id === '..' ? '%2E%2E' : encodeURIComponent(id)}`;
      const isFixed = id === 'byIds' || id === '..'; // clients resolve dot segments, encoded or not
      if (!isFixed) expect((await app.get(path, query)).body.id).toBe(id);
      const { body: found } = await app.get(`${DOCUMENTS}/byIds`, {
        ...query,
        documentIds: JSON.stringify([id]),
      });
      expect(found).toEqual([expect.objectContaining({ id })]);
    },
  );

  test('chunks are listed with and without the trailing slash', async () => {
    const path = `${DOUBLED}/documents/${records.documentId}/documentChunks`;
    const [bare, slash] = [
      await app.get(path, { tenantId: records.tenant }),
      await app.get(`${path}/`, { tenantId: records.tenant }),
    ];
    expect(slash.body.data).toHaveLength(1);
    expect(bare.body).toEqual(slash.body);
  });

  test('chunks are deleted within any of several units', async () => {
    const { tenant, documentId, chunkId } = await createFixtures(app);
    const remove = (tenantUnitId: string[]) =>
      app.request('DELETE', `${DOCUMENTS}/${documentId}/documentChunks/batch`, {
        query: { tenantId: tenant, tenantUnitId },
        body: { documentChunkIds: [chunkId] },
      });
    expect((await remove(['elsewhere', 'nowhere'])).status).toBe(404);
    expect((await remove(['elsewhere', 'support'])).status).toBe(200);
  });

  test('query and body must agree', async () => {
    const answer = await app.request('POST', DOCUMENTS, {
      query: { tenantId: 'one', tenantUnitId: 'u' },
      body: { tenantId: 'other', tenantUnitId: 'v', documentType: 'StructuredFile' },
    });
    expect(answer.body).toEqual({
      detail: [
        { type: 'value_error.custom', loc: ['body', 'tenantId'], msg: 'must agree with query.tenantId' },
        {
          type: 'value_error.custom',
          loc: ['body', 'tenantUnitId'],
          msg: 'must agree with query.tenantUnitId',
        },
      ],
    });
    expect(answer.status).toBe(422);
  });

  test.each<[string, [string, string][]]>([
    [
      'repeated',
      [
        ['datasetIds', 'x'],
        ['datasetIds', 'y'],
      ],
    ],
    [
      'datasetIds[]',
      [
        ['datasetIds[]', 'x'],
        ['datasetIds[]', 'y'],
      ],
    ],
    [
      'datasetIds[0]',
      [
        ['datasetIds[0]', 'x'],
        ['datasetIds[1]', 'y'],
      ],
    ],
    ['a comma list', [['datasetIds', 'x, y']]],
    ['a JSON array', [['datasetIds', '["x","y"]']]],
  ])('upload with %s', async (title, datasetFields) => {
    const tenant = `upload ${title}`;
    const body = new FormData();
    // The file first: what follows it must still be read.
    body.append('file', new File(['text'], 'Übersicht 概要 😀.txt', { type: 'text/plain' }));
    for (const [name, value] of datasetFields) body.append(name, value);
    for (const [name, value] of [
      ['tenantId', tenant],
      ['tenantUnitId', 'u'],
      ['documentType', 'UnstructuredFile'],
    ]) {
      body.append(name as string, value as string);
    }
    const { body: created, status } = await app.request('POST', `${DOCUMENTS}/upload`, { body });
    expect(status).toBe(200);
    expect(created.documentName).toBe('Übersicht 概要 😀.txt');
    for (const datasetIds of ['x', 'y']) {
      const { body: list } = await app.get(DOCUMENTS, { tenantId: tenant, datasetIds });
      expect(list.data).toEqual([expect.objectContaining({ id: created.id })]);
    }
    expect(
      (await app.get(DOCUMENTS, { tenantId: tenant, datasetIds: 'x, y' })).body.pagination.totalCount,
    ).toBe(1);
  });

  test('inline content is left out of lists, and so are absent fields', async () => {
    const { body } = await app.get(DOCUMENTS, { tenantId: records.tenant });
    expect(body.data).toEqual([documentOf(records)]);
  });
});

test('a search returns five hits, in English, unless asked otherwise', async () => {
  const place = { tenantId: 'search', tenantUnitId: 'u' };
  for (let count = 0; count < 6; count += 1) {
    await app.request('POST', DOCUMENTS, {
      query: { tenantId: 'search', datasetIds: '["d"]' },
      body: { ...place, documentType: 'UnstructuredFile', documentContent: `Parcel ${count} is late.` },
    });
  }
  await app.settle();
  const search = async (more: object) => {
    const { body } = await app.request('POST', `${DOUBLED}/documentChunks/search`, {
      query: { tenantId: 'search' },
      body: { tenant_id: 'search', tenant_unit_id: 'u', dataset_ids: ['d'], query: 'late parcels', ...more },
    });
    return body;
  };
  expect(await search({})).toHaveLength(5);
  expect(await search({ top_k: 2 })).toEqual((await search({ top_k: 100 })).slice(0, 2));
  expect(await search({ dataset_ids: [] })).toEqual([]);
  expect(await search({ dataset_ids: ['elsewhere'] })).toEqual([]);
});
