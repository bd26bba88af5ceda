import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DATASETS, makeCorpus, TENANT, UNITS } from '../../bench/support/corpus.js';
import { createExhaustiveSearch, overlapAt10 } from '../../bench/support/exhaustive-bm25.js';
import { mergeAll } from '../../bench/support/merge-all.js';
import { spell } from '../../bench/support/words.js';
import type { DatabaseClient } from '../../db/client.js';
import { fillOrdinals } from '../../db/migrations/0043-search-filters.js';
import { connectSearchDatabase } from '../../src/compose/search-database.js';
import { passing } from '../../src/search/filter/condition.js';
import type { Filter } from '../../src/search/filter/filter.js';
import { createPostgresEngine } from '../../src/search/postgres/engine.js';
import { describeSegment, findUndescribed } from '../../src/search/postgres/postings/describe-segments.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

/* However the engine finds what passes a filter, against a search that scores every chunk. */

const CHUNKS = 4_000;
/** The last document in all datasets, and the chunk with a mark. */
const LAST = CHUNKS / 20 - 1;
const MARK = 777;
/** When a few documents were made. */
const OLD = '2020-05-05T05:05:05.000500Z';
/** Words that nearly all chunks have, so that few of the best ones pass. */
const FREQUENT = [1, 2, 3].map(spell).join(' ');
const RARER = [40, 300, 2_000].map(spell).join(' ');

let database: TestDatabase;
let client: DatabaseClient;
let searchClient: DatabaseClient;
let exhaustive: ReturnType<typeof createExhaustiveSearch>;
let chunks: {
  id: string;
  tokens: string;
  half: number;
  hundredth: number;
  number: number;
  place: number;
  mark: number | null;
}[];

beforeAll(async () => {
  database = await createTestDatabase();
  client = connectUnscoped(database.url, { max: 2 });
  searchClient = connectSearchDatabase(database.url, {
    max: 2,
    // On a busy machine.
    statementTimeoutMs: 30_000,
    onError: () => {},
  });
  await makeCorpus(client.db, { chunks: CHUNKS, neighbours: 1, onProgress: () => {} });
  await sql`
    update chunks set metadata = metadata || jsonb_build_object('mark', ${MARK}::integer)
    where tenant_id = ${TENANT} and id = (
      select chunk_id from chunk_terms where tenant_id = ${TENANT} and ' ' || terms || ' ' like ${`% ${spell(1)} %`}
      order by chunk_id offset 2000 limit 1)
  `.execute(client.db);
  await sql`
    update documents set document_type = 'Rare', created_time = ${OLD}::timestamptz
    where tenant_id = ${TENANT} and custom_properties ->> 'number' in ('3', '4')
  `.execute(client.db);
  await mergeAll(client.db, TENANT);
  const { rows } = await sql<(typeof chunks)[number]>`
    select c.id, t.terms as tokens, (d.custom_properties ->> 'half')::integer as half,
      (d.custom_properties ->> 'hundredth')::integer as hundredth,
      (d.custom_properties ->> 'number')::integer as number, (c.metadata ->> 'mark')::integer as mark,
      (c.metadata ->> 'number')::integer as place
    from chunks as c
    join chunk_terms as t on t.tenant_id = c.tenant_id and t.chunk_id = c.id
    join documents as d on d.tenant_id = c.tenant_id and d.id = c.document_id
    where c.tenant_id = ${TENANT}
  `.execute(client.db);
  chunks = rows;
  exhaustive = createExhaustiveSearch(chunks);
}, 300_000);
afterAll(async () => {
  await client?.close();
  await searchClient?.close();
  await database?.drop();
});

type Chunk = (typeof chunks)[number];
const isOld = ({ number }: Chunk) => number === 3 || number === 4;
const CASES: [name: string, filter: Filter, passes: (chunk: Chunk) => boolean][] = [
  ['many documents by index', { type: 'eq', key: 'half', value: 1 }, ({ half }) => half === 1],
  ['some by index', { type: 'eq', key: 'hundredth', value: 7 }, ({ hundredth }) => hundredth === 7],
  ['one by index', { type: 'eq', key: 'number', value: LAST }, ({ number }) => number === LAST],
  ['many without an index', { type: 'lt', key: 'hundredth', value: 30 }, ({ hundredth }) => hundredth < 30],
  [
    'some without an index',
    { type: 'gt', key: 'number', value: LAST - 15 },
    ({ number }) => number > LAST - 15,
  ],
  ['one without an index', { type: 'gte', key: 'number', value: LAST }, ({ number }) => number === LAST],
  ['none', { type: 'gt', key: 'number', value: LAST }, () => false],
  ['some by their type', { type: 'eq', key: 'document.type', value: 'Rare' }, isOld],
  [
    'some by when they were made',
    {
      type: 'and',
      filters: [
        { type: 'gte', key: 'document.createdTime', value: '2020-05-05T07:05:05+02:00' },
        { type: 'lte', key: 'document.createdTime', value: '2020-05-05T05:05:05Z' },
      ],
    },
    isOld,
  ],
  [
    'some that are not newer',
    { type: 'lt', key: 'document.createdTime', value: '2021-01-01T00:00:00Z' },
    isOld,
  ],
  [
    'some by when they were made, or by a property',
    {
      type: 'or',
      filters: [
        { type: 'eq', key: 'document.createdTime', value: '2020-05-05T05:05:05Z' },
        { type: 'eq', key: 'number', value: LAST },
      ],
    },
    (chunk) => isOld(chunk) || chunk.number === LAST,
  ],
  [
    'a document or a chunk',
    {
      type: 'or',
      filters: [
        { type: 'eq', key: 'metadata.mark', value: MARK },
        { type: 'eq', key: 'number', value: LAST },
      ],
    },
    ({ mark, number }) => mark === MARK || number === LAST,
  ],
  [
    'what is not among the others',
    {
      type: 'not',
      filter: {
        type: 'or',
        filters: [
          { type: 'gte', key: 'number', value: 2 },
          { type: 'exists', key: 'gone', value: true },
        ],
      },
    },
    ({ number }) => number < 2,
  ],
  [
    'one chunk by its metadata',
    { type: 'eq', key: 'metadata.mark', value: MARK },
    ({ mark }) => mark === MARK,
  ],
  [
    'documents by index and a chunk by its metadata',
    {
      type: 'and',
      filters: [
        { type: 'in', key: 'half', value: [0, 1] },
        { type: 'exists', key: 'metadata.mark', value: true },
      ],
    },
    ({ mark }) => mark !== null,
  ],
  [
    'some chunks by their metadata',
    {
      type: 'and',
      filters: [
        { type: 'gte', key: 'metadata.number', value: 1_000 },
        { type: 'lt', key: 'metadata.number', value: 1_400 },
        { type: 'in', key: 'metadata.page_number', value: [3, 4, 5] },
      ],
    },
    ({ place }) => place >= 1_000 && place < 1_400 && [2, 3, 4].includes(place % 20),
  ],
  [
    'documents by a range and chunks by their metadata',
    {
      type: 'and',
      filters: [
        { type: 'gt', key: 'number', value: LAST - 40 },
        { type: 'eq', key: 'metadata.half', value: 1 },
      ],
    },
    ({ number, place }) => number > LAST - 40 && place % 2 === 1,
  ],
  [
    'documents without an index and chunks by their metadata',
    {
      type: 'and',
      filters: [
        { type: 'ne', key: 'half', value: 1 },
        { type: 'lt', key: 'metadata.number', value: 300 },
      ],
    },
    ({ half, place }) => half !== 1 && place < 300,
  ],
  [
    'all but the metadata of one',
    { type: 'ne', key: 'metadata.mark', value: MARK },
    ({ mark }) => mark === null,
  ],
];

const search = (text: string, filter: Filter | undefined, limit: number) =>
  createPostgresEngine({ db: searchClient.db }).search({
    tenantId: TENANT,
    tenantUnitId: [UNITS.main, UNITS.small],
    datasetIds: DATASETS,
    text,
    language: 'english',
    limit,
    typos: false,
    filter,
  });

/** Passing chunks among those that a search of all finds, best first. */
function expectedOf(text: string, passes: (chunk: Chunk) => boolean) {
  const passing = new Set(chunks.filter(passes).map(({ id }) => id));
  return exhaustive(text, 'english').filter(({ id }) => passing.has(id));
}

describe.each([
  ['frequent words', FREQUENT],
  ['rarer words', RARER],
])('%s', (_name, text) => {
  test.each(CASES)('find all that passes: %s', async (_name, filter, passes) => {
    const expected = expectedOf(text, passes);
    for (const limit of [10, 100]) {
      const { candidates, isTruncated, engine } = await search(text, filter, limit);
      const ids = candidates.map(({ chunkId }) => chunkId);
      expect({ engine, isTruncated, count: ids.length }).toEqual({
        engine: 'postgres',
        isTruncated: false,
        count: Math.min(limit, expected.length),
      });
      const known = new Set(expected.map(({ id }) => id));
      expect(ids.filter((id) => !known.has(id))).toEqual([]);
      // Of frequent words, the pairs decide: which chunks are ranked by them is a choice without pairs.
      if (text === RARER) expect(overlapAt10(ids, expected)).toBe(1);
    }
  });

  test.each(CASES)('find as many while chunks have changed: %s', async (_name, filter, passes) => {
    const { rows: changed } = await sql<{ tenantId: string; documentId: string; chunkIds: string[] }>`
      select tenant_id, document_id, array_agg(id::text) as chunk_ids from chunks
      where tenant_id = ${TENANT} and document_id in (
        select id from documents where tenant_id = ${TENANT} order by id desc limit 60)
      group by tenant_id, document_id
    `.execute(client.db);
    await client.db.insertInto('postingChanges').values(changed).execute();
    const expected = expectedOf(text, passes);
    const { candidates, isTruncated } = await search(text, filter, 50);
    await sql`delete from posting_changes where tenant_id = ${TENANT}`.execute(client.db);
    const known = new Set(expected.map(({ id }) => id));
    expect(candidates.filter(({ chunkId }) => !known.has(chunkId))).toEqual([]);
    expect({ isTruncated, count: candidates.length }).toEqual({
      isTruncated: false,
      count: Math.min(50, expected.length),
    });
  });
});

test('a filter changes no score', async () => {
  const all = await search(RARER, undefined, 500);
  const scores = new Map(all.candidates.map(({ chunkId, score }) => [chunkId, score]));
  for (const [, filter] of CASES) {
    const { candidates } = await search(RARER, filter, 20);
    for (const { chunkId, score } of candidates) expect(score).toBe(scores.get(chunkId) ?? score);
  }
});

describe('a random filter finds what a look at every chunk finds', () => {
  const ranked: Record<string, { id: string }[]> = {};
  beforeAll(() => {
    for (const text of [FREQUENT, RARER]) ranked[text] = exhaustive(text, 'english');
  });

  const numbers = fc.integer({ min: -1, max: LAST + 2 });
  const key = fc.constantFrom(
    'half',
    'hundredth',
    'number',
    'metadata.half',
    'metadata.hundredth',
    'metadata.number',
    'metadata.page_number',
    'metadata.mark',
    'metadata.headings',
  );
  const texts = fc.record({
    type: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains'),
    key: fc.constantFrom('document.name', 'metadata.filename', 'metadata.char_start'),
    value: fc.constantFrom('Document 17', 'Document 9', 'document-12.txt', 'document-13', ''),
  });
  const comparison = fc.oneof(
    fc.record({
      type: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains'),
      key,
      value: numbers,
    }),
    fc.record({
      type: fc.constantFrom('in', 'nin'),
      key,
      value: fc.array(numbers, { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ type: fc.constant('exists'), key, value: fc.boolean() }),
    texts,
  );
  const { tree } = fc.letrec<{ tree: Filter }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      comparison as fc.Arbitrary<Filter>,
      fc.record({
        type: fc.constantFrom('and', 'or'),
        filters: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
      }) as fc.Arbitrary<Filter>,
      fc.record({ type: fc.constant('not'), filter: tie('tree') }) as fc.Arbitrary<Filter>,
    ),
  }));
  const filters = fc.sample(tree, { numRuns: 80, seed: 20_261_126 });

  test.each(filters.map((filter) => ({ filter, name: JSON.stringify(filter) })))(
    '$name',
    async ({ filter }) => {
      const { rows } = await sql<{ id: string }>`
      select asked.id from unnest(${chunks.map(({ id }) => id)}::text[]) as asked (id)
      ${passing({ tenantId: TENANT, filter }, sql`asked.id`)}
    `.execute(client.db);
      const left = new Set(rows.map(({ id }) => id));
      for (const [text, results] of Object.entries(ranked)) {
        const expected = results.filter(({ id }) => left.has(id));
        const { candidates, isTruncated } = await search(text, filter, 30);
        const ids = candidates.map(({ chunkId }) => chunkId);
        expect({ isTruncated, count: ids.length, wrong: ids.filter((id) => !left.has(id)) }).toEqual({
          isTruncated: false,
          count: Math.min(30, expected.length),
          wrong: [],
        });
      }
    },
  );
});

test('segments of a former release do not say which metadata chunks have, until they are described in the background', async () => {
  const read = async () => {
    const { rows } = await sql`
      select segment_id, first_entry, entries from posting_segment_metadata
      where tenant_id = ${TENANT} order by segment_id, first_entry
    `.execute(client.db);
    return rows;
  };
  const filter: Filter = { type: 'lt', key: 'metadata.number', value: 300 };
  const before = { rows: await read(), found: await search(RARER, filter, 100) };
  expect(before.rows.length).toBeGreaterThan(100);
  await sql`delete from posting_segment_metadata where tenant_id = ${TENANT}`.execute(client.db);
  await sql`update posting_segments set has_metadata = null where tenant_id = ${TENANT}`.execute(client.db);
  expect(await search(RARER, filter, 100)).toEqual(before.found);
  for (const segment of await findUndescribed(client.db)) await describeSegment(client.db, segment);
  expect(await findUndescribed(client.db)).toEqual([]);
  expect({ rows: await read(), found: await search(RARER, filter, 100) }).toEqual(before);
});

test('a chunk with more metadata than is indexed is found without an index', async () => {
  const [one] = chunks;
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`key${i}`, i]));
  await sql`
    update chunks set metadata = metadata || ${JSON.stringify(many)}::jsonb
    where tenant_id = ${TENANT} and id = ${one?.id}
  `.execute(client.db);
  await sql`update posting_segments set has_metadata = null where tenant_id = ${TENANT}`.execute(client.db);
  await sql`delete from posting_segment_metadata where tenant_id = ${TENANT}`.execute(client.db);
  for (const segment of await findUndescribed(client.db)) await describeSegment(client.db, segment);
  const text = one?.tokens.split(' ').slice(0, 3).join(' ') ?? '';
  const { candidates } = await search(text, { type: 'eq', key: 'metadata.key69', value: 69 }, 10);
  expect(candidates.map(({ chunkId }) => chunkId)).toEqual([one?.id]);
});

test('segments of a former release do not say where the chunks of documents are, until the migration has been there', async () => {
  const read = async () => {
    const { rows } = await sql`
      select document_id, segment_id, ordinals from posting_segment_documents
      where tenant_id = ${TENANT} order by document_id, segment_id
    `.execute(client.db);
    return rows;
  };
  const filter: Filter = { type: 'gt', key: 'number', value: LAST - 15 };
  const before = { rows: await read(), found: await search(RARER, filter, 100) };
  await sql`update posting_segment_documents set ordinals = null where tenant_id = ${TENANT}`.execute(
    client.db,
  );
  expect(await search(RARER, { type: 'eq', key: 'half', value: 1 }, 10)).toMatchObject({
    isTruncated: false,
    candidates: { length: 10 },
  });
  await fillOrdinals(client.db);
  expect({ rows: await read(), found: await search(RARER, filter, 100) }).toEqual(before);
});
