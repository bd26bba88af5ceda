import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NewApiKey } from '../../src/services/api-keys/api-keys.schema.js';
import { useApp } from '../support/app.js';
import { createRestClient, DOCUMENTS, externalPath, UUID } from './support/rest-client.js';

/*
 * Within one tenant: a key that is bound to units or datasets is answered about what lies beyond them as about what
 * does not exist, also where it creates something. Each attempt is made with a name that is taken beyond, and with one
 * that nobody has.
 */

const app = useApp({ authMode: 'required' });
const { call } = createRestClient(app);
const documentType = 'UnstructuredFile' as const;
const scopes = [
  'documents:read' as const,
  'documents:write' as const,
  'chunks:read' as const,
  'search' as const,
];

const SALES = { tenantId: 'acme', tenantUnitId: 'sales' };
const SECRET = { tenantId: 'acme', tenantUnitId: 'secret' };

const callerWith = async (fields: Partial<NewApiKey> = {}) => {
  const { key } = await app.makeKey({ scopes, ...fields });
  const { documents, chunks } = app.trpc({ 'x-api-key': key });
  return { key, documents, chunks };
};
const unbound = () => callerWith();
const ofUnit = () => callerWith({ scope: SALES });
const ofDataset = (...datasetIds: string[]) => callerWith({ scope: SALES, datasetIds });
type Caller = Awaited<ReturnType<typeof callerWith>>;

/** All of an answer but for new ids, times and the names that were asked for. */
async function answerOf(attempt: Promise<unknown>, ...names: string[]): Promise<unknown> {
  const answer = await attempt.then(
    (result) => ({ result }),
    ({ message, shape, data }) => ({ message, shape, data }),
  );
  let text = JSON.stringify(answer);
  for (const [place, name] of names.entries()) text = text.replaceAll(name, `<name ${place}>`);
  text = text.replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<new id>');
  return JSON.parse(text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'));
}

interface Beyond {
  id: string;
  externalId: string;
  url: string;
}
const names = (): Beyond => ({
  id: `id-${randomUUID()}`,
  externalId: `external-${randomUUID()}`,
  url: `https://pages.invalid/${randomUUID()}`,
});

/** Documents that have all of these names, where a key of the unit or the dataset does not reach. */
async function take({ id, externalId, url }: Beyond, kind: 'unit' | 'dataset'): Promise<void> {
  const { documents } = await unbound();
  const place = kind === 'unit' ? { scope: SECRET } : { scope: SALES, datasetIds: ['secrets'] };
  await documents.create.mutate({ ...place, documentType, id, url });
  await documents.upsert.mutate({ ...place, externalId, documentContent: 'The secret recipe.' });
}

const CHOICE =
  'This API key has access to only a part of its tenant, so it may not choose ids. Leave the id out, or use an external id.';
const DATASETS = ['faq'];

/** What creates something under a name. */
const ATTEMPTS: Record<string, (caller: Caller, named: Beyond) => Promise<unknown>> = {
  'documents.create': ({ documents }, { id }) =>
    documents.create.mutate({ scope: SALES, documentType, id, datasetIds: DATASETS }),
  'documents.createMany, described': ({ documents }, { id }) =>
    documents.createMany.mutate({ scope: SALES, documents: [{}, { id }], datasetIds: DATASETS }),
  'documents.createMany, by URL': ({ documents }, { url }) =>
    documents.createMany.mutate({ scope: SALES, urls: [url, `${url}#part`], datasetIds: DATASETS }),
  'documents.upsert': ({ documents }, { externalId }) =>
    documents.upsert.mutate({ scope: SALES, externalId, documentName: 'Mine', datasetIds: DATASETS }),
  'documents.upsert without datasets': ({ documents }, { externalId }) =>
    documents.upsert.mutate({ scope: SALES, externalId, documentName: 'Mine' }),
  'POST document': ({ key }, { id }) =>
    app
      .request('POST', DOCUMENTS, {
        query: { tenantId: 'acme', datasetIds: JSON.stringify(DATASETS) },
        body: { ...SALES, documentType, id },
        headers: { 'x-api-key': key },
      })
      .then(({ status, body }) => ({ status, body })),
  'PUT document': ({ key }, { externalId }) =>
    app
      .request('PUT', externalPath(externalId), {
        query: { tenantId: 'acme', datasetIds: JSON.stringify(DATASETS) },
        body: { ...SALES, externalId, documentName: 'Mine' },
        headers: { 'x-api-key': key },
      })
      .then(({ status, body }) => ({ status, body })),
};

/** What asks for something by its id. */
const QUESTIONS: Record<string, (caller: Caller, named: Beyond) => Promise<unknown>> = {
  'documents.getMany': ({ documents }, { id }) =>
    documents.getMany.query({ scope: SALES, documentIds: [id] }),
  'documents.update, as a version of it': ({ documents }, { id }) =>
    documents.update.mutate({ scope: SALES, documentId: id, enabled: false, expectedVersion: 99 }),
  'documents.delete, as a version of it': ({ documents }, { id }) =>
    documents.delete.mutate({ scope: SALES, documentId: id, expectedVersion: 99 }),
  'documents.reprocessMany': ({ documents }, { id }) =>
    documents.reprocessMany.mutate({ scope: SALES, documentIds: [id] }),
  'documents.setEnabledMany': ({ documents }, { id }) =>
    documents.setEnabledMany.mutate({ scope: SALES, documentIds: [id], enabled: false }),
  'documents.deleteMany': ({ documents }, { id }) =>
    documents.deleteMany.mutate({ scope: SALES, documentIds: [id] }),
  'documents.cancelMany': ({ documents }, { id }) =>
    documents.cancelMany.mutate({ scope: SALES, documentIds: [id] }),
  'documents.cancel': ({ documents }, { id }) => documents.cancel.mutate({ scope: SALES, documentId: id }),
  'documents.waitUntilSearchable': ({ documents }, { id }) =>
    documents.waitUntilSearchable.query({ scope: SALES, documentId: id, seconds: 0 }),
  'chunks.list': ({ chunks }, { id }) => chunks.list.query({ scope: SALES, documentId: id }),
};

describe.each([
  ['unit', ofUnit],
  ['dataset', () => ofDataset('faq')],
] as const)('a key bound to a %s', (kind, makeCaller) => {
  test.each(Object.entries({ ...ATTEMPTS, ...QUESTIONS }))(
    'is not told by %s that a name is taken beyond it',
    async (_, attempt) => {
      const [taken, free] = [names(), names()];
      await take(taken, kind);
      const caller = await makeCaller();
      const told = [];
      for (const named of [taken, free]) {
        told.push(await answerOf(attempt(caller, named), named.id, named.externalId, named.url));
      }
      expect(told[0]).toEqual(told[1]);
    },
  );

  test('may not choose ids, taken or not', async () => {
    const { documents, key } = await makeCaller();
    const { id: own } = await documents.create.mutate({ scope: SALES, documentType, datasetIds: DATASETS });
    for (const id of [own, randomUUID()]) {
      await expect(
        documents.create.mutate({ scope: SALES, documentType, id, datasetIds: DATASETS }),
      ).rejects.toMatchObject({
        data: { httpStatus: 403, detail: [{ type: 'forbidden', loc: ['id'], msg: CHOICE }] },
      });
      await expect(
        documents.createMany.mutate({ scope: SALES, documents: [{}, { id }], datasetIds: DATASETS }),
      ).rejects.toMatchObject({
        data: {
          httpStatus: 403,
          detail: [{ type: 'forbidden', loc: ['documents', 1, 'id'], msg: CHOICE }],
        },
      });
      expect(
        await call(403, 'POST', DOCUMENTS, {
          query: { tenantId: 'acme', datasetIds: JSON.stringify(DATASETS) },
          body: { ...SALES, documentType, id },
          headers: { 'x-api-key': key },
        }),
      ).toEqual({ detail: [{ type: 'forbidden', loc: ['body', 'id'], msg: CHOICE }] });
    }
  });
});

test('an unrestricted key chooses ids and gets conflicts', async () => {
  const { documents } = await unbound();
  const id = randomUUID();
  const create = () => documents.create.mutate({ scope: SALES, documentType, id });
  expect(await create()).toMatchObject({ id });
  await expect(create()).rejects.toMatchObject({
    data: { httpStatus: 409, detail: [{ type: 'conflict', loc: ['id'] }] },
  });
});

describe('an external id that documents of several datasets have', () => {
  const upsert = ({ documents }: Caller, externalId: string, more: object) =>
    documents.upsert.mutate({ scope: SALES, externalId, ...more });

  test('identifies one document per dataset restriction', async () => {
    const externalId = randomUUID();
    const [faq, legal] = [await ofDataset('faq'), await ofDataset('legal')];
    const first = await upsert(faq, externalId, { documentName: 'FAQ', datasetIds: ['faq'] });
    const second = await upsert(legal, externalId, { documentName: 'Legal', datasetIds: ['legal'] });
    expect([first, second]).toMatchObject([
      { created: true, documentName: 'FAQ', datasetIds: ['faq'], externalId },
      { created: true, documentName: 'Legal', datasetIds: ['legal'], externalId },
    ]);
    expect(await upsert(legal, externalId, { documentName: 'Law' })).toMatchObject({
      id: second.id,
      created: false,
      documentName: 'Law',
    });
    expect(
      await faq.documents.get.query({ scope: { tenantId: 'acme' }, documentId: first.id }),
    ).toMatchObject({
      documentName: 'FAQ',
    });

    // Whoever reaches several means that of the named datasets, else the one that was there first.
    const everywhere = await unbound();
    const named = { documentName: 'Named', datasetIds: ['legal'] };
    expect(await upsert(everywhere, externalId, named)).toMatchObject({ id: second.id, created: false });
    expect(await upsert(everywhere, externalId, { documentName: 'Any' })).toMatchObject({ id: first.id });
    await faq.documents.delete.mutate({ scope: { tenantId: 'acme' }, documentId: first.id });
    expect(await upsert(everywhere, externalId, { documentName: 'Left' })).toMatchObject({ id: second.id });
    expect(await upsert(faq, externalId, { datasetIds: ['faq'] })).toMatchObject({
      created: true,
      id: UUID,
    });
  });

  test('is created once per restriction under concurrency', async () => {
    const externalId = randomUUID();
    const reaches = [['faq'], ['legal'], ['faq', 'legal']];
    const callers = await Promise.all(reaches.map((reach) => ofDataset(...reach)));
    const made = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        upsert(callers[i % 2] as Caller, externalId, { datasetIds: reaches[i % 2] }),
      ),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(2);
    expect(made.filter(({ created }) => created)).toHaveLength(2);
    expect(await upsert(callers[2] as Caller, externalId, {})).toMatchObject({ created: false });
  });
});

test('a key sees only its own datasets of a document', async () => {
  const { documents } = await unbound();
  const content = `Zebras of ${randomUUID()}`;
  const made = await documents.create.mutate({
    scope: SALES,
    documentType,
    datasetIds: ['faq', 'secrets'],
    documentContent: content,
  });
  await app.settle();
  const bound = await ofDataset('faq', 'manuals');
  const ref = { scope: { tenantId: 'acme' }, documentId: made.id };
  const seen = [
    await bound.documents.get.query(ref),
    ...(await bound.documents.getMany.query({ scope: ref.scope, documentIds: [made.id] })),
    ...(await bound.documents.list.query({ scope: SALES })).items.filter(({ id }) => id === made.id),
    ...(await bound.chunks.search.query({ scope: SALES, datasetIds: ['faq'], query: content })).filter(
      ({ documentId }) => documentId === made.id,
    ),
  ];
  expect(seen).toHaveLength(4);
  for (const one of seen) expect(one.datasetIds).toEqual(['faq']);
});

describe('a document that is also in a dataset beyond', () => {
  const externalId = randomUUID();
  const scope = { tenantId: 'acme' };
  let own: string;
  let shared: string;
  let chunkId: string;
  let bound: Caller;

  beforeAll(async () => {
    bound = await callerWith({
      scope: SALES,
      datasetIds: ['faq', 'manuals'],
      scopes: [...scopes, 'chunks:write'],
    });
    const { documents, chunks } = await unbound();
    const described = { scope: SALES, documentContent: 'Herons stand in shallow water.' };
    own = (await bound.documents.create.mutate({ ...described, documentType, datasetIds: ['faq'] })).id;
    const datasetIds = ['faq', 'secrets'];
    shared = (await documents.upsert.mutate({ ...described, externalId, datasetIds })).id;
    await app.settle();
    const { items } = await chunks.list.query({ scope, documentId: shared });
    chunkId = items[0]!.id;
  });

  const ref = () => ({ scope, documentId: shared });
  const chunkRef = () => ({ ...ref(), chunkId });
  const both = () => ({ scope, documentIds: [own, shared] });
  const many = ['documentIds', 1];

  test.each<[string, (string | number)[], (caller: Caller) => Promise<unknown>]>([
    ['changed', ['documentId'], (as) => as.documents.update.mutate({ ...ref(), documentContent: '' })],
    ['changed in nothing', ['documentId'], (as) => as.documents.update.mutate(ref())],
    ['moved', ['documentId'], (as) => as.documents.update.mutate({ ...ref(), datasetIds: ['manuals'] })],
    [
      'upserted',
      ['externalId'],
      (as) => as.documents.upsert.mutate({ scope: SALES, externalId, documentName: 'mine' }),
    ],
    ['disabled', ['documentId'], (as) => as.documents.setEnabled.mutate({ ...ref(), enabled: false })],
    ['disabled with others', many, (as) => as.documents.setEnabledMany.mutate({ ...both(), enabled: false })],
    ['processed again', ['documentId'], (as) => as.documents.reprocess.mutate(ref())],
    ['processed again with others', many, (as) => as.documents.reprocessMany.mutate(both())],
    ['cancelled', ['documentId'], (as) => as.documents.cancel.mutate(ref())],
    ['cancelled with others', many, (as) => as.documents.cancelMany.mutate(both())],
    ['deleted', ['documentId'], (as) => as.documents.delete.mutate(ref())],
    ['deleted with others', many, (as) => as.documents.deleteMany.mutate(both())],
    ['edited', ['documentId'], (as) => as.chunks.update.mutate({ ...chunkRef(), content: 'mine' })],
    ['restored', ['documentId'], (as) => as.chunks.restore.mutate(chunkRef())],
    [
      'switched off',
      ['documentId'],
      (as) => as.chunks.setStatus.mutate({ ...chunkRef(), status: 'inactive' }),
    ],
    [
      'switched off in a batch',
      ['documentId'],
      (as) => as.chunks.setStatusMany.mutate({ ...ref(), chunkIds: [chunkId], status: 'inactive' }),
    ],
    ['thinned out', ['documentId'], (as) => as.chunks.deleteMany.mutate({ ...ref(), chunkIds: [chunkId] })],
  ])('may be read, but not %s', async (_, loc, attempt) => {
    const { documents, chunks } = await unbound();
    const read = async () => [
      await documents.getMany.query(both()),
      await chunks.list.query({ scope, documentId: shared }),
    ];
    const before = await read();
    await expect(attempt(bound)).rejects.toMatchObject({
      message: `Document ${shared} is also in datasets that this API key does not reach, so the key may not change it.`,
      data: { httpStatus: 403, detail: [{ type: 'forbidden', loc }] },
    });
    expect(await read()).toEqual(before);
    expect(await bound.documents.get.query(ref())).toMatchObject({ id: shared, datasetIds: ['faq'] });
  });

  test('may be changed once it is not in the other any more', async () => {
    const { documents } = await unbound();
    await documents.update.mutate({ ...ref(), datasetIds: ['faq', 'manuals'] });
    expect(await bound.documents.update.mutate({ ...ref(), title: 'mine' })).toMatchObject({ title: 'mine' });
    expect(await bound.documents.deleteMany.mutate(both())).toEqual({ deleted: 2 });
  });
});
