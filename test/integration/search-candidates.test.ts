import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createExhaustiveSearch, overlapAt10 } from '../../bench/support/exhaustive-bm25.js';
import { mergeAll } from '../../bench/support/merge-all.js';
import { createRandom } from '../../bench/support/random.js';
import { drainBacklog } from '../../bench/sync/drain-outbox.js';
import type { DatabaseClient } from '../../db/client.js';
import { connectSearchDatabase } from '../../src/compose/search-database.js';
import { describeNew } from '../../src/derived-data/describe-documents.js';
import { writeChunkChanges } from '../../src/search/indexing/index-writer.js';
import { connectMeilisearch } from '../../src/search/meilisearch/connect.js';
import { createMeilisearchEngine } from '../../src/search/meilisearch/engine.js';
import { createPostgresEngine } from '../../src/search/postgres/engine.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { openSearchServer } from '../support/search-server.js';

/* The candidates that Meilisearch chooses, against a search that scores every chunk of invented words. */

const CHUNKS = 1_500;
/** More than one search ranks. */
const GONE = 400;

const random = createRandom(29);
const searchServer = await openSearchServer();
const server = connectMeilisearch(searchServer.config);
const scope = { tenantId: uuid(), tenantUnitId: 'unit' };
let database: TestDatabase;
let client: DatabaseClient;

beforeAll(async () => {
  database = await createTestDatabase();
  client = connectUnscoped(database.url, { max: 4 });
  await addChunks();
  await mergeAll(client.db, scope.tenantId);
  await drainBacklog(client.db, server, () => {});
});
afterAll(async () => {
  await client?.close();
  await database?.drop();
  await searchServer.close();
});

async function addChunks(): Promise<void> {
  const { db } = client;
  const documentId = uuid();
  const times = { createdTime: new Date(), updatedTime: new Date() };
  const row = { documentType: 'UnstructuredFile', source: 'content', status: 'ready' } as const;
  const stored = await db
    .insertInto('documents')
    .values({ ...scope, id: documentId, ...row, ...times, datasetIds: ['set'] })
    .returningAll()
    .executeTakeFirstOrThrow();
  await describeNew(db, scope.tenantId, [stored]);
  const drawText = () => Array.from({ length: random.between(20, 90) }, random.word).join(' ');
  const chunks = Array.from({ length: CHUNKS }, (_, ordinal) => ({
    ...scope,
    id: uuid(),
    documentId,
    ordinal,
    sourceHash: randomUUID(),
    ...times,
    content: `${drawText()} everywhere`,
    contentComplement: '',
    keywords: '{}',
    metadata: '{}',
  }));
  await db
    .insertInto('chunks')
    .values(chunks as never)
    .execute();
  const edited = chunks.map(({ id }) => id);
  await writeChunkChanges(db, { tenantId: scope.tenantId, documentId, edited });
}

const readTerms = () =>
  client.db
    .selectFrom('chunkTerms')
    .select(['chunkId as id', 'terms as tokens'])
    .orderBy('chunkId')
    .execute();

async function search(text: string, limit: number, { db } = client) {
  const index = createMeilisearchEngine({ db, server, postgres: createPostgresEngine({ db }) });
  const query = { ...scope, datasetIds: ['set'], text, language: 'english' as const, limit };
  const { candidates, mode: _, ...found } = await index.search(query);
  return { ...found, found: candidates.map(({ chunkId }) => chunkId) };
}

/** A question whose best chunks are singled out by one word, and which matches all others, too. */
async function askForSomeFirst(): Promise<string> {
  const holders = new Map<string, number>();
  for (const { tokens } of await readTerms()) {
    for (const term of new Set(tokens.split(' '))) holders.set(term, (holders.get(term) ?? 0) + 1);
  }
  const [word] = [...holders].find(([, count]) => count > 50 && count < 150) ?? [];
  return `${word} everywhere`;
}

test('hold the best ten', async () => {
  const exhaustive = createExhaustiveSearch(await readTerms());
  const questions = Array.from({ length: 40 }, () =>
    Array.from({ length: random.between(4, 12) }, random.word).join(' '),
  );
  let overlap = 0;
  for (const text of questions) {
    const { found } = await search(text, 10);
    overlap += overlapAt10(found, exhaustive(text, 'english')) / questions.length;
  }
  expect(overlap).toBeGreaterThanOrEqual(0.98);
});

test('hold the best ten of what mistyped words may mean', async () => {
  const postgres = createPostgresEngine(client);
  const swapLetters = (word: string) => word.slice(0, 2) + word[3] + word[2] + word.slice(4);
  const questions = Array.from({ length: 20 }, () => {
    const words = Array.from({ length: 5 }, random.word);
    return words.map((word, i) => (i < 2 && word.length > 4 ? swapLetters(word) : word)).join(' ');
  });
  let overlap = 0;
  let corrected = 0;
  for (const text of questions) {
    const query = { ...scope, datasetIds: ['set'], text, language: 'english' as const, limit: 10 };
    const expected = await postgres.search(query);
    const { engine, found, corrections } = await search(text, 10);
    expect([engine, corrections]).toEqual(['meilisearch', expected.corrections]);
    if (corrections) corrected++;
    const best = expected.candidates.map(({ chunkId, score }) => ({ id: chunkId, score }));
    overlap += overlapAt10(found, best) / questions.length;
  }
  expect(corrected).toBeGreaterThan(10);
  expect(overlap).toBeGreaterThanOrEqual(0.98);
});

test('are not all matches where there are more than are ranked', async () => {
  const text = await askForSomeFirst();
  expect(await search(text, 10)).toMatchObject({ engine: 'meilisearch', isTruncated: true });
  const { engine, found, isTruncated } = await search(text, CHUNKS);
  expect([engine, found.length, isTruncated]).toEqual(['meilisearch', CHUNKS, false]);
});

test.each([
  ['of a frequent word alone', 'everywhere'],
  ['of many words', Array.from({ length: 40 }, random.word).join(' ')],
])('come from the postings for a question %s', async (_, text) => {
  const exhaustive = createExhaustiveSearch(await readTerms());
  const { engine, found } = await search(text, 10);
  expect(engine).toBe('postgres');
  expect(overlapAt10(found, exhaustive(text, 'english'))).toBe(1);
});

test('come from the postings while many changes are not merged', async () => {
  const { db } = client;
  const chunkIds = (await readTerms()).slice(0, 300).map(({ id }) => id);
  const { documentId } = await db.selectFrom('chunks').select('documentId').executeTakeFirstOrThrow();
  await writeChunkChanges(db, { tenantId: scope.tenantId, documentId, edited: chunkIds });
  const text = await askForSomeFirst();
  expect(await search(text, 10)).toMatchObject({ engine: 'postgres' });
  await mergeAll(db, scope.tenantId);
  expect(await search(text, 10)).toMatchObject({ engine: 'meilisearch' });
});

test('come from the postings while the index is far behind', async () => {
  const { db } = client;
  const text = await askForSomeFirst();
  const ids = Array.from({ length: 1_001 }, () => uuid());
  await db
    .insertInto('searchOutbox')
    .values(ids.map((chunkId) => ({ tenantId: scope.tenantId, chunkId })))
    .execute();
  expect(await search(text, 10)).toMatchObject({ engine: 'postgres' });
  await db.deleteFrom('searchOutbox').where('chunkId', 'in', ids).execute();
  expect(await search(text, 10)).toMatchObject({ engine: 'meilisearch' });
});

test('come from the postings where the database does not say in time what is not in the index yet', async () => {
  const searchClient = connectSearchDatabase(database.url, { max: 2 });
  try {
    const text = await askForSomeFirst();
    await client.db.transaction().execute(async (tx) => {
      await sql`lock table search_outbox in access exclusive mode`.execute(tx);
      expect(await search(text, 10, searchClient)).toMatchObject({ engine: 'postgres' });
    });
    expect(await search(text, 10, searchClient)).toMatchObject({ engine: 'meilisearch' });
  } finally {
    await searchClient.close();
  }
});

test('are as many as asked for, however many of the first are gone', async () => {
  const text = await askForSomeFirst();
  const gone = (await search(text, GONE)).found;
  await client.db.deleteFrom('chunkTerms').where('chunkId', 'in', gone).execute();
  const { engine, found } = await search(text, 10);
  expect([engine, found.length]).toEqual(['meilisearch', 10]);
  expect(gone).not.toEqual(expect.arrayContaining(found));
});
