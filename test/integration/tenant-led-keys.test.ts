import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import { tenantTables } from '../../db/tenant-isolation/tenant-tables.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

/* PostgreSQL sharded by tenant demands that each key of a table holds the tenant; here it comes first. */

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

/** Keys of tables that have a column tenant_id, with their columns in order. */
async function readKeys() {
  const { rows } = await sql<{ table: string; key: string; columns: string[]; referenced: string[] | null }>`
    select coalesce((select inhparent::regclass::text from pg_inherits where inhrelid = c.oid), c.relname) as "table", i.relname as key, null::text[] as referenced, array(
      select a.attname::text from unnest(x.indkey::int2[]) with ordinality as k (number, place)
      join pg_attribute as a on a.attrelid = c.oid and a.attnum = k.number order by place) as columns
    from pg_index as x
    join pg_class as c on c.oid = x.indrelid join pg_class as i on i.oid = x.indexrelid
    where x.indisunique and c.relnamespace = current_schema()::regnamespace
    union all
    select c.relname, f.conname, array(
        select a.attname::text from unnest(f.confkey) with ordinality as k (number, place)
        join pg_attribute as a on a.attrelid = f.confrelid and a.attnum = k.number order by place), array(
        select a.attname::text from unnest(f.conkey) with ordinality as k (number, place)
        join pg_attribute as a on a.attrelid = f.conrelid and a.attnum = k.number order by place)
    from pg_constraint as f join pg_class as c on c.oid = f.conrelid
    where f.contype = 'f' and c.relnamespace = current_schema()::regnamespace
  `.execute(client.db);
  return rows.filter(({ table }) => tenantTables.has(table));
}

test('every table with a tenant is known as one', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_attribute as a join pg_class as c on c.oid = a.attrelid
    where a.attname = 'tenant_id' and c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
  `.execute(client.db);
  expect(rows.map(({ name }) => name).sort()).toEqual([...tenantTables].sort());
});

test('every key of a tenant table begins with the tenant', async () => {
  const keys = await readKeys();
  expect(new Set(keys.map(({ table }) => table))).toEqual(tenantTables);
  const others = keys.filter(
    ({ columns, referenced }) => columns[0] !== 'tenant_id' || (referenced && referenced[0] !== 'tenant_id'),
  );
  expect(others).toEqual([]);
});
