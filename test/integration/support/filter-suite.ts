import { beforeAll, describe, expect, test } from 'vitest';
import type { FilterInput } from '../../../src/services/search/filter.schema.js';
import { createRestClient, TENANT_UNIT, type TestApp } from './rest-client.js';

type Mode = 'lexical' | 'hybrid' | 'semantic';

/** What the documents have that are searched: all of them say "harbour". */
const DOCUMENTS: Record<string, Record<string, unknown>> = {
  plain: {},
  red: {
    url: 'https://shop.test/goods/red?v=1',
    customProperties: { colour: 'red', size: 5, isNew: true, tags: ['a', 'b'], since: '2026-01-05' },
  },
  green: {
    url: 'https://shop.test/goods/green',
    customProperties: { colour: 'green', size: 40, isNew: false, tags: ['b', 7], since: '2026-03-01' },
  },
  odd: {
    url: 'https://other.test/goods',
    customProperties: { colour: null, size: '5', tags: 'abc', 'a.b "c\\': 'x', since: { year: 2026 } },
  },
};
const ALL = Object.keys(DOCUMENTS).toSorted();

/** Each filter with the documents that it leaves. */
const CASES: [name: string, filter: FilterInput, left: string[]][] = [
  ['eq a string', { type: 'eq', key: 'customProperties.colour', value: 'red' }, ['red']],
  ['eq in another case', { type: 'eq', key: 'customProperties.colour', value: 'Red' }, []],
  ['eq by a bare key', { type: 'eq', key: 'colour', value: 'red' }, ['red']],
  ['eq a number, no string', { type: 'eq', key: 'size', value: 5 }, ['red']],
  ['eq a string, no number', { type: 'eq', key: 'size', value: '5' }, ['odd']],
  ['eq a number with a fraction', { type: 'eq', key: 'size', value: 5.5 }, []],
  ['eq a negative number', { type: 'eq', key: 'size', value: -5 }, []],
  ['eq a huge number', { type: 'eq', key: 'size', value: 1e300 }, []],
  ['eq a boolean', { type: 'eq', key: 'isNew', value: false }, ['green']],
  ['eq no element', { type: 'eq', key: 'tags', value: 'b' }, []],
  ['eq under a name with any characters', { type: 'eq', key: 'a.b "c\\', value: 'x' }, ['odd']],
  ['eq a value that looks like a path', { type: 'eq', key: 'colour', value: '" || true || "' }, []],
  ['ne, also of missing ones', { type: 'ne', key: 'colour', value: 'red' }, ['green', 'odd', 'plain']],
  ['ne of another type', { type: 'ne', key: 'size', value: '5' }, ['green', 'plain', 'red']],
  ['in', { type: 'in', key: 'size', value: [5, 40, 'x'] }, ['green', 'red']],
  ['nin', { type: 'nin', key: 'size', value: [5, '5'] }, ['green', 'plain']],
  ['gt', { type: 'gt', key: 'size', value: 5 }, ['green']],
  ['gte', { type: 'gte', key: 'size', value: 5 }, ['green', 'red']],
  ['lt', { type: 'lt', key: 'size', value: 40 }, ['red']],
  ['lte', { type: 'lte', key: 'size', value: 40 }, ['green', 'red']],
  [
    'gt and lt',
    {
      type: 'and',
      filters: [
        { type: 'gt', key: 'size', value: 4.5 },
        { type: 'lt', key: 'size', value: 5.5 },
      ],
    },
    ['red'],
  ],
  [
    'a range in which nothing is',
    {
      type: 'and',
      filters: [
        { type: 'gt', key: 'size', value: 40 },
        { type: 'lt', key: 'size', value: 5 },
      ],
    },
    [],
  ],
  ['gt as text', { type: 'gt', key: 'since', value: '2026-02' }, ['green']],
  ['exists', { type: 'exists', key: 'colour' }, ['green', 'red']],
  ['exists not', { type: 'exists', key: 'colour', value: false }, ['odd', 'plain']],
  ['contains an element', { type: 'contains', key: 'tags', value: 'a' }, ['odd', 'red']],
  ['contains a number', { type: 'contains', key: 'tags', value: 7 }, ['green']],
  ['contains a part, literally', { type: 'contains', key: 'tags', value: 'b.' }, []],
  ['document.name eq', { type: 'eq', key: 'document.name', value: 'green' }, ['green']],
  ['document.name in', { type: 'in', key: 'document.name', value: ['green', 'plain'] }, ['green', 'plain']],
  ['document.name contains', { type: 'contains', key: 'document.name', value: 'e' }, ['green', 'red']],
  ['document.name gte', { type: 'gte', key: 'document.name', value: 'plain' }, ['plain', 'red']],
  ['document.type', { type: 'eq', key: 'document.type', value: 'UnstructuredFile' }, ALL],
  ['document.type of none', { type: 'eq', key: 'document.type', value: 'Other' }, []],
  ['document.url', { type: 'eq', key: 'document.url', value: 'https://shop.test/goods/green' }, ['green']],
  ['document.url exists', { type: 'exists', key: 'document.url' }, ['green', 'odd', 'red']],
  [
    'document.urlPrefix eq',
    { type: 'eq', key: 'document.urlPrefix', value: 'https://shop.test/' },
    ['green', 'red'],
  ],
  [
    'document.urlPrefix, literally',
    { type: 'eq', key: 'document.urlPrefix', value: 'https://shop.test/goods/red%' },
    [],
  ],
  [
    'document.urlPrefix nin',
    { type: 'nin', key: 'document.urlPrefix', value: ['https://shop.test/', 'https://x.test'] },
    ['odd', 'plain'],
  ],
  ['document.externalId', { type: 'eq', key: 'document.externalId', value: 'outside' }, ['red']],
  [
    'document.externalId ne',
    { type: 'ne', key: 'document.externalId', value: 'outside' },
    ['green', 'odd', 'plain'],
  ],
  ['document.createdTime lt', { type: 'lt', key: 'document.createdTime', value: '2020-01-01T00:00:00Z' }, []],
  [
    'document.createdTime gt',
    { type: 'gt', key: 'document.createdTime', value: '2020-01-01T01:00:00+01:00' },
    ALL,
  ],
  [
    'document.updatedTime lte',
    { type: 'lte', key: 'document.updatedTime', value: '2999-12-31T00:00:00.5Z' },
    ALL,
  ],
  ['metadata eq', { type: 'eq', key: 'metadata.filename', value: 'green' }, ['green']],
  ['metadata gt', { type: 'gt', key: 'metadata.page_number', value: 1 }, []],
  ['metadata in', { type: 'in', key: 'metadata.filename', value: ['odd', 'red', 5] }, ['odd', 'red']],
  ['metadata lt as text', { type: 'lt', key: 'metadata.filename', value: 'odd' }, ['green']],
  ['metadata gte', { type: 'gte', key: 'metadata.char_start', value: 0 }, ALL],
  ['metadata exists', { type: 'exists', key: 'metadata.headings' }, ALL],
  ['metadata exists not', { type: 'exists', key: 'metadata.sheet', value: false }, ALL],
  [
    'metadata and a property',
    {
      type: 'and',
      filters: [
        { type: 'in', key: 'metadata.filename', value: ['green', 'red'] },
        { type: 'lte', key: 'size', value: 5 },
      ],
    },
    ['red'],
  ],
  [
    'metadata and what has no index',
    {
      type: 'and',
      filters: [
        { type: 'lte', key: 'metadata.page_number', value: 1 },
        { type: 'contains', key: 'document.name', value: 'ree' },
      ],
    },
    ['green'],
  ],
  ['metadata contains', { type: 'contains', key: 'metadata.languages', value: 'en' }, ALL],
  [
    'and',
    {
      type: 'and',
      filters: [
        { type: 'contains', key: 'tags', value: 'b' },
        { type: 'gt', key: 'size', value: 10 },
      ],
    },
    ['green'],
  ],
  [
    'and by two indexes',
    {
      type: 'and',
      filters: [
        { type: 'in', key: 'size', value: [5, 40] },
        { type: 'eq', key: 'colour', value: 'red' },
      ],
    },
    ['red'],
  ],
  [
    'or of properties and metadata',
    {
      type: 'or',
      filters: [
        { type: 'eq', key: 'colour', value: 'red' },
        { type: 'eq', key: 'metadata.filename', value: 'plain' },
      ],
    },
    ['plain', 'red'],
  ],
  [
    'or by index',
    {
      type: 'or',
      filters: [
        { type: 'eq', key: 'colour', value: 'red' },
        { type: 'eq', key: 'document.name', value: 'odd' },
      ],
    },
    ['odd', 'red'],
  ],
  ['not', { type: 'not', filter: { type: 'gt', key: 'size', value: 5 } }, ['odd', 'plain', 'red']],
  [
    'nested',
    {
      type: 'not',
      filter: {
        type: 'or',
        filters: [
          {
            type: 'and',
            filters: [
              { type: 'eq', key: 'colour', value: 'red' },
              { type: 'exists', key: 'tags' },
            ],
          },
          { type: 'not', filter: { type: 'exists', key: 'document.url' } },
        ],
      },
    },
    ['green', 'odd'],
  ],
];

/** Tests that filters leave the same chunks, whatever finds them. */
export function testFilters(
  app: TestApp,
  { modes = ['lexical'], settle = () => app.settle() }: { modes?: Mode[]; settle?: () => Promise<void> } = {},
): void {
  const ids: Record<string, string> = {};
  const rest = createRestClient(app);
  const create = async (name: string, fields: object, datasets = ['faq']) => {
    const { id } = await rest.createDocument(
      { documentName: name, documentContent: `The harbour of the ${name} town.`, ...fields },
      datasets,
    );
    ids[name] = id;
  };
  const find = async (filter: FilterInput | undefined, mode: Mode, query = 'harbour') => {
    const search = { scope: TENANT_UNIT, datasetIds: ['faq'], query, mode, topK: 20, filter };
    const hits = await app.trpc().chunks.search.query(search);
    return hits.map(({ documentName }) => documentName);
  };

  beforeAll(async () => {
    for (const [name, fields] of Object.entries(DOCUMENTS)) await create(name, fields);
    await app.db
      .updateTable('documents')
      .set({ externalId: 'outside' })
      .where('tenantId', '=', TENANT_UNIT.tenantId)
      .where('id', '=', ids.red as string)
      .execute();
    await create('foreign', { customProperties: { colour: 'red' } }, ['other']);
    await settle();
  });

  describe.each(modes)('a filter in mode %s', (mode) => {
    test.each(CASES)('leaves what passes: %s', async (_name, filter, left) => {
      expect((await find(filter, mode)).toSorted()).toEqual(left);
    });

    test('by ids of documents', async () => {
      const filter: FilterInput = {
        type: 'in',
        key: 'document.id',
        value: [ids.red, ids.foreign, 'x'] as string[],
      };
      expect(await find(filter, mode)).toEqual(['red']);
    });

    test('changes no score', async () => {
      const search = { scope: TENANT_UNIT, datasetIds: ['faq'], query: 'red harbour', mode };
      const scoreOf = async (filter?: FilterInput) => {
        const hits = await app.trpc().chunks.search.query({ ...search, filter });
        return hits.find(({ documentName }) => documentName === 'red')?.score;
      };
      const score = await scoreOf();
      expect(score).toBeGreaterThan(0);
      expect(await scoreOf({ type: 'eq', key: 'colour', value: 'red' })).toBe(score);
      expect(await scoreOf({ type: 'gt', key: 'since', value: '2025' })).toBe(score);
    });
  });
}
