import { TRPCClientError } from '@trpc/client';
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { createRestClient, TENANT_UNIT } from './support/rest-client.js';

const app = useApp();
const { createDocument, listChunks, switchChunk } = createRestClient(app);
let heron: { id: string; documentId: string };
const search = { scope: TENANT_UNIT, datasetIds: ['faq'], query: 'Where do herons stand?' };

beforeAll(async () => {
  const { id } = await createDocument({ documentContent: 'Herons stand in the water.' }, ['faq']);
  await app.settle();
  [heron] = await listChunks(id);
});

test('where PostgreSQL searches, there is no index to compare', async () => {
  const console = app.trpc().search;
  expect(await console.status.query()).toEqual({
    engine: 'postgres',
    served: true,
    reason: null,
    fallback: false,
    chunks: 1,
    postings: { segments: expect.any(Number), changes: expect.any(Number), stale: 0 },
    embedding: null,
    server: null,
    index: null,
    changes: null,
  });
  expect(await console.settings.query()).toEqual([]);
  expect(await console.tasks.query({})).toEqual([]);
  expect(await console.verify.query()).toBeNull();
});

test('tells why a search finds what it finds, and a chunk is not among it', async () => {
  const chunk = { documentId: heron.documentId, chunkId: heron.id };
  const found = await app.trpc().search.explain.query({ ...search, chunk });
  const score = expect.closeTo(found.hits[0]?.score ?? 0);
  expect(found).toEqual({
    engine: 'postgres',
    mode: 'lexical',
    chunks: 1,
    terms: expect.arrayContaining([
      expect.objectContaining({ term: 'heron', chunks: 1 }),
      expect.objectContaining({ term: 'stand', chunks: 1 }),
    ]),
    hits: [{ chunkId: heron.id, score, words: null, meaning: null, rerank: null, logOdds: null }],
    truncated: false,
    chunk: {
      chunkId: heron.id,
      rank: 1,
      score,
      words: null,
      meaning: null,
      rerank: null,
      logOdds: null,
      held: expect.any(Array),
      missed: [],
      reasons: [],
      causes: [],
    },
  });
  expect(found.chunk?.held.sort()).toEqual(['heron', 'stand']);

  await switchChunk(heron, 'inactive');
  const hidden = await app.trpc().search.explain.query({ ...search, chunk });
  expect(hidden.hits).toEqual([]);
  expect(hidden.chunk).toMatchObject({
    rank: null,
    score: null,
    reasons: ['It is inactive.'],
    causes: ['inactive'],
  });
  await switchChunk(heron, 'active');
});

test.each([
  ['of another document', { documentId: 'other', chunkId: undefined }],
  ['that is not there', { documentId: undefined, chunkId: 'other' }],
])('of a chunk %s nothing is told', async (_, { documentId, chunkId }) => {
  const chunk = { documentId: documentId ?? heron.documentId, chunkId: chunkId ?? heron.id };
  const error = await app
    .trpc()
    .search.explain.query({ ...search, chunk })
    .catch((reason) => reason);
  expect(error).toBeInstanceOf(TRPCClientError);
  expect(error.data.detail).toEqual([
    { type: 'not_found', loc: ['chunk', 'chunkId'], msg: 'Chunk not found.' },
  ]);
});
