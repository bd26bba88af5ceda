import { expect, test } from 'vitest';
import { useApp } from '../support/app.js';

const app = useApp();
const scope = { tenantId: 'acme' };
const place = { tenantId: 'acme', tenantUnitId: 'sales' };
const documents = () => app.trpc().documents;

/** Creates documents and waits until they are processed. */
async function createReady(...names: string[]): Promise<string[]> {
  const { created } = await documents().createMany.mutate({
    scope: place,
    documentType: 'UnstructuredFile',
    datasetIds: ['faq'],
    documents: names.map((documentName) => ({ documentName, documentContent: `About ${documentName}.` })),
  });
  await app.settle();
  return created.map(({ id }) => id);
}

const find = async (word: string) => {
  const hits = await app.trpc().chunks.search.query({ scope: place, datasetIds: ['faq'], query: word });
  return hits.map(({ content }) => content);
};
const stateOf = async (documentIds: string[]) =>
  (await documents().getMany.query({ scope, documentIds })).map(({ enabled, version }) => [enabled, version]);
const actions = async (subjectId: string) =>
  (await app.trpc().audit.list.query({ scope, subjectId })).items.map(({ action, before, after }) => ({
    action,
    before,
    after,
  }));
const refused = (index: number) => ({
  detail: [{ type: 'not_found', loc: ['documentIds', index], msg: 'Document absent not found.' }],
});
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'succeeded',
    ({ data: { detail } }) => ({ detail }),
  );
const TOO_MANY = Array.from({ length: 101 }, String);
const tooMany = {
  detail: [{ type: 'value_error.too_big', loc: ['documentIds'], msg: 'must be at most 100' }],
};

test('many are switched off and on: all or none, and only those that were not so before', async () => {
  const [one, two, three] = (await createReady('apples', 'pears', 'plums')) as [string, string, string];
  const setEnabled = (documentIds: string[], enabled: boolean) =>
    documents().setEnabledMany.mutate({ scope, documentIds, enabled });
  expect(await failureOf(setEnabled([one, 'absent'], false))).toEqual(refused(1));
  expect(await failureOf(setEnabled(TOO_MANY, false))).toEqual(tooMany);
  expect(await stateOf([one, two, three])).toEqual([
    [true, 1],
    [true, 1],
    [true, 1],
  ]);

  expect(await setEnabled([two, one, two], false)).toEqual({ changed: [two, one] });
  expect(await setEnabled([one, two, three], false)).toEqual({ changed: [three] });
  expect(await setEnabled([], false)).toEqual({ changed: [] });
  expect(await find('apples pears plums')).toEqual([]);
  expect(await setEnabled([one, two], true)).toEqual({ changed: [one, two] });
  expect(await stateOf([one, two, three])).toEqual([
    [true, 3],
    [true, 3],
    [false, 2],
  ]);
  expect((await find('apples pears plums')).toSorted()).toEqual(['About apples.', 'About pears.']);
  expect((await actions(one)).slice(0, 2)).toEqual([
    { action: 'documents.setEnabledMany', before: { enabled: false }, after: { enabled: true } },
    { action: 'documents.setEnabledMany', before: { enabled: true }, after: { enabled: false } },
  ]);
});

test('many are deleted with their chunks and files: all or none', async () => {
  const webhook = await app.trpc().webhooks.create.mutate({
    scope,
    url: 'https://pages.test/hook',
    eventTypes: ['document.deleted'],
  });
  const { fileId } = await app.trpc().files.upload.mutate(new Blob(['About cherries.']));
  const uploaded = await documents().create.mutate({
    scope: place,
    documentType: 'UnstructuredFile',
    datasetIds: ['faq'],
    file: { fileId, fileName: 'cherries.txt' },
  });
  const ids = [...(await createReady('grapes', 'melons')), uploaded.id];
  const remove = (documentIds: string[]) => documents().deleteMany.mutate({ scope, documentIds });
  expect(await failureOf(remove([...ids, 'absent']))).toEqual(refused(3));
  expect(await failureOf(remove(TOO_MANY))).toEqual(tooMany);
  expect(await find('grapes melons cherries')).toHaveLength(3);

  expect(await remove([...ids, ...ids])).toEqual({ deleted: 3 });
  expect(await remove([])).toEqual({ deleted: 0 });
  expect(await documents().getMany.query({ scope, documentIds: ids })).toEqual([]);
  expect(await find('grapes melons cherries')).toEqual([]);
  const left = await app.db
    .selectFrom('documentSources')
    .select('fileKey')
    .where('tenantId', '=', 'acme')
    .where('fileKey', 'is not', null)
    .execute();
  expect(left).toEqual([]);
  for (const id of ids) expect((await actions(id))[0]).toMatchObject({ action: 'documents.deleteMany' });
  const { items } = await app.trpc().webhooks.deliveries.query({ scope, webhookId: webhook.id });
  expect(items.map(({ eventType }) => eventType)).toEqual(ids.map(() => 'document.deleted'));
});

test('what is under way of many is cancelled, and what is not is named', async () => {
  const [ready] = (await createReady('lemons')) as [string];
  // Nothing works on them: they stay as they are.
  const waiting = await app.db
    .insertInto('documents')
    .values(
      ['waiting', 'running'].map((id) => ({
        ...place,
        id,
        documentType: 'UnstructuredFile' as const,
        source: 'content' as const,
        status: id === 'waiting' ? ('created' as const) : ('processing' as const),
        stage: id === 'waiting' ? null : ('parsing' as const),
        createdTime: new Date(),
        updatedTime: new Date(),
      })),
    )
    .returning('id')
    .execute();
  const ids = [...waiting.map(({ id }) => id), ready];
  const cancel = (documentIds: string[]) => documents().cancelMany.mutate({ scope, documentIds });
  expect(await failureOf(cancel(['absent', ...ids]))).toEqual(refused(0));
  expect(await failureOf(cancel(TOO_MANY))).toEqual(tooMany);
  expect(await cancel(ids)).toEqual({ cancelled: 2, notUnderWay: [ready] });
  expect(await cancel(ids)).toEqual({ cancelled: 0, notUnderWay: ids });
  expect(await documents().getMany.query({ scope, documentIds: ids })).toMatchObject([
    { status: 'failed', error: { code: 'cancelled', stage: 'waiting' } },
    { status: 'failed', error: { code: 'cancelled', stage: 'parsing' } },
    { status: 'ready', error: null },
  ]);
  expect((await actions('running'))[0]).toMatchObject({ action: 'documents.cancelMany' });
});
