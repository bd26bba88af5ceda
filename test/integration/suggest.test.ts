import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { TENANT_UNIT } from './support/rest-client.js';

const app = useApp({ authMode: 'required' });
const asked = { scope: TENANT_UNIT, datasetIds: ['faq'], text: 'who pays the post' };
const NOTHING = { completions: [], documents: [], hits: [] };
/** Ids of documents and their chunks, by name. */
const made: Record<string, { documentId: string; chunkId: string }> = {};

const TEXTS: [name: string, datasetId: string, text: string][] = [
  ['Returns-Policy_2024.pdf', 'faq', 'We pay the postage of every return. Postage is free from 50 euros.'],
  ['Liability', 'faq', 'The guest is liable, and pays for each damage to the property.'],
  ['退货政策', 'faq', '商品可在三十天内退货，退货运费由我们承担。'],
  ['Secret returns', 'board', 'Postmen are paid by the hour; propellers are not for sale.'],
];

const callerWith = async (fields: object = {}) => {
  const { key } = await app.makeKey({ scope: TENANT_UNIT, scopes: ['search'], ...fields });
  return app.trpc({ 'x-api-key': key }).chunks.suggest;
};
const writer = async (scope: object = TENANT_UNIT) =>
  app.trpc({ 'x-api-key': (await app.makeKey({ scope })).key });

/** Completed words, names of documents, and of those of the hits. */
const suggest = async (text: string, fields: object = {}) => {
  const { completions, documents, hits } = await (await callerWith()).query({ ...asked, text, ...fields });
  return {
    words: completions.map(({ word }) => word),
    names: documents.map(({ name }) => name),
    hits: hits.map(({ documentName }) => documentName),
  };
};

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    ({ data }) => ({ status: data.httpStatus, detail: data.detail }),
  );

const add = async (documentName: string, datasetId: string, documentContent: string, scope = TENANT_UNIT) => {
  const client = await writer(scope);
  const fields = { scope, documentType: 'UnstructuredFile' as const, documentName, documentContent };
  const { id: documentId } = await client.documents.create.mutate({ ...fields, datasetIds: [datasetId] });
  await app.settle();
  const { items } = await client.chunks.list.query({ scope, documentId });
  return { documentId, chunkId: items[0]?.id as string };
};

beforeAll(async () => {
  for (const [name, datasetId, text] of TEXTS) made[name] = await add(name, datasetId, text);
});

test('answers completions of the last word, documents by name, and marked hits', async () => {
  const found = await (await callerWith()).query({ ...asked, text: 'Pay returns pol' });
  expect(found).toEqual({
    completions: [],
    documents: [
      { id: made['Returns-Policy_2024.pdf']?.documentId, name: 'Returns-Policy_2024.pdf', title: null },
    ],
    hits: expect.any(Array),
  });
  expect(await (await callerWith()).query(asked)).toEqual({
    completions: [{ word: 'postage', text: 'who pays the postage' }],
    documents: [],
    hits: [
      {
        id: made['Returns-Policy_2024.pdf']?.chunkId,
        documentId: made['Returns-Policy_2024.pdf']?.documentId,
        documentName: 'Returns-Policy_2024.pdf',
        score: expect.any(Number),
        excerpt: TEXTS[0]?.[2],
        marks: [
          [3, 6],
          [11, 18],
          [36, 43],
        ],
      },
      expect.objectContaining({ documentName: 'Liability' }),
    ],
  });
});

describe('a question has its chunk before its last letter', () => {
  const question = 'who pays for damge to the proprty';
  test.each([23, 26, 27, 28, 29, 30, 31, 32])('after %i letters', async (letters) => {
    expect((await suggest(question.slice(0, letters))).hits[0]).toBe('Liability');
  });

  test('and its other words are put right in completions', async () => {
    const { completions } = await (await callerWith()).query({ ...asked, text: question.slice(0, 30) });
    expect(completions).toEqual([{ word: 'property', text: 'who pays for damage to the property' }]);
  });

  test.each(['proprt', 'proprty', 'prperty'])('also by a mistyped last word alone: %s', async (text) => {
    expect(await suggest(text)).toEqual({ words: ['property'], names: [], hits: ['Liability'] });
  });
});
