import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type DatabaseClient } from '../../db/client.js';
import type { Database } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let client: DatabaseClient;
let all: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  client = connectDatabase(database.url, { max: 1 });
  all = unscoped(client.db, 'The statements read no table.');
});

afterAll(async () => {
  await client?.close();
  await database?.drop();
});

const VALUES = sql<object>`
  select 'text' as a_text, null::text as no_text, 9007199254740991::bigint as a_count, null::bigint as no_count,
    true as is_true, 1.5::float8 as a_ratio, '{"snake_case": [1, null]}'::jsonb as some_json, array['x', null] as some_texts,
    '\\x00ff'::bytea as some_bytes, '2026-04-07 08:09:10.123999+02'::timestamptz as a_time,
    '2026-04-07 06:00:00+00'::timestamptz as whole_seconds, 'infinity'::timestamptz as latest,
    '-infinity'::timestamptz as earliest, '0044-03-15 00:00:00+00 BC'::timestamptz as before_christ,
    '10000-01-01 00:00:00+00'::timestamptz as after_years
`;
const EXPECTED = {
  aText: 'text',
  noText: null,
  aCount: 9_007_199_254_740_991,
  noCount: null,
  isTrue: true,
  aRatio: 1.5,
  someJson: { snake_case: [1, null] },
  someTexts: ['x', null],
  someBytes: Buffer.from([0, 255]),
  aTime: new Date('2026-04-07T06:09:10.123Z'),
  wholeSeconds: new Date('2026-04-07T06:00:00Z'),
  latest: new Date('9999-12-31T23:59:59.999Z'),
  earliest: new Date('0001-01-01T00:00:00Z'),
  beforeChrist: new Date('0001-01-01T00:00:00Z'),
  afterYears: new Date('9999-12-31T23:59:59.999Z'),
};

test.each(['UTC', 'Asia/Shanghai', 'Asia/Kolkata', 'America/St_Johns'])(
  'values of a row are the same where times are shown in %s',
  async (zone) => {
    await sql`set timezone to ${sql.lit(zone)}`.execute(all);
    expect((await VALUES.execute(all)).rows).toEqual([EXPECTED]);
  },
);

test('the last of two columns of one name is kept, and a statement may return no rows or no columns', async () => {
  const of = async (text: string) => (await sql.raw(text).execute(all)).rows;
  expect(await of('select 1 as a_number, 2 as a_number')).toEqual([{ aNumber: 2 }]);
  expect(await of('select 1 as a_number where false')).toEqual([]);
  expect(await of('select')).toEqual([{}]);
  expect(await of(`select 1 as "it's \\ new"`)).toEqual([{ "it's \\ new": 1 }]);
});

test('a statement that fails after some rows says so, and the connection goes on', async () => {
  const failing = sql`select 1 / (3 - n) as a_number from generate_series(1, 5) as n where n <> ${0}`;
  await expect(failing.execute(all)).rejects.toMatchObject({ code: '22012' });
  await expect(sql`select ${'{'}::jsonb`.execute(all)).rejects.toMatchObject({ code: '22P02' });
  expect((await sql`select ${7}::int as a_number`.execute(all)).rows).toEqual([{ aNumber: 7 }]);
});
