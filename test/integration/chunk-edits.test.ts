import { expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { TENANT, TENANT_UNIT } from './support/rest-client.js';

const app = useApp();
const SENTENCES = ['Parcels go out on Mondays.', 'We pay the postage.', 'Returns take ten days.'];

/** A document with a chunk for each sentence. */
async function makeDocument(): Promise<string> {
  const { id } = await app.trpc().documents.create.mutate({
    scope: TENANT_UNIT,
    documentType: 'UnstructuredFile',
    documentContent: SENTENCES.join(' | '),
    chunking: { size: 100, overlap: 0, separators: ['|'] },
  });
  await app.settle();
  return id;
}

type Filter = Omit<
  Parameters<ReturnType<typeof app.trpc>['chunks']['list']['query']>[0],
  'scope' | 'documentId'
>;
const list = async (documentId: string, filter: Filter = {}) =>
  app.trpc().chunks.list.query({ scope: TENANT, documentId, ...filter });
const first = (text: string) => text.slice(0, 7);

test('the original is kept from the first edit on, and comes back', async () => {
  const documentId = await makeDocument();
  const [before] = (await list(documentId)).items;
  const ref = { scope: TENANT, documentId, chunkId: before!.id };
  expect(before).toMatchObject({ ordinal: 0, edited: false, originalContent: null });

  await app.trpc().chunks.update.mutate({ ...ref, content: 'Parcels go out on Fridays.' });
  await app.trpc().chunks.update.mutate({ ...ref, content: 'Nothing goes out.', keywords: ['strike'] });
  const [edited] = (await list(documentId)).items;
  expect(edited).toEqual({
    ...before,
    content: 'Nothing goes out.',
    keywords: { strike: 1 },
    edited: true,
    originalContent: before!.content,
    updatedTime: edited!.updatedTime,
    version: before!.version + 2,
  });

  const restored = await app.trpc().chunks.restore.mutate({ ...ref, expectedVersion: edited!.version });
  const [after] = (await list(documentId)).items;
  expect(after).toEqual({ ...before, updatedTime: after!.updatedTime, version: restored.version });
  expect(await app.trpc().chunks.restore.mutate(ref)).toEqual({ version: restored.version });
});

test('a chunk that was edited before its original was kept says so', async () => {
  const documentId = await makeDocument();
  const { items } = await list(documentId);
  const chunkId = items[1]!.id;
  await app.db
    .updateTable('chunks')
    .set({ edited: true, content: 'Edited long ago.' })
    .where('tenantId', '=', 'acme')
    .where('id', '=', chunkId)
    .execute();
  const restored = app.trpc().chunks.restore.mutate({ scope: TENANT, documentId, chunkId });
  await expect(restored).rejects.toMatchObject({
    data: {
      code: 'CONFLICT',
      detail: [
        {
          type: 'conflict',
          loc: ['chunkId'],
          msg: 'The original text of this chunk was not kept: it was edited by an earlier version of the server.',
        },
      ],
    },
  });
});

test('an edit of what somebody else has changed meanwhile is refused', async () => {
  const documentId = await makeDocument();
  const [chunk] = (await list(documentId)).items;
  const ref = { scope: TENANT, documentId, chunkId: chunk!.id, expectedVersion: chunk!.version };
  await app.trpc().chunks.update.mutate({ ...ref, content: 'Theirs.' });
  const overtaken = { data: { code: 'PRECONDITION_FAILED' } };
  const { chunks } = app.trpc();
  await expect(chunks.update.mutate({ ...ref, content: 'Mine.' })).rejects.toMatchObject(overtaken);
  await expect(chunks.restore.mutate(ref)).rejects.toMatchObject(overtaken);
  expect((await list(documentId)).items[0]).toMatchObject({ content: 'Theirs.' });
});

test('the list is filtered by status, text and edits, and opens at a chunk', async () => {
  const documentId = await makeDocument();
  const { items } = await list(documentId);
  const [parcels, postage, returns] = items;
  await app.trpc().chunks.setStatus.mutate({
    scope: TENANT,
    documentId,
    chunkId: postage!.id,
    status: 'inactive',
  });
  await app.trpc().chunks.update.mutate({
    scope: TENANT,
    documentId,
    chunkId: returns!.id,
    content: 'RETURNS take 100% longer.',
  });
  const found = async (filter: Filter) => {
    const page = await list(documentId, filter);
    return [page.page, page.totalCount, ...page.items.map(({ content }) => first(content))];
  };
  expect(await found({ statuses: ['inactive'] })).toEqual([1, 1, 'We pay ']);
  expect(await found({ statuses: [] })).toEqual([1, 0]);
  expect(await found({ edited: true })).toEqual([1, 1, 'RETURNS']);
  expect(await found({ edited: false, statuses: ['active'] })).toEqual([1, 1, 'Parcels']);
  expect(await found({ contains: 'returns' })).toEqual([1, 1, 'RETURNS']);
  expect(await found({ contains: '0%' })).toEqual([1, 1, 'RETURNS']);
  expect(await found({ contains: '%' })).toEqual([1, 1, 'RETURNS']);
  expect(await found({ pageSize: 1, around: returns!.id })).toEqual([3, 3, 'RETURNS']);
  expect(await found({ pageSize: 1, around: parcels!.id, page: 2 })).toEqual([1, 3, 'Parcels']);
  expect(await found({ pageSize: 1, around: 'unknown', page: 2 })).toEqual([2, 3, 'We pay ']);
});
