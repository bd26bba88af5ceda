import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { TENANT_UNIT, TIME, UUID } from './support/rest-client.js';

const app = useApp({ authMode: 'required' });
/** Their documents' ids and chunks', by name. */
const made: Record<string, { documentId: string; chunkId: string }> = {};
const question = { scope: TENANT_UNIT, datasetIds: ['faq'], query: 'Who pays the postage of returns?' };

const TEXTS: [name: string, datasetId: string, text: string][] = [
  ['Returns', 'faq', '# Returning goods\n\nWe pay the postage of every return, the "Returns" desk says.'],
  ['退貨', 'faq', '商品可在三十天內退貨，退貨運費由我們承擔。'],
  ['Secret', 'board', 'Returns are down; the postage is not paid.'],
];

const callerWith = async (fields: object = {}) => {
  const { key } = await app.makeKey({ scope: TENANT_UNIT, scopes: ['search'], ...fields });
  return app.trpc({ 'x-api-key': key }).search;
};

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    ({ data }) => ({ status: data.httpStatus, detail: data.detail }),
  );

beforeAll(async () => {
  const { key } = await app.makeKey();
  const writer = app.trpc({ 'x-api-key': key });
  for (const [documentName, datasetId, documentContent] of TEXTS) {
    const documentType = 'UnstructuredFile' as const;
    const fields = { scope: TENANT_UNIT, documentType, documentName, documentContent };
    const { id } = await writer.documents.create.mutate({ ...fields, datasetIds: [datasetId] });
    made[documentName] = { documentId: id, chunkId: '' };
  }
  await app.settle();
  for (const one of Object.values(made)) {
    const { items } = await writer.chunks.list.query({ scope: TENANT_UNIT, documentId: one.documentId });
    one.chunkId = items[0]?.id as string;
  }
});

test('answers hits with parts of their scores, and where the searched words are', async () => {
  const { run } = await callerWith();
  const found = await run.query(question);
  expect(found).toEqual({
    engine: 'postgres',
    mode: 'lexical',
    truncated: false,
    reranked: null,
    durationMs: expect.any(Number),
    corrections: [],
    didYouMean: null,
    synonyms: [],
    terms: expect.arrayContaining([
      { term: 'pay', chunks: expect.any(Number) },
      { term: 'postag', chunks: expect.any(Number) },
      { term: 'return', chunks: expect.any(Number) },
    ]),
    chunks: expect.any(Number),
    hits: [
      {
        id: made.Returns?.chunkId,
        documentId: made.Returns?.documentId,
        ...TENANT_UNIT,
        content: TEXTS[0]?.[2],
        contentComplement: 'Returning goods',
        keywords: expect.any(Array),
        createdTime: TIME,
        updatedTime: TIME,
        score: expect.any(Number),
        documentName: 'Returns',
        documentType: 'UnstructuredFile',
        documentSubType: expect.any(String),
        datasetIds: ['faq'],
        citation: {
          title: null,
          url: null,
          mediaType: 'text/plain',
          processedTime: TIME,
          ordinal: 0,
          version: 1,
          sourceHash: expect.any(String),
          edited: false,
          span: { start: 0, end: TEXTS[0]?.[2].length },
          headings: ['Returning goods'],
        },
        words: null,
        meaning: null,
        rerank: null,
        logOdds: null,
        marks: expect.any(Array),
        complementMarks: [[0, 9]],
      },
    ],
  });
  const [{ content, marks }] = found.hits as [(typeof found.hits)[number]];
  expect(marks.map(([start, end]) => content.slice(start, end))).toEqual([
    'Returning',
    'pay',
    'postage',
    'return',
    'Returns',
  ]);
  expect(found.hits[0]?.id).toEqual(UUID);
});

test('marks a Chinese text as it is searched: simplified questions find traditional texts', async () => {
  const { run } = await callerWith();
  const { hits } = await run.query({ ...question, query: '退货运费谁承担？', language: 'chinese' });
  const [{ content, marks }] = hits as [(typeof hits)[number]];
  expect(marks.map(([start, end]) => content.slice(start, end))).toEqual(['退貨', '退貨運費', '承擔']);
});

describe('a typing error', () => {
  const ask = async (query: string, fields: object = {}) => {
    const { run } = await callerWith();
    const { hits, corrections, didYouMean } = await run.query({ ...question, query, ...fields });
    return { names: hits.map(({ documentName }) => documentName), corrections, didYouMean };
  };
  const found = (corrections: [word: string, instead: string][], didYouMean: string) => ({
    names: ['Returns'],
    corrections: corrections.map(([word, instead]) => ({ word, instead: [instead] })),
    didYouMean,
  });
  const nothing = { names: [], corrections: [], didYouMean: null };

  test.each([
    ['a letter too few', 'Postge?', found([['postge', 'postage']], 'postage?')],
    ['a letter too many', 'postagge', found([['postagge', 'postage']], 'postage')],
    ['another letter', 'the pöstege', found([['postege', 'postage']], 'the postage')],
    ['two letters swapped', 'retrun', found([['retrun', 'return']], 'return')],
    ['two errors in a long word', 'retirnning', found([['retirnning', 'returning']], 'returning')],
    ['two words run together', 'everyreturn', found([['everyreturn', 'every return']], 'every return')],
    ['a word torn apart', 'post age', found([['post age', 'postage']], 'postage')],
  ])('does not hide a chunk: %s', async (_name, query, expected) => {
    expect(await ask(query)).toEqual(expected);
  });

  test('in quotation marks, in a code or in a short word is none', async () => {
    expect(await ask('"postge"')).toEqual(nothing);
    expect(await ask('postge1')).toEqual(nothing);
    expect(await ask('pya')).toEqual(nothing);
    expect(await ask('postge', { typos: false })).toEqual(nothing);
  });

  test('beside words that are found changes nothing where no word is near', async () => {
    expect(await ask('postage xylophone')).toEqual({ ...nothing, names: ['Returns'] });
  });

  test('marks what was found instead', async () => {
    const { run } = await callerWith();
    const { hits } = await run.query({ ...question, query: 'postge' });
    const [{ content, marks }] = hits as [(typeof hits)[number]];
    expect(marks.map(([start, end]) => content.slice(start, end))).toEqual(['postage']);
  });

  test('reveals no word of another dataset, unit or tenant', async () => {
    // "Secret" has "down" and "paid", and is in another dataset.
    expect(await ask('dwon paed')).toEqual(nothing);
    const elsewhere = { tenantId: 'other', tenantUnitId: 'sales' };
    const { run } = await callerWith({ scope: elsewhere });
    expect(await run.query({ ...question, scope: elsewhere, query: 'postge' })).toMatchObject({
      corrections: [],
      didYouMean: null,
    });
  });
});

test('says that nothing was found, and what was searched', async () => {
  const { run } = await callerWith();
  expect(await run.query({ ...question, query: 'the zebra' })).toMatchObject({
    terms: [{ term: 'zebra', chunks: 0 }],
    hits: [],
  });
  const empty = await run.query({ ...question, datasetIds: ['other'] });
  expect(empty).toMatchObject({ chunks: 0, hits: [] });
});

describe('a key of some datasets', () => {
  test('searches in those alone, and counts those alone', async () => {
    const { run } = await callerWith({ datasetIds: ['faq'] });
    expect((await run.query(question)).hits.map(({ id }) => id)).toEqual([made.Returns?.chunkId]);
    expect(await errorOf(run.query({ ...question, datasetIds: ['faq', 'board'] }))).toEqual({
      status: 403,
      detail: [
        { type: 'forbidden', loc: ['datasetIds', 1], msg: 'This API key has no access to dataset board.' },
      ],
    });
  });

  test('is told why a chunk of them is not found', async () => {
    const { explain } = await callerWith({ datasetIds: ['faq'] });
    const told = await explain.query({ ...question, query: 'zebra', chunk: made.Returns as never });
    expect(told.chunk).toEqual({
      ...{
        chunkId: made.Returns?.chunkId,
        rank: null,
        score: null,
        words: null,
        meaning: null,
        rerank: null,
        logOdds: null,
      },
      held: [],
      missed: ['zebra'],
      reasons: ['It holds no term of the question.'],
      causes: ['noTerm'],
    });
  });

  test('is told of another chunk what it is told of none', async () => {
    const { explain } = await callerWith({ datasetIds: ['faq'] });
    const ask = (chunk: object) => errorOf(explain.query({ ...question, chunk: chunk as never }));
    const unknown = await ask({ documentId: 'unknown', chunkId: 'unknown' });
    expect(unknown).toEqual({
      status: 404,
      detail: [{ type: 'not_found', loc: ['chunk', 'chunkId'], msg: 'Chunk not found.' }],
    });
    expect(await ask(made.Secret as never)).toEqual(unknown);
    expect(await ask({ ...made.Secret, documentId: made.Returns?.documentId })).toEqual(unknown);
  });
});

test('a key of another unit or tenant finds nothing of it', async () => {
  const elsewhere = { tenantId: 'acme', tenantUnitId: 'elsewhere' };
  const unit = await callerWith({ scope: elsewhere });
  expect((await unit.run.query({ ...question, scope: elsewhere })).hits).toEqual([]);
  expect(await errorOf(unit.run.query(question))).toMatchObject({ status: 403 });
  const foreign = { tenantId: 'other', tenantUnitId: 'sales' };
  const tenant = await callerWith({ scope: foreign });
  expect(await tenant.run.query({ ...question, scope: foreign })).toMatchObject({ chunks: 0, hits: [] });
  expect(await errorOf(tenant.run.query(question))).toMatchObject({ status: 403 });
});

test('what is wrong with a search is told', async () => {
  const { run } = await callerWith();
  expect(await errorOf(run.query({ ...question, topK: 9_999 }))).toEqual({
    status: 422,
    detail: [{ type: 'value_error.too_big', loc: ['topK'], msg: expect.stringContaining('must be at most') }],
  });
});

test('a filter finds nothing that the key may not read', async () => {
  const { run } = await callerWith({ datasetIds: ['faq'] });
  const find = async (key: string, value: string[]) => {
    const filter = { type: 'in' as const, key, value };
    const { hits, truncated } = await run.query({ ...question, filter });
    return { names: hits.map(({ documentName }) => documentName), truncated };
  };
  const secret = made.Secret?.documentId as string;
  const returns = made.Returns?.documentId as string;
  expect(await find('document.id', [secret])).toEqual({ names: [], truncated: false });
  expect(await find('document.id', [secret, returns])).toEqual({ names: ['Returns'], truncated: false });
  expect(await find('document.name', ['Secret'])).toEqual({ names: [], truncated: false });
  expect(await find('metadata.filename', ['Secret', 'Returns'])).toEqual({
    names: ['Returns'],
    truncated: false,
  });
});
