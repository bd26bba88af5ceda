import { Migrator } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connectDatabase } from '../../db/client.js';
import { migrateToLatest } from '../../db/migrate.js';
import { migrations } from '../../db/migrations/index.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';

/* What is there when a migration comes. */

const name = `migrated_${process.pid}`;
const url = Object.assign(new URL(inject('postgresUrl')), { pathname: `/${name}` }).href;
let administrator: pg.Client;

beforeAll(async () => {
  administrator = new pg.Client({ connectionString: inject('postgresUrl') });
  await administrator.connect();
  await administrator.query(`create database ${name}`);
});

afterAll(async () => {
  const { rows } = await administrator.query(
    `select 'lectern_tenant_' || left(md5(format('%s %s', oid, datname)), 16) as role from pg_database where datname = $1`,
    [name],
  );
  await administrator.query(`drop database ${name} with (force)`);
  for (const { role } of rows) await administrator.query(`drop role if exists ${role}`);
  await administrator.end();
});

test('files and documents from before they knew their tenants or spaces', async () => {
  const { db, pool, close } = connectDatabase(url, { max: 2 });
  try {
    const former = Object.fromEntries(Object.entries(migrations).filter(([one]) => one < '0009'));
    const migrator = new Migrator({
      db: unscoped(db, 'The test migrates a database.'),
      provider: { getMigrations: async () => former },
    });
    expect((await migrator.migrateToLatest()).error).toBeUndefined();
    await pool.query(`
      insert into uploads (id, file_key, size_bytes, sha256, created_time)
      values ('a', 'a', 100, '', now()), ('b', 'b', 20, '', now());
      insert into documents (id, tenant_id, tenant_unit_id, external_id, document_type, source, created_time, updated_time)
      values ('d', 'acme', 'sales', 'external', 'UnstructuredFile', 'none', now(), now())`);
    await migrateToLatest(url);

    const bytesOf = async (tenantId: string) =>
      (await pool.query('select sum(bytes)::int as bytes from tenant_usage where tenant_id = $1', [tenantId]))
        .rows[0].bytes;
    expect((await pool.query('select id, tenant_id from uploads order by id')).rows).toEqual([
      { id: 'a', tenant_id: '' },
      { id: 'b', tenant_id: '' },
    ]);
    expect(await bytesOf('')).toBe(120);
    await pool.query(`delete from uploads where id = 'a'`);
    expect(await bytesOf('')).toBe(20);
    // As a process of the version before still receives files.
    await pool.query(
      `insert into uploads (id, file_key, size_bytes, sha256, created_time) values ('c', 'c', 3, '', now())`,
    );
    expect(await bytesOf('')).toBe(23);
    const again = `insert into documents (id, tenant_id, tenant_unit_id, external_id, document_type, source, created_time, updated_time)
      values ('e', 'acme', 'sales', 'external', 'UnstructuredFile', 'none', now(), now())`;
    await expect(pool.query(again)).rejects.toMatchObject({ code: '23505' });
  } finally {
    await close();
  }
});
