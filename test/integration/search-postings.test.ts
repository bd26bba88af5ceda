import { type KyselyPlugin, RawNode, sql } from 'kysely';
import { pino } from 'pino';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createExhaustiveSearch, overlapAt10 } from '../../bench/support/exhaustive-bm25.js';
import { mergeAll as mergeAllOf } from '../../bench/support/merge-all.js';
import { createRandom } from '../../bench/support/random.js';
import type { DatabaseClient } from '../../db/client.js';
import { describeNew } from '../../src/derived-data/describe-documents.js';
import { replaceDatasets } from '../../src/derived-data/write-datasets.js';
import {
  reanalyzeStaleChunks,
  writeChunkChanges,
  writeDocumentChange,
} from '../../src/search/indexing/index-writer.js';
import { createPostgresEngine } from '../../src/search/postgres/engine.js';
import { findDue, mergeSegments } from '../../src/search/postgres/postings/merge.js';
import { startMergeWorker } from '../../src/search/postgres/postings/merge-worker.js';
import { moveChanges, readChunks } from '../../src/search/postgres/postings/move-chunks.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { waitFor } from '../support/wait-for.js';

/* The engine against one that scores every chunk, on a corpus of invented words. */

const random = createRandom(13);
const DATASETS = ['red', 'green', 'blue'];
const CHUNKS_OF_A_DOCUMENT = 10;

let database: TestDatabase;
let client: DatabaseClient;

beforeAll(async () => {
  database = await createTestDatabase();
  client = connectUnscoped(database.url, { max: 4 });
});
afterAll(async () => {
  await client?.close();
  await database?.drop();
});

/** A chunk that is in several of the datasets counts for each in the statistics: that shifts a few places. */
const SINGLE = DATASETS.map((datasetId) => [datasetId]);
const SEVERAL = [['green', 'blue'], DATASETS];

const drawText = () => Array.from({ length: random.between(20, 90) }, random.word).join(' ');

/** A tenant of its own with some documents. */
async function createTenant(documents: number) {
  const tenantId = uuid();
  const { db } = client;
  const engine = createPostgresEngine({ db });
  for (let i = 0; i < documents; i++) await addDocument(DATASETS.filter(() => random.next() < 0.5));

  async function addDocument(
    datasetIds: string[],
    texts = Array.from({ length: CHUNKS_OF_A_DOCUMENT }, drawText),
  ): Promise<string> {
    const place = { tenantId, tenantUnitId: 'unit' };
    const documentId = uuid();
    const now = new Date();
    const row = { documentType: 'UnstructuredFile', source: 'content', status: 'ready' } as const;
    const stored = await db
      .insertInto('documents')
      .values({ ...place, id: documentId, ...row, datasetIds, createdTime: now, updatedTime: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    await describeNew(db, tenantId, [stored]);
    const chunks = texts.map((content, ordinal) => ({
      ...place,
      id: uuid(),
      documentId,
      ordinal,
      sourceHash: '',
      content,
      contentComplement: '',
      keywords: '{}',
      metadata: '{}',
      createdTime: now,
      updatedTime: now,
    }));
    await db
      .insertInto('chunks')
      .values(chunks as never)
      .execute();
    await writeChunkChanges(db, { tenantId, documentId, edited: chunks.map(({ id }) => id) });
    return documentId;
  }

  const mergeAll = () => mergeAllOf(db, tenantId);

  const query = (text: string, datasetIds: string[], limit = 10, typos = false, isUnfinished = false) =>
    engine.search({
      tenantId,
      tenantUnitId: 'unit',
      datasetIds,
      text,
      language: 'english',
      limit,
      typos,
      isUnfinished,
    });

  /** What a search may find, by an exhaustive one. */
  async function exhaustive(datasetIds: string[]) {
    const { rows } = await sql<{ id: string; tokens: string }>`
      select c.id, t.terms as tokens
      from chunks as c
      join chunk_terms as t on t.tenant_id = ${tenantId} and t.chunk_id = c.id
      join documents as d on d.tenant_id = ${tenantId} and d.id = c.document_id and d.enabled
      where c.tenant_id = ${tenantId} and c.status = 'active' and not c.deleted and exists (
        select from document_datasets as s
        where s.tenant_id = ${tenantId} and s.document_id = c.document_id and s.dataset_id = any(${datasetIds}))
    `.execute(db);
    return createExhaustiveSearch(rows);
  }

  /** Mean overlap of the best ten over some questions. */
  async function measureOverlap(datasetChoices: string[][]): Promise<number> {
    let sum = 0;
    let questions = 0;
    for (const datasetIds of datasetChoices) {
      const search = await exhaustive(datasetIds);
      const visible = new Set<string>();
      for (let i = 0; i < 20; i++) {
        const text = Array.from({ length: random.between(1, 8) }, random.word).join(' ');
        // More than ten: what may not be found is dropped by the caller.
        const { candidates } = await query(text, datasetIds, 30);
        const expected = search(text, 'english');
        for (const { id } of expected) visible.add(id);
        const found = candidates.map(({ chunkId }) => chunkId).filter((id) => visible.has(id));
        sum += overlapAt10(found, expected);
        questions++;
      }
    }
    return sum / questions;
  }

  const segments = () =>
    db
      .selectFrom('postingSegments')
      .select(['datasetId', 'chunks', 'dead'])
      .where('tenantId', '=', tenantId)
      .orderBy('datasetId')
      .execute();

  return { tenantId, db, addDocument, mergeAll, query, measureOverlap, segments };
}

describe('the best ten', () => {
  test('are those of an exhaustive search, before and after the changes are merged', async () => {
    const tenant = await createTenant(60);
    expect(await tenant.segments()).toEqual([]);
    expect(await tenant.measureOverlap([...SINGLE, ...SEVERAL])).toBe(1);
    await tenant.mergeAll();
    expect((await tenant.segments()).length).toBeGreaterThanOrEqual(3);
    expect(await tenant.measureOverlap(SINGLE)).toBe(1);
    expect(await tenant.measureOverlap(SEVERAL)).toBeGreaterThan(0.93);
  });

  test('stay so while documents and chunks change', async () => {
    const { tenantId, db, addDocument, mergeAll, measureOverlap } = await createTenant(60);
    await mergeAll();
    const pickChunks = async (count: number) => {
      const { rows } = await sql<{ id: string; documentId: string }>`
        select id, document_id from chunks where tenant_id = ${tenantId} and not deleted order by random() limit ${count}
      `.execute(db);
      return rows;
    };
    for (let round = 0; round < 4; round++) {
      for (const { id, documentId } of await pickChunks(15)) {
        await db.updateTable('chunks').set({ content: drawText() }).where('id', '=', id).execute();
        await writeChunkChanges(db, { tenantId, documentId, edited: [id] });
      }
      for (const { id, documentId } of await pickChunks(15)) {
        const status = random.oneOf(['active', 'inactive'] as const);
        await db.updateTable('chunks').set({ status }).where('id', '=', id).execute();
        await writeChunkChanges(db, { tenantId, documentId, switched: [id] });
      }
      for (const { id, documentId } of await pickChunks(15)) {
        await db.updateTable('chunks').set({ deleted: true }).where('id', '=', id).execute();
        await writeChunkChanges(db, { tenantId, documentId, removed: [id] });
      }
      for (const { documentId } of await pickChunks(6)) {
        await db
          .updateTable('documents')
          .set({ enabled: random.next() < 0.5 })
          .where('id', '=', documentId)
          .execute();
        await writeDocumentChange(db, { tenantId, documentId });
      }
      for (const { documentId } of await pickChunks(6)) {
        const datasetIds = [random.oneOf(DATASETS)];
        await db.updateTable('documents').set({ datasetIds }).where('id', '=', documentId).execute();
        await replaceDatasets(db, { tenantId, documentIds: [documentId] });
        await writeDocumentChange(db, { tenantId, documentId });
      }
      await addDocument(['red', 'blue']);
      // Statistics count a changed chunk twice until its old segment is rewritten.
      expect(await measureOverlap([...SINGLE, ...SEVERAL])).toBeGreaterThan(0.9);
      await mergeAll();
      expect(await measureOverlap(SINGLE)).toBe(1);
      expect(await measureOverlap(SEVERAL)).toBeGreaterThan(0.93);
    }
  });
});

describe('segments', () => {
  test('hold each chunk once for each of its datasets, and none that may not be found', async () => {
    const { tenantId, db, addDocument, mergeAll, segments } = await createTenant(0);
    const kept = await addDocument(['red', 'blue']);
    const gone = await addDocument(['red']);
    const disabled = await addDocument(['blue']);
    await addDocument([]);
    await mergeAll();
    expect(await segments()).toEqual([
      { datasetId: 'blue', chunks: 20, dead: 0 },
      { datasetId: 'red', chunks: 20, dead: 0 },
    ]);
    await writeDocumentChange(db, { tenantId, documentId: kept });
    await mergeAll();
    const { rows: removed } = await sql<{ id: string }>`
      delete from chunks where document_id = ${gone} returning id`.execute(db);
    await writeChunkChanges(db, { tenantId, documentId: gone, removed: removed.map(({ id }) => id) });
    await db.deleteFrom('documents').where('id', '=', gone).execute();
    await db.updateTable('documents').set({ enabled: false }).where('id', '=', disabled).execute();
    await writeDocumentChange(db, { tenantId, documentId: disabled });
    await mergeAll();
    expect(await segments()).toEqual([
      { datasetId: 'blue', chunks: 10, dead: 0 },
      { datasetId: 'red', chunks: 10, dead: 0 },
    ]);
    expect(await db.selectFrom('postingSegmentDocuments').select('documentId').execute()).not.toContainEqual({
      documentId: gone,
    });
    await db.updateTable('documents').set({ enabled: false }).where('tenantId', '=', tenantId).execute();
    await writeDocumentChange(db, { tenantId, documentId: kept });
    await mergeAll();
    expect(await segments()).toEqual([]);
    const { rows } = await sql`select from posting_lists where tenant_id = ${tenantId}`.execute(db);
    expect(rows).toEqual([]);
  });

  test('are merged by one process at a time, and nothing is lost when several try', async () => {
    const { tenantId, db, segments } = await createTenant(40);
    await Promise.all(Array.from({ length: 3 }, () => mergeAllOf(db, tenantId)));
    const { rows } = await sql<{ datasetId: string; chunks: number }>`
      select s.dataset_id, count(*) as chunks from document_datasets as s join chunks as c using (tenant_id, document_id)
      where s.tenant_id = ${tenantId} group by s.dataset_id order by s.dataset_id
    `.execute(db);
    expect(await segments()).toEqual(rows.map((row) => ({ ...row, dead: 0 })));
  });

  test('may be merged while a search goes on', async () => {
    const { tenantId, db, addDocument, query, mergeAll } = await createTenant(0);
    const first = await addDocument(['red']);
    await db.updateTable('chunks').set({ content: 'pelican' }).where('documentId', '=', first).execute();
    const { rows } = await sql<{
      id: string;
    }>`select id from chunks where document_id = ${first} order by id`.execute(db);
    const ids = rows.map(({ id }) => id);
    await writeChunkChanges(db, { tenantId, documentId: first, edited: ids });
    let isOver = false;
    const churn = (async () => {
      for (let i = 0; i < 25; i++) {
        await addDocument(['red']);
        await mergeAll();
      }
      isOver = true;
    })();
    while (!isOver) {
      const { candidates } = await query('pelican', ['red']);
      expect(candidates.map(({ chunkId }) => chunkId).sort()).toEqual(ids);
    }
    await churn;
  });

  test('may be merged between the statements of a suggestion', async () => {
    const { tenantId, db, addDocument, mergeAll } = await createTenant(0);
    await addDocument(['red'], ['pelican']);
    const ofWords = new WeakSet<object>();
    const mergeAfterWords: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        const isOfWords =
          RawNode.is(node) && node.sqlFragments.some((text) => text.includes('posting_words'));
        if (isOfWords) ofWords.add(queryId);
        return node;
      },
      async transformResult({ result, queryId }) {
        if (ofWords.has(queryId)) await mergeAll();
        return result;
      },
    };
    const found = await createPostgresEngine({ db: db.withPlugin(mergeAfterWords) }).search({
      tenantId,
      tenantUnitId: 'unit',
      datasetIds: ['red'],
      text: 'pelic',
      language: 'english',
      limit: 10,
      isUnfinished: true,
    });
    expect(found.completions).toEqual([{ word: 'pelican', text: 'pelican' }]);
    expect(found.candidates).toHaveLength(1);
  });
});

test('mistyped words are found before and after the changes are merged', async () => {
  const { addDocument, query, mergeAll } = await createTenant(0);
  await addDocument(['red'], ['Every return costs the postage.']);
  const correct = async () => {
    const asked = ['everyreturn', 'post age', 'retrun'];
    const found = await Promise.all(asked.map((text) => query(text, ['red'], 10, true)));
    return found.map(({ didYouMean, candidates }) => [didYouMean, candidates.length]);
  };
  const expected = [
    ['every return', 1],
    ['postage', 1],
    ['return', 1],
  ];
  expect(await correct()).toEqual(expected);
  await mergeAll();
  expect(await correct()).toEqual(expected);
});

describe('words of chunks that a search may no longer find', () => {
  const WORD = 'quodlibetania';
  /** A segment that is too large to be rewritten with each change, and a document in it whose word it keeps. */
  async function createLarge(others: string[] = []) {
    const tenant = await createTenant(0);
    const documentId = await tenant.addDocument(['red'], [`${WORD} rests.`, `${WORD} stays.`]);
    await tenant.addDocument(['red'], [others.join(' ')]);
    await tenant.addDocument(
      ['red'],
      Array.from({ length: 100 }, () => Array.from({ length: 700 }, random.word).join(' ')),
    );
    await tenant.mergeAll();
    const { db, tenantId } = tenant;
    const correct = async () => {
      const { corrections } = await tenant.query('quodlibetanie', ['red'], 10, true);
      return corrections?.flatMap(({ instead }) => instead);
    };
    const readWords = async () => {
      const { rows } = await sql<{ words: string }>`
        select words from posting_words where tenant_id = ${tenantId} and words like ${`%${WORD}%`}`.execute(
        db,
      );
      return rows;
    };
    if (others.length === 0) expect(await correct()).toEqual([WORD]);
    return { ...tenant, documentId, correct, readWords };
  }
  type Large = Awaited<ReturnType<typeof createLarge>>;

  const disable = async ({ db, documentId }: Large) =>
    db.updateTable('documents').set({ enabled: false }).where('id', '=', documentId).execute();

  test.each([
    ['was disabled', disable],
    [
      'was moved',
      async ({ db, tenantId, documentId }: Large) => {
        const moved = db.updateTable('documents').set({ datasetIds: ['blue'] });
        await moved.where('id', '=', documentId).execute();
        await replaceDatasets(db, { tenantId, documentIds: [documentId] });
      },
    ],
    [
      'was edited',
      async ({ db, tenantId, documentId }: Large) => {
        const edit = db
          .updateTable('chunks')
          .set({ content: 'It rests.' })
          .where('documentId', '=', documentId);
        const edited = await edit.returning('id').execute();
        await writeChunkChanges(db, { tenantId, documentId, edited: edited.map(({ id }) => id) });
      },
    ],
  ])('correct nothing: its document %s', async (_name, change) => {
    const tenant = await createLarge();
    await change(tenant);
    await writeDocumentChange(tenant.db, tenant);
    expect(await tenant.correct()).toBeUndefined();
    await tenant.mergeAll();
    expect(await tenant.readWords()).not.toEqual([]);
    expect(await tenant.correct()).toBeUndefined();
  });

  test('take the place of no other word', async () => {
    const ends = Array.from('bcdfghijklmnopqrtvwx', (letter) => `quodlibetani${letter}`);
    const tenant = await createLarge(ends);
    const complete = async () => {
      const { completions } = await tenant.query('quodlibetani', ['red'], 10, true, true);
      return completions?.map(({ word }) => word);
    };
    expect([await tenant.correct(), await complete()]).toEqual([
      [WORD, 'quodlibetanib', 'quodlibetanic'],
      [WORD, ...ends.slice(0, 19)],
    ]);
    const expected = [['quodlibetanib', 'quodlibetanic', 'quodlibetanid'], ends.slice(0, 20)];
    await disable(tenant);
    await writeDocumentChange(tenant.db, tenant);
    expect([await tenant.correct(), await complete()]).toEqual(expected);
    await tenant.mergeAll();
    expect(await tenant.readWords()).not.toEqual([]);
    expect([await tenant.correct(), await complete()]).toEqual(expected);
  });

  test('are gone after a day', async () => {
    const tenant = await createLarge();
    const { db, tenantId, mergeAll, readWords } = tenant;
    await disable(tenant);
    await writeDocumentChange(db, tenant);
    await mergeAll();
    expect(await findDue(db)).toEqual([]);
    await sql`
      update posting_segments set dead_since = now() - interval '25 hours'
      where tenant_id = ${tenantId} and dead_since is not null
    `.execute(db);
    const due = await findDue(db);
    expect(due).toEqual([{ tenantId, tenantUnitId: 'unit', datasetId: 'red' }]);
    for (const dataset of due) await mergeSegments(db, dataset, { read: readChunks });
    expect(await findDue(db)).toEqual([]);
    expect(await readWords()).toEqual([]);
  });
});

test('a process that ends between counting dead chunks and merging leaves the merge to another one', async () => {
  const { db, tenantId, addDocument, mergeAll, segments } = await createTenant(0);
  const documentId = await addDocument(['red']);
  await mergeAll();
  await db.updateTable('documents').set({ enabled: false }).where('id', '=', documentId).execute();
  await writeDocumentChange(db, { tenantId, documentId });
  await moveChanges(db, tenantId);
  expect(await segments()).toEqual([{ datasetId: 'red', chunks: 10, dead: 10 }]);
  const worker = startMergeWorker({ db, log: pino({ level: 'silent' }) });
  await waitFor(async () => (await segments()).length === 0, { what: 'the segment to be rewritten' });
  await worker.stop();
});

test('posting lists are read once, and again where their segment is another one', async () => {
  const { db, tenantId, addDocument, mergeAll, query } = await createTenant(0);
  const word = 'quodlibet';
  const write = async (first: string) => {
    const texts = Array.from({ length: 9_000 }, (_, i) => (i === 0 ? `${first} ${word}` : word));
    for (let i = 0; i < texts.length; i += 3_000) await addDocument(['red'], texts.slice(i, i + 3_000));
    await mergeAll();
  };
  const sizes: number[] = [];
  const watched = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      for (const row of result.rows)
        if (row.kind === 'list') sizes.push((row.bytes as Buffer | null)?.length ?? 0);
      return result;
    },
  });
  const engine = createPostgresEngine({ db: watched });
  const search = async (text: string) => {
    sizes.length = 0;
    const { candidates } = await engine.search({
      tenantId,
      tenantUnitId: 'unit',
      datasetIds: ['red'],
      text,
      language: 'english',
      limit: 5,
      typos: false,
    });
    return { found: candidates.length, longest: Math.max(...sizes) };
  };
  await write('wombat');
  const first = await search(word);
  expect(first).toEqual({ found: 5, longest: expect.any(Number) });
  expect(first.longest).toBeGreaterThan(4_096);
  expect(await search(word)).toEqual({ found: 5, longest: 0 });
  await write('numbat');
  expect((await search(word)).longest).toBeGreaterThan(first.longest);
  expect((await search(word)).longest).toBe(0);
  expect((await search(`numbat ${word}`)).found).toBe(5);
  expect((await query(`numbat ${word}`, ['red'], 1)).candidates).toEqual(
    (
      await engine.search({
        tenantId,
        tenantUnitId: 'unit',
        datasetIds: ['red'],
        text: `numbat ${word}`,
        language: 'english',
        limit: 1,
        typos: false,
      })
    ).candidates,
  );
});

test('a search with more changes than it reads says that it is truncated', async () => {
  const { tenantId, db, addDocument, query, mergeAll } = await createTenant(0);
  const documentId = await addDocument(['red']);
  await sql`
    insert into chunks (id, tenant_id, tenant_unit_id, document_id, ordinal, source_hash, content, content_complement,
      keywords, metadata, created_time, updated_time)
    select gen_random_uuid()::text, ${tenantId}, 'unit', ${documentId}, n, '', 'pelican', '', '{}', '{}', now(), now()
    from generate_series(101, 5100) as n
  `.execute(db);
  await sql`
    insert into chunk_terms (chunk_id, tenant_id, analyzer, length, terms)
    select id, tenant_id, 2, 1, 'pelican' from chunks
    where tenant_id = ${tenantId} and document_id = ${documentId} and ordinal > 100
  `.execute(db);
  await writeDocumentChange(db, { tenantId, documentId });
  const before = await query('pelican', ['red']);
  expect(before).toMatchObject({ isTruncated: true });
  expect(before.candidates).toHaveLength(10);
  await mergeAll();
  const after = await query('pelican', ['red']);
  expect(after).toMatchObject({ isTruncated: false });
  expect(after.candidates).toHaveLength(10);
});

test('chunks whose terms are of an older analyzer version are analyzed again, and then found', async () => {
  const { tenantId, db, addDocument, query, mergeAll } = await createTenant(0);
  const documentId = await addDocument(['red']);
  await db
    .updateTable('chunks')
    .set({ content: 'Pelicans rest.' })
    .where('documentId', '=', documentId)
    .execute();
  await sql`update chunk_terms set analyzer = 0, length = 0, terms = '' where tenant_id = ${tenantId}`.execute(
    db,
  );
  await mergeAll();
  expect((await query('pelican', ['red'])).candidates).toEqual([]);
  await reanalyzeStaleChunks(db);
  expect((await query('pelican', ['red'])).candidates).toHaveLength(10);
  await mergeAll();
  expect((await query('pelican', ['red'])).candidates).toHaveLength(10);
});

test('long chunks of a script without spaces are indexed in steps, with other work in between', async () => {
  const { addDocument, mergeAll, query } = await createTenant(0);
  await addDocument(['red'], Array(100).fill('กข'.repeat(16_384)));
  expect(await longestTurn(mergeAll)).toBeLessThan(400);
  const { candidates } = await query('กข', ['red'], 100);
  expect(candidates).toHaveLength(100);
});

/** Most CPU time that the process took before a timer that was due could run, in milliseconds. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.cpuUsage();
  }, 1);
  await work();
  clearInterval(timer);
  return longest;
}
