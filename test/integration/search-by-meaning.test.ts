import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { embeddingConfig, startEmbeddingServer } from '../support/embedding-server.js';
import { waitFor } from '../support/wait-for.js';
import { createRestClient, TENANT_UNIT } from './support/rest-client.js';

const endpoint = await startEmbeddingServer();
afterAll(() => endpoint.close());

const TEXTS = {
  doctors: 'A physician treats a sore throat.',
  trains: 'Every railway line has a timetable.',
  rain: 'An umbrella helps in bad weather.',
};

type LogOdds = { base: number; words: number; meaning: number } | null;
const logOddsOf = (score: number) => Math.log(score / (1 - score));
const sumOf = (parts: LogOdds) => (parts ? parts.base + parts.words + parts.meaning : Number.NaN);
const isSum = (score: number, parts: LogOdds) => Math.abs(logOddsOf(score) - sumOf(parts)) < 1e-6;

/** A service with some embedded documents, and what it finds. */
function useSearch(fields: Parameters<typeof embeddingConfig>[1] = {}) {
  const app = useApp({ embedding: embeddingConfig({ url: endpoint.url, model: 'words' }, fields) });
  const create = (documentName: string, documentContent: string, scope = TENANT_UNIT, dataset = 'faq') =>
    createRestClient(app).createDocument({ documentName, documentContent, ...scope }, [dataset]);
  const settle = async () => {
    await app.settle();
    await waitFor(async () => (await app.trpc().search.status.query()).embedding?.waiting === 0, {
      what: 'all texts to be embedded',
    });
    await waitFor(async () => (await app.trpc().search.status.query()).postings.changes === 0, {
      what: 'all changes to be merged',
    });
  };
  const find = async (query: string, mode?: 'lexical' | 'hybrid' | 'semantic', scope = TENANT_UNIT) => {
    const hits = await app.trpc().chunks.search.query({ scope, datasetIds: ['faq'], query, mode });
    return hits.map(({ documentName }) => documentName);
  };
  beforeAll(async () => {
    for (const [name, text] of Object.entries(TEXTS)) await create(name, text);
    await settle();
  });
  return { app, create, settle, find };
}

describe('candidates by meaning', () => {
  const { app, create, settle, find } = useSearch();

  test('are found where no word is shared', async () => {
    expect(await find('doctor', 'lexical')).toEqual([]);
    expect((await find('doctor'))[0]).toBe('doctors');
    expect((await find('departures'))[0]).toBe('trains');
  });

  test('are scored beside those by words', async () => {
    const search = { scope: TENANT_UNIT, datasetIds: ['faq'], query: 'doctor timetable' };
    const { mode, hits, chunk } = await app.trpc().search.explain.query({ ...search, topK: 2 });
    expect({ mode, chunk }).toEqual({ mode: 'hybrid', chunk: undefined });
    const [first, second] = hits;
    const logOdds = { base: expect.any(Number), words: expect.any(Number), meaning: expect.any(Number) };
    const parts = { score: expect.any(Number), words: expect.any(Number), meaning: expect.any(Number) };
    expect(hits).toEqual([
      { chunkId: expect.any(String), ...parts, rerank: null, logOdds },
      { chunkId: expect.any(String), ...parts, rerank: null, logOdds },
    ]);
    for (const hit of hits) expect(logOddsOf(hit.score)).toBeCloseTo(sumOf(hit.logOdds), 6);
    expect(first?.score).toBeGreaterThan(second?.score ?? 1);
    const doctors = hits.find(({ words }) => words === 0);
    const trains = hits.find(({ words }) => words !== 0);
    expect(doctors?.meaning).toBeGreaterThan(0.9);
    expect(trains?.words).toBeGreaterThan(0);
  });

  test('have the same score whatever else is found', async () => {
    const scoreOf = async (query: { mode?: 'hybrid' | 'semantic' }, topK: number) => {
      const search = { scope: TENANT_UNIT, datasetIds: ['faq'], query: 'doctor', topK, ...query };
      const hits = await app.trpc().chunks.search.query(search);
      return hits.find(({ documentName }) => documentName === 'doctors')?.score;
    };
    const modes = [{ mode: 'hybrid' }, { mode: 'semantic' }] as const;
    const before = await Promise.all(modes.map((mode) => scoreOf(mode, 5)));
    expect(before).toEqual([expect.any(Number), expect.any(Number)]);
    const { id } = await create('others', 'The weather forecast promises sunshine.');
    await settle();
    await waitFor(async () => (await find('umbrella')).includes('others'), { what: 'the new text' });
    expect(await Promise.all(modes.map((mode) => scoreOf(mode, 1)))).toEqual(before);
    await createRestClient(app).call(204, 'DELETE', `/admin/api/v1/documents/${id}`, {
      query: { tenantId: TENANT_UNIT.tenantId },
    });
  });

  test('alone are ranked by the cosine', async () => {
    const search = {
      scope: TENANT_UNIT,
      datasetIds: ['faq'],
      query: 'doctor timetable',
      mode: 'semantic' as const,
    };
    const { mode, hits } = await app.trpc().search.explain.query(search);
    expect(mode).toBe('semantic');
    expect(hits.map(({ score, words, logOdds }) => ({ isOfMeaning: isSum(score, logOdds), words }))).toEqual(
      hits.map(() => ({ isOfMeaning: true, words: null })),
    );
    expect((await find('doctor timetable', 'semantic'))[0]).toBe('doctors');
  });

  test('follow changes of their documents', async () => {
    const { id } = await create('fares', 'Tickets for the train are sold here.');
    await settle();
    expect((await find('railway'))[0]).toBe('trains');
    await waitFor(async () => (await find('departures')).includes('fares'), { what: 'the new text' });
    const rest = createRestClient(app);
    await rest.call(204, 'DELETE', `/admin/api/v1/documents/${id}`, {
      query: { tenantId: TENANT_UNIT.tenantId },
    });
    expect(await find('departures')).not.toContain('fares');
  });

  test('are of the tenant unit and the datasets that are searched', async () => {
    const other = { tenantId: 'other', tenantUnitId: 'unit' };
    await create('foreign', 'Our physician is in.', other);
    await create('elsewhere', 'The physician is out.', TENANT_UNIT, 'other');
    await settle();
    await waitFor(async () => (await find('doctor', 'semantic', other)).length > 0, {
      what: 'the foreign text',
    });
    expect(await find('doctor', 'semantic', other)).toEqual(['foreign']);
    expect((await find('doctor', 'semantic')).toSorted()).toEqual(['doctors', 'rain', 'trains']);
    expect(await find('doctor', 'semantic', { ...TENANT_UNIT, tenantUnitId: 'nobody' })).toEqual([]);
  });

  test('a chunk is explained that has no vector yet', async () => {
    const { id: documentId } = await create('held', 'Snow falls in winter.');
    await settle();
    const [chunk] = await createRestClient(app).listChunks(documentId);
    const explain = () =>
      app.trpc().search.explain.query({
        scope: TENANT_UNIT,
        datasetIds: ['faq'],
        query: 'doctor',
        topK: 1,
        chunk: { documentId, chunkId: chunk.id },
      });
    expect((await explain()).chunk).toMatchObject({
      held: [],
      rank: expect.any(Number),
      reasons: [expect.stringMatching(/^It has rank \d; 1 are asked for\.$/)],
      causes: ['lowRank'],
    });
    endpoint.state.fault = ({ texts }) =>
      texts.some((text) => text.includes('Hail')) ? { status: 500 } : undefined;
    await createRestClient(app).editChunk(chunk, { content: 'Hail falls in summer.' });
    await waitFor(async () => (await app.trpc().search.status.query()).embedding?.failed === 1, {
      what: 'the failure',
    });
    expect((await explain()).chunk).toEqual({
      ...{
        chunkId: chunk.id,
        rank: null,
        score: null,
        words: null,
        meaning: null,
        rerank: null,
        logOdds: null,
        held: [],
        missed: ['doctor'],
      },
      reasons: [
        'It holds no term of the question.',
        'Its text could not be embedded: The embedding endpoint answered 500: it fails. Check EMBEDDING_URL, and whether the endpoint runs.',
      ],
      causes: ['noTerm', 'unembeddable'],
    });
    endpoint.state.fault = undefined;
  });
});

describe('without memory for vectors', () => {
  const { find } = useSearch({ cacheBytes: 0 });

  test('what words find is still ranked by meaning', async () => {
    expect(await find('doctor')).toEqual([]);
    expect(await find('doctor timetable sore')).toEqual(['doctors', 'trains']);
  });
});
