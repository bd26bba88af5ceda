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
const writer = async (scope = TENANT_UNIT) => app.trpc({ 'x-api-key': (await app.makeKey({ scope })).key });

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

describe('completions', () => {
  test('are the most frequent first, as the question is written so far', async () => {
    const { documentId } = await add('Coasts', 'coast', 'Coastal coastline. Coastal waters.');
    await add('More coasts', 'coast', 'A coastal road, coastguards and coasters.');
    const { completions } = await (await callerWith()).query({
      ...{ ...asked, datasetIds: ['coast'], text: 'The Cóast' },
      limit: 2,
    });
    expect(completions).toEqual([
      { word: 'coastal', text: 'The Cóastal' },
      { word: 'coasters', text: 'The Cóasters' },
    ]);
    expect(documentId).toBeTruthy();
  });

  test.each([
    ['behind a space', 'post '],
    ['of a single letter', 'p'],
    ['of a whole word', 'postage'],
    ['in Chinese', '退货'],
  ])('are none %s', async (_name, text) => {
    expect((await suggest(text)).words).toEqual([]);
  });

  test('are searched with: an unfinished word finds what it may become', async () => {
    expect(await suggest('liab')).toEqual({ words: ['liable'], names: ['Liability'], hits: ['Liability'] });
  });
});

describe('documents', () => {
  test.each([
    ['the beginning of the name', 'RETURNS p', ['Returns-Policy_2024.pdf']],
    ['a word within it', 'policy 20', ['Returns-Policy_2024.pdf']],
    ['the last words of a question', 'where is the policy', ['Returns-Policy_2024.pdf']],
    ['a part of a Chinese name', '政策', ['退货政策']],
    ['the middle of a word', 'olicy', []],
    ['wildcards', '%', []],
  ])('are found by %s', async (_name, text, names) => {
    expect((await suggest(text)).names).toEqual(names);
  });

  test('are found by their titles, and no longer by a former name', async () => {
    const client = await writer();
    const { documentId } = await add('Draft 7', 'faq', 'Opening hours.');
    expect((await suggest('draft')).names).toEqual(['Draft 7']);
    const changes = { documentName: null, title: 'Opening hours: Sündäys' };
    await client.documents.update.mutate({ scope: TENANT_UNIT, documentId, ...changes });
    expect((await suggest('draft')).names).toEqual([]);
    const { documents } = await (await callerWith()).query({ ...asked, text: 'hours sunday' });
    expect(documents).toEqual([{ id: documentId, name: null, title: 'Opening hours: Sündäys' }]);
    await client.documents.delete.mutate({ scope: TENANT_UNIT, documentId });
    expect((await suggest('hours sunday')).names).toEqual([]);
  });
});

test('Chinese questions find what they have so far', async () => {
  expect(await suggest('退货运', { language: 'chinese' })).toEqual({
    words: [],
    names: [],
    hits: ['退货政策'],
  });
});

test('disabled and deleted documents are neither named nor hits, and their words are forgotten', async () => {
  const client = await writer();
  const words = { ...asked, datasetIds: ['gone'], text: 'xylo' };
  const { documentId } = await add('Xylophones', 'gone', 'Xylophones are instruments.');
  const caller = await callerWith();
  expect(await caller.query(words)).toMatchObject({
    completions: [{ word: 'xylophones' }],
    documents: [{ name: 'Xylophones' }],
    hits: [{ documentName: 'Xylophones' }],
  });
  await client.documents.setEnabled.mutate({ scope: TENANT_UNIT, documentId, enabled: false });
  expect(await caller.query(words)).toMatchObject({ documents: [], hits: [] });
  await expect.poll(() => caller.query(words)).toEqual(NOTHING);
  await client.documents.setEnabled.mutate({ scope: TENANT_UNIT, documentId, enabled: true });
  expect((await caller.query(words)).hits).toHaveLength(1);
  await client.documents.delete.mutate({ scope: TENANT_UNIT, documentId });
  await expect.poll(() => caller.query(words)).toEqual(NOTHING);
});

describe('nothing is told of', () => {
  const texts = ['post', 'propel', 'secret', 'returns', '退货', 'propellerz'];

  test('another dataset', async () => {
    const caller = await callerWith({ datasetIds: ['coast'] });
    for (const text of texts)
      expect(await caller.query({ ...asked, datasetIds: ['coast'], text })).toEqual(NOTHING);
    expect(await errorOf(caller.query({ ...asked, datasetIds: ['coast', 'board'] }))).toEqual({
      status: 403,
      detail: [
        { type: 'forbidden', loc: ['datasetIds', 1], msg: 'This API key has no access to dataset board.' },
      ],
    });
    expect(await suggest('propelle')).toEqual({ words: [], names: [], hits: [] });
    expect((await suggest('secret')).names).toEqual([]);
  });

  test('how many names another dataset has', async () => {
    const client = await writer();
    const fields = { scope: TENANT_UNIT, documentType: 'UnstructuredFile' as const };
    const make = (documentName: string, datasetId: string) =>
      client.documents.create.mutate({ ...fields, documentName, datasetIds: [datasetId] });
    await make('Layover 9', 'layovers');
    const find = async () => (await suggest('layover', { datasetIds: ['layovers'] })).names;
    expect(await find()).toEqual(['Layover 9']);
    for (let i = 0; i < 101; i++) await make(`Layover 0 ${i}`, 'board');
    expect(await find()).toEqual(['Layover 9']);
  });

  test('how many names disabled documents have', async () => {
    const client = await writer();
    const fields = { scope: TENANT_UNIT, documentType: 'UnstructuredFile' as const, datasetIds: ['halts'] };
    const make = async (documentName: string) =>
      (await client.documents.create.mutate({ ...fields, documentName })).id;
    await make('Stopover 9');
    const find = async () => (await suggest('stopover', { datasetIds: ['halts'] })).names;
    const documentIds = [];
    for (let i = 0; i < 100; i++) documentIds.push(await make(`Stopover 0 ${i}`));
    expect(await find()).not.toContain('Stopover 9');
    await client.documents.setEnabledMany.mutate({ scope: TENANT_UNIT, documentIds, enabled: false });
    expect(await find()).toEqual(['Stopover 9']);
    await client.documents.setEnabledMany.mutate({ scope: TENANT_UNIT, documentIds, enabled: true });
    expect(await find()).toHaveLength(5);
  });

  test.each([
    ['another unit', { tenantId: TENANT_UNIT.tenantId, tenantUnitId: 'elsewhere' }],
    ['another tenant', { tenantId: 'other', tenantUnitId: TENANT_UNIT.tenantUnitId }],
  ])('%s', async (_name, scope) => {
    const caller = await callerWith({ scope });
    for (const text of texts) {
      const datasetIds = ['faq', 'board'];
      expect(await caller.query({ scope, datasetIds, text })).toEqual(NOTHING);
    }
    expect(await errorOf(caller.query(asked))).toMatchObject({ status: 403 });
  });
});

describe('bounds', () => {
  const tooLong = 'must be at most 1000 characters long';
  test.each([
    ['a word of 10,000 letters', { text: 'a'.repeat(10_000) }, ['text'], tooLong],
    ['no text', { text: '' }, ['text'], expect.any(String)],
    ['spaces alone', { text: ' \t' }, ['text'], 'must not be empty'],
    ['too many', { limit: 21 }, ['limit'], expect.any(String)],
  ])('refuse %s', async (_name, fields, loc, msg) => {
    const { status, detail } = (await errorOf((await callerWith()).query({ ...asked, ...fields }))) as {
      status: number;
      detail: object[];
    };
    expect({ status, first: detail[0] }).toMatchObject({ status: 422, first: { loc, msg } });
  });

  test.each([
    ['a word of 1,000 letters', 'a'.repeat(1_000)],
    ['combining marks', `p${'\u0301\u0323'.repeat(400)}`],
    ['homoglyphs', 'роstage'],
    ['mixed scripts', 'postageпочта退货ประกัน'],
    ['what a pattern would be', '%_\\*(post'],
    ['a thousand words', 'po '.repeat(333)],
  ])('do not refuse %s', async (_name, text) => {
    expect(await (await callerWith()).query({ ...asked, text })).toMatchObject({ hits: expect.any(Array) });
  });

  test('do not refuse hundreds of datasets in each of hundreds of units', async () => {
    const { tenantId } = TENANT_UNIT;
    const named = (prefix: string) => Array.from({ length: 450 }, (_, n) => `${prefix}${n}`);
    const scope = { tenantId, tenantUnitId: [TENANT_UNIT.tenantUnitId, ...named('u')] };
    const caller = await callerWith({ scope: { tenantId } });
    const found = await caller.query({
      ...asked,
      scope,
      datasetIds: ['faq', ...named('d')],
      text: 'who pays a lia',
    });
    expect(found.documents.map(({ name }) => name)).toEqual(['Liability']);
  });
});
