import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';

const app = useApp();
const scope = { tenantId: 'acme' };
const sales = { tenantId: 'acme', tenantUnitId: 'sales' };
const legal = { tenantId: 'acme', tenantUnitId: 'legal' };
const documentType = 'UnstructuredFile';
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

/** Creates documents with a text each, and waits until they are processed. */
async function create(place: typeof sales, datasetIds: string[], ...texts: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const documentContent of texts) {
    const input = { scope: place, documentType, datasetIds, documentContent } as const;
    ids.push((await app.trpc().documents.create.mutate(input)).id);
  }
  await app.settle();
  return ids;
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'succeeded',
    ({ data: { httpStatus, detail } }) => ({ status: httpStatus, detail }),
  );

describe('the list of datasets', () => {
  type Filter = Parameters<ReturnType<typeof app.trpc>['datasets']['list']['query']>[0];
  const list = (more: Partial<Filter> = {}) =>
    app.trpc().datasets.list.query({ scope: { tenantId: 'lists' }, ...more });
  const namesOf = async (more: Partial<Filter>) => (await list(more)).items.map(({ datasetId }) => datasetId);
  const one = (datasetId: string, documents: number, bytes: number) => ({
    datasetId,
    documents,
    isLowerBound: false,
    chunks: documents,
    bytes,
    updatedTime: time,
    searches: 0,
    isPartial: false,
  });
  const whole = (items: object[], more: object = {}) => ({
    items,
    page: 1,
    pageSize: 50,
    totalCount: items.length,
    totalPages: items.length === 0 ? 0 : 1,
    hasNextPage: false,
    truncated: false,
    ...more,
  });

  beforeAll(async () => {
    const [shop, court] = [
      { ...sales, tenantId: 'lists' },
      { ...legal, tenantId: 'lists' },
    ];
    await create(shop, ['faq'], 'One.', 'Another.');
    await create(shop, ['Manuals', 'faq'], 'In two.');
    await create(court, ['contracts'], 'Of the law.');
    await create(court, [], 'In none.');
    await create({ ...sales, tenantId: 'others' }, ['faq'], 'Of another tenant.');
  });

  test('has what the documents of each add up to', async () => {
    expect(await list()).toEqual(whole([one('Manuals', 1, 7), one('contracts', 1, 11), one('faq', 3, 19)]));
    const unit = (tenantUnitId: string | string[]) => list({ scope: { tenantId: 'lists', tenantUnitId } });
    expect(await unit('legal')).toEqual(whole([one('contracts', 1, 11)]));
    expect(await unit(['sales', 'absent'])).toEqual(whole([one('Manuals', 1, 7), one('faq', 3, 19)]));
    expect(await unit('absent')).toEqual(whole([]));
    expect(await list({ scope: { tenantId: 'nobody' } })).toEqual(whole([]));
  });

  test('is sorted by name, documents and the last change, and filtered by a part of the name', async () => {
    expect(await namesOf({ direction: 'desc' })).toEqual(['faq', 'contracts', 'Manuals']);
    expect(await namesOf({ order: 'documents' })).toEqual(['Manuals', 'contracts', 'faq']);
    expect(await namesOf({ order: 'documents', direction: 'desc' })).toEqual(['faq', 'Manuals', 'contracts']);
    expect(await namesOf({ order: 'updatedTime', direction: 'desc' })).toEqual([
      'contracts',
      'Manuals',
      'faq',
    ]);
    expect(await namesOf({ nameContains: 'A' })).toEqual(['Manuals', 'contracts', 'faq']);
    expect(await namesOf({ nameContains: 'AN' })).toEqual(['Manuals']);
    expect(await namesOf({ nameContains: '%' })).toEqual([]);
  });

  test('has how often each was searched, in one unit or in any', async () => {
    const search = (tenantUnitId: string | string[], ...datasetIds: string[]) =>
      app.trpc().chunks.search.query({
        scope: { tenantId: 'searched', tenantUnitId },
        datasetIds,
        query: 'law',
      });
    const place = { ...legal, tenantId: 'searched' };
    await create(place, ['contracts', 'faq'], 'Of the law.');
    for (const datasets of [['contracts'], ['contracts', 'faq', 'contracts']])
      await search('legal', ...datasets);
    await search(['legal', 'sales'], 'contracts');
    const searchesOf = async (more: Partial<Filter>) => {
      const { items } = await list({ order: 'searches', direction: 'desc', ...more });
      return items.map(({ datasetId, searches }) => [datasetId, searches]);
    };
    await expect
      .poll(() => searchesOf({ scope: { tenantId: 'searched' } }))
      .toEqual([
        ['contracts', 3],
        ['faq', 1],
      ]);
    expect(await searchesOf({ scope: place })).toEqual([
      ['contracts', 2],
      ['faq', 1],
    ]);
    expect(await searchesOf({ scope: place, direction: 'asc' })).toEqual([
      ['faq', 1],
      ['contracts', 2],
    ]);
  });

  test('keeps its searches when all of its documents move to another dataset', async () => {
    const scope = { tenantId: 'renamed' };
    const search = (tenantUnitId: string | string[], ...datasetIds: string[]) =>
      app.trpc().chunks.search.query({ scope: { ...scope, tenantUnitId }, datasetIds, query: 'law' });
    const create = async (tenantUnitId: string, datasetId: string) => {
      const { id } = await app.trpc().documents.create.mutate({
        scope: { ...scope, tenantUnitId },
        documentType: 'UnstructuredFile',
        documentName: 'Law',
        documentContent: 'Of the law.',
        datasetIds: [datasetId],
      });
      return id;
    };
    const ofLegal = [await create('legal', 'old'), await create('legal', 'old')];
    const ofSales = await create('sales', 'old');
    await create('sales', 'taken');
    for (const unit of ['legal', 'legal', 'sales', ['legal', 'sales']]) await search(unit, 'old');
    await search('legal', 'taken');
    const searches = async () => {
      const { items } = await list({ scope });
      return Object.fromEntries(items.map((item) => [item.datasetId, item.searches]));
    };
    await expect.poll(searches).toEqual({ old: 4, taken: 1 });
    const move = (documentIds: (string | undefined)[], from: string, to: string) =>
      app.trpc().documents.setDatasetsMany.mutate({
        scope,
        documentIds: documentIds.filter((id) => id !== undefined),
        add: [to],
        remove: [from],
      });

    await move(ofLegal.slice(0, 1), 'old', 'new');
    expect(await searches()).toEqual({ old: 4, new: 0, taken: 1 });
    await move(ofLegal.slice(1), 'old', 'new');
    expect(await searches()).toEqual({ old: 2, new: 2, taken: 1 });
    await move([ofSales], 'old', 'new');
    expect(await searches()).toEqual({ new: 4, taken: 1 });
    // Somebody still asks by the old name, and the process stores its count of the day again.
    await search('legal', 'old');
    await create('legal', 'old');
    await expect.poll(searches).toEqual({ old: 1, new: 4, taken: 1 });
    await move([...ofLegal, ofSales], 'new', 'taken');
    expect(await searches()).toEqual({ old: 1, taken: 5 });
  });

  test('comes in pages, no larger than others', async () => {
    const part = { pageSize: 2, totalCount: 3, totalPages: 2 };
    expect(await list({ pageSize: 2 })).toEqual(
      whole([one('Manuals', 1, 7), one('contracts', 1, 11)], { ...part, hasNextPage: true }),
    );
    expect(await list({ pageSize: 2, page: 2 })).toEqual(whole([one('faq', 3, 19)], { ...part, page: 2 }));
    expect(await failureOf(list({ pageSize: 101 }))).toEqual({
      status: 422,
      detail: [{ type: 'value_error.too_big', loc: ['pageSize'], msg: 'must be at most 100' }],
    });
  });
});

describe('documents that change datasets', () => {
  const find = async (query: string, ...datasetIds: string[]) =>
    (await app.trpc().chunks.search.query({ scope: sales, datasetIds, query })).map(({ content }) => content);
  const datasetsOf = async (documentIds: string[]) =>
    (await app.trpc().documents.getMany.query({ scope, documentIds })).map(({ datasetIds }) => datasetIds);

  test('are found in the new one at once, and by its name alone', async () => {
    const [one, two, three] = (await create(sales, ['old'], 'Apples.', 'Pears.', 'Plums.')) as [
      string,
      string,
      string,
    ];
    await app.trpc().documents.update.mutate({ scope, documentId: two, datasetIds: ['old', 'side'] });
    const { documents } = app.trpc();
    const move = { scope, add: ['new'], remove: ['old'] };
    expect(await documents.setDatasetsMany.mutate({ ...move, documentIds: [two, one, two] })).toEqual({
      changed: [
        { documentId: two, version: 3, before: ['old', 'side'] },
        { documentId: one, version: 2, before: ['old'] },
      ],
    });
    expect(await datasetsOf([one, two, three])).toEqual([['new'], ['new', 'side'], ['old']]);
    expect((await find('apples pears plums', 'new')).toSorted()).toEqual(['Apples.', 'Pears.']);
    expect(await find('apples pears plums', 'old')).toEqual(['Plums.']);
    expect(await find('apples pears plums', 'side')).toEqual(['Pears.']);

    // Again, nothing is left to do.
    expect(await documents.setDatasetsMany.mutate({ ...move, documentIds: [one, two] })).toEqual({
      changed: [],
    });
    expect(await documents.setDatasetsMany.mutate({ scope, documentIds: [one, two] })).toEqual({
      changed: [],
    });
    const { items } = await app.trpc().audit.list.query({ scope, subjectId: two });
    expect(items.slice(0, 2).map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      {
        action: 'documents.setDatasetsMany',
        before: { datasetIds: ['old', 'side'] },
        after: { datasetIds: ['new', 'side'] },
      },
      {
        action: 'documents.update',
        before: { datasetIds: ['old'] },
        after: { datasetIds: ['old', 'side'] },
      },
    ]);
    const { items: left } = await app.trpc().datasets.list.query({ scope, nameContains: 'old' });
    expect(left).toEqual([expect.objectContaining({ datasetId: 'old', documents: 1 })]);
  });

  test('change all or none', async () => {
    const [one] = (await create(sales, ['whole'], 'Cherries.')) as [string];
    const { documents } = app.trpc();
    const change = (more: object) =>
      failureOf(documents.setDatasetsMany.mutate({ scope, documentIds: [one], add: ['x'], ...more }));
    expect(await change({ documentIds: [one, 'absent'] })).toEqual({
      status: 404,
      detail: [{ type: 'not_found', loc: ['documentIds', 1], msg: 'Document absent not found.' }],
    });
    expect(await change({ scope: { tenantId: 'others' } })).toEqual({
      status: 404,
      detail: [{ type: 'not_found', loc: ['documentIds', 0], msg: `Document ${one} not found.` }],
    });
    expect(await change({ documentIds: Array.from({ length: 101 }, String) })).toEqual({
      status: 422,
      detail: [{ type: 'value_error.too_big', loc: ['documentIds'], msg: 'must be at most 100' }],
    });
    expect(await change({ remove: ['y', 'x'] })).toEqual({
      status: 422,
      detail: [{ type: 'value_error.custom', loc: ['remove'], msg: 'must name no dataset that is added' }],
    });
    expect(await change({ add: [''] })).toMatchObject({ status: 422, detail: [{ loc: ['add', 0] }] });
    expect(await datasetsOf([one])).toEqual([['whole']]);
  });

  test('are in no more than a list of ids may hold', async () => {
    const ids = Array.from({ length: 1_000 }, (_, n) => `many ${n}`);
    const [one] = (await create(sales, ids, 'Grapes.')) as [string];
    const call = app.trpc().documents.setDatasetsMany.mutate({ scope, documentIds: [one], add: ['x'] });
    expect(await failureOf(call)).toEqual({
      status: 409,
      detail: [{ type: 'conflict', loc: ['add'], msg: 'A document is in at most 1000 datasets.' }],
    });
  });
});

describe('with a key for some datasets', () => {
  const closed = useApp({ authMode: 'required' });
  const callerFor = async (datasetIds?: string[]) => {
    const { key } = await closed.makeKey({ scope, ...(datasetIds && { datasetIds }) });
    return closed.trpc({ 'x-api-key': key });
  };
  const forbidden = (loc: unknown[], msg: string) => ({
    status: 403,
    detail: [{ type: 'forbidden', loc, msg }],
  });
  let one: string;
  let shared: string;

  beforeAll(async () => {
    const { documents } = await callerFor();
    const make = async (datasetIds: string[]) =>
      (await documents.create.mutate({ scope: sales, documentType, datasetIds })).id;
    one = await make(['mine']);
    shared = await make(['mine', 'hidden']);
    await make(['hidden']);
  });

  test('only those are listed', async () => {
    const { datasets } = await callerFor(['ours', 'mine', 'absent']);
    const { items, totalCount } = await datasets.list.query({ scope });
    expect({ items, totalCount }).toEqual({
      items: [
        {
          datasetId: 'mine',
          documents: 2,
          isLowerBound: false,
          chunks: 0,
          bytes: 0,
          updatedTime: time,
          searches: 0,
          isPartial: false,
        },
      ],
      totalCount: 1,
    });
    expect(await failureOf(datasets.list.query({ scope: { tenantId: 'others' } }))).toEqual(
      forbidden(['scope', 'tenantId'], 'This API key belongs to another tenant.'),
    );
  });

  test('documents stay within them', async () => {
    const { documents } = await callerFor(['mine', 'ours']);
    const change = (more: object, documentIds = [one]) =>
      documents.setDatasetsMany.mutate({ scope, documentIds, ...more });
    expect(await failureOf(change({ add: ['ours', 'hidden'] }))).toEqual(
      forbidden(['add', 1], 'This API key has no access to dataset hidden.'),
    );
    expect(await failureOf(change({ remove: ['hidden'] }))).toEqual(
      forbidden(['remove', 0], 'This API key has no access to dataset hidden.'),
    );
    expect(await failureOf(change({ remove: ['mine'] }))).toEqual(
      forbidden(
        ['datasetIds'],
        'This API key can access only some datasets; add the document to at least one of them.',
      ),
    );
    expect(await failureOf(change({ add: ['ours'] }, [one, shared]))).toEqual(
      forbidden(
        ['documentIds', 1],
        `Document ${shared} is also in datasets that this API key does not reach, so the key may not change it.`,
      ),
    );
    expect(await change({ add: ['ours'], remove: ['mine'] })).toEqual({
      changed: [{ documentId: one, version: 2, before: ['mine'] }],
    });
    const all = await (await callerFor()).documents.getMany.query({ scope, documentIds: [one, shared] });
    expect(all.map(({ datasetIds }) => datasetIds)).toEqual([['ours'], ['hidden', 'mine']]);
  });
});
