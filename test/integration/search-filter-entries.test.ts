import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import { entriesOf, hashName, prefixRange, rangesOf } from '../../src/search/filter/entry.js';
import type { Comparison } from '../../src/search/filter/filter.js';
import { toJsonPath } from '../../src/search/filter/to-json-path.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

/* An index may find what does not pass, but never leave out what does. */

let database: TestDatabase;
let client: DatabaseClient;

beforeAll(async () => {
  database = await createTestDatabase();
  client = connectUnscoped(database.url, { max: 1 });
});
afterAll(async () => {
  await client?.close();
  await database?.drop();
});

const SEED = 20_261_126;
/** That often share a beginning, also one that is as long as an entry has of a string. */
const texts = fc
  .tuple(
    fc.constantFrom('', 'a', 'é', '\\x41', 'a\\', '中', '😀', 'x'.repeat(47), 'x'.repeat(48), 'é'.repeat(24)),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  )
  .map((parts) => parts.join('').replaceAll('\0', ''));
const numbers = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 5e-324, -5e-324, 1e-300, 1.7976931348623157e308, 0.1, 2 ** 53),
);
const scalars = fc.oneof(texts, numbers, fc.boolean());
const arrays = fc.oneof(
  fc.array(fc.oneof(scalars, fc.constant(null)), { maxLength: 4 }),
  numbers.map((one) => Array(65).fill(one)),
);
const stored = fc.oneof({ arbitrary: scalars, weight: 4 }, arrays, fc.constant({}), fc.constant(null));
/** As JSON, some of it with digits that no double has. */
const json = fc.oneof(
  { arbitrary: stored.map((value) => JSON.stringify(value)), weight: 4 },
  fc.constantFrom('1e400', '-1e400', '1e-400', '-1e-400', '9007199254740993', '0.1000000000000000000001'),
);
const comparisons: fc.Arbitrary<Comparison> = fc.oneof(
  fc.record({ type: fc.constantFrom('eq', 'contains'), key: fc.constant('a'), value: scalars }),
  fc.record({
    type: fc.constant('in'),
    key: fc.constant('a'),
    value: fc.array(scalars, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    type: fc.constantFrom('gt', 'gte', 'lt', 'lte'),
    key: fc.constant('a'),
    value: fc.oneof(texts, numbers),
  }),
  fc.record({ type: fc.constant('exists'), key: fc.constant('a'), value: fc.constant(true) }),
);

test('what passes a comparison has an entry in its ranges', async () => {
  const pairs = fc.sample(fc.tuple(json, comparisons), { numRuns: 4_000, seed: SEED });
  const { rows } = await sql<{ passes: boolean; entries: Buffer[] }>`
    select jsonb_path_match(properties, path::jsonpath) as passes,
      array(select property_entries(properties, null, null)) as entries
    from unnest(${pairs.map(([value]) => `{"a":${value}}`)}::jsonb[], ${pairs.map(([, one]) => toJsonPath([one]))}::text[])
      with ordinality as pair (properties, path, place)
    order by place
  `.execute(client.db);
  const name = 'customProperties.a';
  const lost = pairs.filter(([, comparison], i) => {
    const { passes, entries } = rows[i] as (typeof rows)[number];
    const ranges = rangesOf(comparison, name);
    const isIn = (entry: Buffer) =>
      ranges?.some(
        ({ least, most }) => Buffer.compare(entry, least) >= 0 && Buffer.compare(entry, most) <= 0,
      );
    return passes && ranges && !entries.some(isIn);
  });
  expect(lost).toEqual([]);
  expect(rows.filter(({ passes }) => passes).length).toBeGreaterThan(500);
});

test('the entries of a value are those that the database makes', async () => {
  const values = fc.sample(json, { numRuns: 2_000, seed: SEED });
  const { rows } = await sql<{ entries: Buffer[] }>`
    select array(select property_entries(jsonb_build_object('a', value), null, null)) as entries
    from unnest(${values}::jsonb[]) with ordinality as one (value, place) order by place
  `.execute(client.db);
  const head = hashName('customProperties.a');
  const inOrder = (entries: Buffer[]) => [...new Set(entries.map((one) => one.toString('hex')))].toSorted();
  expect(
    values.map((value) => inOrder(entriesOf(JSON.parse(value)).map((one) => Buffer.concat([head, one])))),
  ).toEqual(rows.map(({ entries }) => inOrder(entries)));
});

test('an address that begins with a prefix has an entry in its range', async () => {
  const pairs = fc.sample(fc.tuple(texts, texts), { numRuns: 2_000, seed: SEED });
  const { rows } = await sql<{ entries: Buffer[] }>`
    select array(select property_entries('{}', null, url)) as entries
    from unnest(${pairs.map(([url]) => url)}::text[]) with ordinality as one (url, place) order by place
  `.execute(client.db);
  const beginning = pairs.filter(([url, prefix]) => url.startsWith(prefix));
  expect(beginning.length).toBeGreaterThan(100);
  const lost = pairs.filter(([url, prefix], i) => {
    const { least, most } = prefixRange(prefix, 'document.url');
    const [entry] = rows[i]?.entries ?? [];
    return (
      url.startsWith(prefix) &&
      !(entry && Buffer.compare(entry, least) >= 0 && Buffer.compare(entry, most) <= 0)
    );
  });
  expect(lost).toEqual([]);
});
