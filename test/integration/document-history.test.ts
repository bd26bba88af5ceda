import { describe, expect, test } from 'vitest';
import type { Permission } from '../../src/auth/permissions.js';
import { useApp } from '../support/app.js';
import { TENANT, TENANT_UNIT, TIME } from './support/rest-client.js';

const app = useApp({ authMode: 'required' });
const documentType = 'UnstructuredFile' as const;

const callerWith = async (fields: Parameters<typeof app.makeKey>[0] = {}, user = 'zoe') => {
  const { id, key } = await app.makeKey(fields);
  const { documents, chunks } = app.trpc({ 'x-api-key': key, 'x-user-id': user });
  return { id, documents, chunks };
};

describe('a change of a document', () => {
  test('sets its name, title, category and datasets, of which the key reaches some', async () => {
    const all = await callerWith();
    const { id: documentId } = await all.documents.create.mutate({
      scope: TENANT_UNIT,
      documentType,
      documentName: 'Old',
      category: 'none',
      datasetIds: ['faq', 'secret'],
    });
    const changed = await all.documents.update.mutate({
      scope: TENANT,
      documentId,
      documentName: 'New',
      title: 'A title',
      category: null,
      expectedVersion: 1,
    });
    const fields = { documentName: 'New', title: 'A title', category: null, version: 2 };
    expect(changed).toMatchObject({ ...fields, datasetIds: ['faq', 'secret'] });

    const datasetIds = ['handbook', 'secret'];
    const moved = await all.documents.update.mutate({ scope: TENANT, documentId, datasetIds });
    expect(moved).toMatchObject({ ...fields, datasetIds, version: 3 });

    const some = await callerWith({
      scopes: ['documents:read', 'documents:write'],
      datasetIds: ['faq', 'handbook'],
    });
    expect(await some.documents.get.query({ scope: TENANT, documentId })).toMatchObject({
      datasetIds: ['handbook'],
    });
    const refused = some.documents.update.mutate({ scope: TENANT, documentId, datasetIds: ['faq'] });
    await expect(refused).rejects.toMatchObject({
      data: { code: 'FORBIDDEN', detail: [{ loc: ['documentId'] }] },
    });
    const { items } = await some.documents.history.query({ scope: TENANT, documentId });
    expect(items.map(({ before, after }) => [before?.datasetIds, after?.datasetIds])).toEqual([
      [['faq'], ['handbook']],
      [undefined, undefined],
      [undefined, ['faq']],
    ]);
  });
});

test('what a document was before it came into the datasets of a key is not shown to it', async () => {
  const all = await callerWith();
  const { id: documentId } = await all.documents.create.mutate({
    scope: TENANT_UNIT,
    documentType,
    title: 'Secret',
    datasetIds: ['secret'],
  });
  await all.documents.update.mutate({ scope: TENANT, documentId, title: 'Less secret' });
  await all.documents.update.mutate({ scope: TENANT, documentId, title: 'Open', datasetIds: ['open'] });
  await all.documents.update.mutate({ scope: TENANT, documentId, title: 'Wide open' });
  const some = await callerWith({ scopes: ['documents:read'], datasetIds: ['open'] });
  const { items, totalCount } = await some.documents.history.query({ scope: TENANT, documentId });
  expect(items.map(({ before, after }) => [before, after])).toEqual([
    [{ title: 'Open' }, { title: 'Wide open' }],
    [null, { title: 'Open', datasetIds: ['open'] }],
  ]);
  expect(totalCount).toBe(2);
});

test('what a document becomes when it leaves the datasets of a key is not shown to it, also meanwhile', async () => {
  const all = await callerWith();
  const some = await callerWith({ scopes: ['documents:read'], datasetIds: ['open'] });
  const { id: documentId } = await all.documents.create.mutate({
    scope: TENANT_UNIT,
    documentType,
    datasetIds: ['open'],
  });
  let isOver = false;
  async function read(): Promise<string> {
    let seen = '';
    while (!isOver) {
      const found = await some.documents.history.query({ scope: TENANT, documentId }).catch(() => undefined);
      seen += JSON.stringify(found?.items.map(({ after }) => after));
    }
    return seen;
  }
  const reading = Promise.all(Array.from({ length: 4 }, read));
  for (let i = 0; i < 25; i++) {
    await all.documents.update.mutate({ scope: TENANT, documentId, datasetIds: ['secret'], title: 'Secret' });
    await all.documents.update.mutate({ scope: TENANT, documentId, datasetIds: ['open'], title: 'Open' });
  }
  isOver = true;
  const seen = (await reading).join();
  expect(seen).toContain('Open');
  expect(seen).not.toContain('Secret');
});

describe('the history', () => {
  test('has the changes of a document and its chunks, newest first', async () => {
    const caller = await callerWith();
    const { id: documentId } = await caller.documents.create.mutate({
      scope: TENANT_UNIT,
      documentType,
      documentContent: 'Parcels go out on Mondays.',
    });
    await app.settle();
    const [chunk] = (await caller.chunks.list.query({ scope: TENANT, documentId })).items;
    const ref = { scope: TENANT, documentId, chunkId: chunk!.id };
    await caller.chunks.update.mutate({ ...ref, content: 'Nothing goes out.', keywords: ['strike'] });
    await caller.documents.update.mutate({ scope: TENANT, documentId, title: 'Parcels' });

    const by = {
      keyId: caller.id,
      userId: 'zoe',
      userIssuer: null,
      userName: null,
      time: TIME,
      id: expect.any(Number),
    };
    const update = { action: 'documents.update', subjectType: 'document', subjectId: documentId };
    const edit = { action: 'chunks.update', subjectType: 'chunk', subjectId: chunk!.id };
    const { items, ...page } = await caller.documents.history.query({
      scope: TENANT,
      documentId,
      pageSize: 2,
    });
    expect(page).toEqual({ page: 1, pageSize: 2, totalCount: 3, totalPages: 2, hasNextPage: true });
    expect(items).toEqual([
      { ...by, ...update, before: { title: null }, after: { title: 'Parcels' } },
      {
        ...by,
        ...edit,
        before: { keywords: null, contentLength: 26, revision: 1 },
        after: { keywords: ['strike'], contentLength: 17, revision: 2 },
      },
    ]);
    const rest = await caller.documents.history.query({ scope: TENANT, documentId, page: 2, pageSize: 2 });
    expect(rest.items.map(({ action }) => action)).toEqual(['documents.create']);

    const scopes: Permission[] = ['documents:read'];
    const reader = await callerWith({ scopes });
    const seen = await reader.documents.history.query({ scope: TENANT, documentId, pageSize: 2 });
    expect(seen.items[1]).toMatchObject({
      after: { keywords: '(needs the scope chunks:read)', contentLength: 17 },
    });
  });

  test('has nothing of an earlier document of the same id', async () => {
    const { documents } = await callerWith();
    const make = (title: string) =>
      documents.create.mutate({ scope: TENANT_UNIT, documentType, id: 'same', title });
    await make('Earlier');
    await documents.delete.mutate({ scope: TENANT, documentId: 'same' });
    await make('Later');
    const { items } = await documents.history.query({ scope: TENANT, documentId: 'same' });
    expect(items.map(({ action, after }) => [action, after?.title])).toEqual([['documents.create', 'Later']]);
  });
});
