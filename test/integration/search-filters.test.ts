import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { waitFor } from '../support/wait-for.js';
import { testFilters } from './support/filter-suite.js';
import { createRestClient, TENANT_UNIT } from './support/rest-client.js';

const app = useApp();
testFilters(app);

const question = { scope: TENANT_UNIT, datasetIds: ['faq'], query: 'harbour' };
const ask = (filter: unknown) => app.trpc().chunks.search.query({ ...question, filter } as never);
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    ({ data }) => ({ status: data.httpStatus, detail: data.detail }),
  );
const nested = (depth: number): object =>
  depth === 1 ? { type: 'exists', key: 'a' } : { type: 'not', filter: nested(depth - 1) };
const leaf = { type: 'exists', key: 'a' };

describe('a filter is refused at its path', () => {
  const refused = (loc: (string | number)[], msg: string, type = 'value_error.custom') => ({
    status: 422,
    detail: [{ type, loc: ['filter', ...loc], msg }],
  });
  test.each([
    ['an unknown type', { type: 'like', key: 'a', value: 1 }, ['type'], 'value_error.invalid_union'],
    ['no type', { key: 'a', value: 1 }, ['type'], 'value_error.invalid_union'],
    ['no object', 'colour', [], 'value_error.invalid_type'],
    ['no value', { type: 'eq', key: 'a' }, ['value'], 'value_error.invalid_union'],
    ['an object as value', { type: 'eq', key: 'a', value: {} }, ['value'], 'value_error.invalid_union'],
    ['null as value', { type: 'ne', key: 'a', value: null }, ['value'], 'value_error.invalid_union'],
    ['a boolean to compare', { type: 'gt', key: 'a', value: true }, ['value'], 'value_error.invalid_union'],
    ['no array', { type: 'in', key: 'a', value: 'x' }, ['value'], 'value_error.invalid_type'],
    ['an empty array', { type: 'in', key: 'a', value: [] }, ['value'], 'value_error.too_small'],
    ['an empty key', { type: 'exists', key: '' }, ['key'], 'value_error.custom'],
    ['a key too long', { type: 'exists', key: 'x'.repeat(301) }, ['key'], 'value_error.too_big'],
    ['an unknown key', { type: 'exists', key: 'document.colour' }, ['key'], 'value_error.custom'],
    ['a key without name', { type: 'exists', key: 'metadata.' }, ['key'], 'value_error.custom'],
    [
      'a value too long',
      { type: 'eq', key: 'a', value: 'x'.repeat(2_049) },
      ['value'],
      'value_error.too_big',
    ],
    ['a value with NUL', { type: 'eq', key: 'a', value: '\0' }, ['value'], 'value_error.custom'],
    ['an unknown field', { ...leaf, op: 1 }, ['op'], 'value_error.unrecognized_keys'],
    ['an empty and', { type: 'and', filters: [] }, ['filters'], 'value_error.too_small'],
    [
      'a wrong part',
      { type: 'or', filters: [leaf, { type: 'not', filter: { type: 'eq', key: 'a', value: [] } }] },
      ['filters', 1, 'filter', 'value'],
      'value_error.invalid_union',
    ],
  ])('%s', async (_name, filter, loc, type) => {
    expect(await errorOf(ask(filter))).toEqual(refused(loc, expect.any(String) as never, type));
  });

  test.each([
    [
      'a number as name',
      { type: 'eq', key: 'document.name', value: 1 },
      ['value'],
      'must be a string for this key',
    ],
    [
      'a number among ids',
      { type: 'in', key: 'document.id', value: ['a', 1] },
      ['value', 1],
      'must be a string for this key',
    ],
    [
      'no time',
      { type: 'gt', key: 'document.createdTime', value: 'soon' },
      ['value'],
      'must be an ISO 8601 time',
    ],
    [
      'a time that contains',
      { type: 'contains', key: 'document.updatedTime', value: '2026' },
      ['type'],
      'must not be contains for a time',
    ],
    [
      'a prefix that is greater',
      { type: 'gt', key: 'document.urlPrefix', value: 'x' },
      ['type'],
      'must be eq, ne, in, nin or exists for this key',
    ],
    ['too deep', nested(7), [], 'must not be nested deeper than 6'],
    ['far too deep', nested(100), [], 'must not be nested deeper than 6'],
    ['too many parts', { type: 'or', filters: Array(50).fill(leaf) }, [], 'must have at most 50 parts'],
    [
      'too many values',
      { type: 'in', key: 'a', value: Array(501).fill(1) },
      [],
      'must have at most 500 values',
    ],
  ])('%s', async (_name, filter, loc, msg) => {
    expect(await errorOf(ask(filter))).toEqual(refused(loc as string[], msg));
  });

  test('but not at its limits', async () => {
    expect(await ask(nested(6))).toEqual(expect.any(Array));
    expect(await ask({ type: 'or', filters: Array(49).fill(leaf) })).toEqual([]);
    const values = Array.from({ length: 500 }, (_, i) => (i % 2 ? i : String(i)));
    expect(await ask({ type: 'in', key: 'size', value: values })).toHaveLength(1);
    expect(await ask({ type: 'eq', key: 'x'.repeat(300), value: 'x'.repeat(2_048) })).toEqual([]);
  });
});

test('chunks.suggest takes no filter', async () => {
  const suggest = app.trpc().chunks.suggest.query({ ...question, text: 'harb', filter: leaf } as never);
  expect(await errorOf(suggest)).toEqual({
    status: 422,
    detail: [{ type: expect.any(String), loc: ['filter'], msg: expect.any(String) }],
  });
});

test('a filter holds what the documents say now', async () => {
  const rest = createRestClient(app);
  const { id } = await rest.createDocument(
    { documentName: 'turned', documentContent: 'A harbour.', customProperties: { state: 'draft' } },
    ['faq'],
  );
  await app.settle();
  const find = async (state: string) =>
    (await ask({ type: 'eq', key: 'state', value: state })).map(({ documentName }) => documentName);
  expect([await find('draft'), await find('final')]).toEqual([['turned'], []]);
  const query = { tenantId: TENANT_UNIT.tenantId };
  await rest.call(200, 'PATCH', `/admin/api/v1/documents/${id}`, {
    query,
    body: { customProperties: { state: 'final' } },
  });
  expect([await find('draft'), await find('final')]).toEqual([[], ['turned']]);
  await rest.call(204, 'DELETE', `/admin/api/v1/documents/${id}`, { query });
  expect([await find('draft'), await find('final')]).toEqual([[], []]);
});

test('a filter holds what the metadata of chunks says now', async () => {
  const rest = createRestClient(app);
  const query = { tenantId: TENANT_UNIT.tenantId };
  const merged = () =>
    waitFor(async () => (await app.trpc().search.status.query()).postings.changes === 0, { what: 'a merge' });
  const filler = 'The harbour has a crane and a long quay where boats are moored. '.repeat(40);
  const contentOf = (first: string) =>
    `# ${first}\n\n${filler}\n\n# Second\n\n${filler.replaceAll('boats', 'ships')}`;
  const { id } = await rest.createDocument({ documentName: 'moved', documentContent: contentOf('First') }, [
    'faq',
  ]);
  await app.settle();
  await merged();
  const find = async () => {
    const hits = await ask({
      type: 'and',
      filters: [
        { type: 'eq', key: 'document.id', value: id },
        { type: 'gt', key: 'metadata.char_start', value: 0 },
      ],
    });
    return hits.map(({ id: chunkId, citation }) => ({ chunkId, start: citation.span?.start }));
  };
  const byStart = async (start: number | undefined) =>
    (await ask({ type: 'eq', key: 'metadata.char_start', value: start })).map((hit) => hit.id);
  const before = await find();
  expect(before.length).toBeGreaterThan(0);
  await rest.call(200, 'PATCH', `/admin/api/v1/documents/${id}`, {
    query,
    body: { documentContent: contentOf('Former first') },
  });
  await app.settle();
  const after = await find();
  const moved = after.find(({ chunkId, start }) =>
    before.some((one) => one.chunkId === chunkId && one.start !== start),
  );
  expect(moved).toBeDefined();
  expect(await byStart(moved?.start)).toContain(moved?.chunkId);
  await merged();
  expect(await byStart(moved?.start)).toContain(moved?.chunkId);
  await rest.call(204, 'DELETE', `/admin/api/v1/documents/${id}`, { query });
});

test('search.run and search.explain filter as well', async () => {
  const filter = { type: 'eq' as const, key: 'colour', value: 'red' };
  const run = await app.trpc().search.run.query({ ...question, filter });
  expect(run).toMatchObject({ engine: 'postgres', truncated: false });
  expect(run.hits.map(({ documentName }) => documentName)).toEqual(['red']);
  const [other] = await ask({ type: 'eq', key: 'colour', value: 'green' });
  const chunk = { documentId: other?.documentId as string, chunkId: other?.id as string };
  const explained = await app.trpc().search.explain.query({ ...question, filter, chunk });
  expect(explained.hits.map(({ chunkId }) => chunkId)).toEqual(run.hits.map(({ id }) => id));
  expect(explained.chunk).toMatchObject({ rank: null, reasons: ['It does not pass the filter.'] });
});
