import { expect, test, vi } from 'vitest';
import { useApp } from '../support/app.js';
import { workbookOf } from '../support/workbook.js';
import { createRestClient, TENANT, TENANT_UNIT } from './support/rest-client.js';

/* Files that would become far more than they are. */

// Thousands of drafts are written and dropped.
vi.setConfig({ testTimeout: 240_000 });

const app = useApp();
const few = useApp({ maxChunksPerDocument: 20 });
const calls = createRestClient(app);

const drafts = async () => (await app.db.selectFrom('chunkDrafts').select('id').execute()).length;
const get = (documentId: string, of = app) => of.trpc().documents.get.query({ scope: TENANT, documentId });

const TOO_MUCH_TEXT = {
  code: 'too_much_text',
  stage: 'parsing',
  message:
    'This file gives more text than one document may have; split it into smaller files, or take out what it repeats, and upload that.',
  retryable: false,
};
const TOO_MANY_CHUNKS = {
  code: 'too_many_chunks',
  stage: 'splitting',
  message:
    'This file falls into more chunks than one document may have; choose a larger chunk size or fewer separators, or split it into smaller files.',
  retryable: false,
};

const WORDS = 'Plain words that go on and on. '.repeat(33_000);
test.each([
  ['in one column', 12_000, 1, WORDS],
  ['in one row', 1, 12_000, WORDS],
  ['in a table', 1_200, 10, WORDS],
  ['without a letter', 1_200, 10, '7'.repeat(1_000_000)],
])(
  'a small workbook that shows one long text in thousands of cells %s is refused',
  async (_, rows, columns, text) => {
    const workbook = workbookOf(text, { rows, columns });
    expect(workbook.length).toBeLessThan(110_000);
    const { id } = await calls.upload(workbook, 'repeated.xlsx');
    await app.settle();
    expect(await get(id)).toMatchObject({
      status: 'failed',
      error: TOO_MUCH_TEXT,
      newChunks: 0,
      chunkCount: 0,
    });
    await expect.poll(drafts).toBe(0);
  },
);

test('a separator that cuts everywhere is refused, nothing is left of it, and the old chunks serve', async () => {
  const { id } = await app.trpc().documents.create.mutate({
    scope: TENANT_UNIT,
    documentType: 'UnstructuredFile',
    documentContent: 'An old text.',
  });
  await app.settle();
  const old = await calls.listChunks(id);
  await app.trpc().documents.update.mutate({
    scope: TENANT,
    documentId: id,
    documentContent: `${'x'.repeat(10)}a`.repeat(90_909),
    chunking: { size: 100, separators: ['a'] },
  });
  await app.settle();
  expect(await get(id)).toMatchObject({
    status: 'failed',
    error: TOO_MANY_CHUNKS,
    newChunks: 0,
    chunkCount: 1,
  });
  await expect.poll(drafts).toBe(0);
  expect(await calls.listChunks(id)).toEqual(old);

  // With chunks of the usual size there is nothing to object to.
  await app.trpc().documents.update.mutate({ scope: TENANT, documentId: id, chunking: { size: 1_000 } });
  await app.settle();
  const { status, chunkCount } = await get(id);
  expect({ status, isUsual: chunkCount > 900 && chunkCount < 2_000 }).toEqual({
    status: 'ready',
    isUsual: true,
  });
});

test('the operator’s limit holds for every document', async () => {
  const create = (documentContent: string) =>
    few
      .trpc()
      .documents.create.mutate({ scope: TENANT_UNIT, documentType: 'UnstructuredFile', documentContent });
  const [fits, exceeds] = [
    await create('A sentence of some length. '.repeat(500)),
    await create('A sentence of some length. '.repeat(1_000)),
  ];
  await few.settle();
  expect(await get(fits.id, few)).toMatchObject({ status: 'ready', error: null });
  expect(await get(exceeds.id, few)).toMatchObject({ status: 'failed', error: { code: 'too_many_chunks' } });
});
