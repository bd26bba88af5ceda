import { Migrator } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { connectDatabase } from '../../db/client.js';
import { migrateToLatest } from '../../db/migrate.js';
import { migrations } from '../../db/migrations/index.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import { maintainPartitions } from '../../src/services/audit/partitions/maintain.js';
import { readAuditPartitions } from '../../src/services/audit/partitions/read-partitions.js';
import { readUsage } from '../../src/services/shared/tenant-usage.js';
import { monthFromNow } from './support/past-months.js';

/* What is there when a migration comes. */

let administrator: pg.Client;
const created: string[] = [];

beforeAll(async () => {
  administrator = new pg.Client({ connectionString: inject('postgresUrl') });
  await administrator.connect();
});

afterAll(async () => {
  for (const name of created) {
    const { rows } = await administrator.query(
      `select 'lectern_tenant_' || left(md5(format('%s %s', oid, datname)), 16) as role from pg_database where datname = $1`,
      [name],
    );
    await administrator.query(`drop database ${name} with (force)`);
    for (const { role } of rows) await administrator.query(`drop role if exists ${role}`);
  }
  await administrator.end();
});

/** A database with the migrations before one of them. */
async function migrateBefore(next: string) {
  const name = `migrated_${process.pid}_${created.length}`;
  const url = Object.assign(new URL(inject('postgresUrl')), { pathname: `/${name}` }).href;
  await administrator.query(`create database ${name}`);
  created.push(name);
  const { db, pool, close } = connectDatabase(url, { max: 2 });
  const former = Object.fromEntries(Object.entries(migrations).filter(([one]) => one < next));
  const migrator = new Migrator({
    db: unscoped(db, 'The test migrates a database.'),
    provider: { getMigrations: async () => former },
  });
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  return { url, db, pool, close };
}

test('a new database whose encoding cannot hold all texts is refused, and nothing is made in it', async () => {
  const name = `encoded_${process.pid}`;
  await administrator.query(
    `create database ${name} encoding 'SQL_ASCII' locale_provider libc lc_collate 'C' lc_ctype 'C' template template0`,
  );
  created.push(name);
  const url = Object.assign(new URL(inject('postgresUrl')), { pathname: `/${name}` }).href;
  await expect(migrateToLatest(url)).rejects.toThrow(
    `The database ${name} has the encoding SQL_ASCII, which cannot hold all texts. Make another one with: createdb --owner=USER --encoding=UTF8 --template=template0 NAME, and name it in DATABASE_URL.`,
  );
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    "select count(*)::integer as tables from pg_tables where schemaname = 'public'",
  );
  await client.end();
  expect(rows).toEqual([{ tables: 0 }]);
});

test('files and documents from before they knew their tenants or spaces', async () => {
  const { url, db, pool, close } = await migrateBefore('0009');
  try {
    await pool.query(`
      insert into uploads (id, file_key, size_bytes, sha256, created_time)
      values ('a', 'a', 100, '', now()), ('b', 'b', 20, '', now());
      insert into documents (id, tenant_id, tenant_unit_id, external_id, document_type, source, created_time, updated_time)
      values ('d', 'acme', 'sales', 'external', 'UnstructuredFile', 'none', now(), now())`);
    await migrateToLatest(url);

    const bytesOf = async (tenantId: string) => (await readUsage(db, tenantId)).bytes;
    expect((await pool.query('select id, tenant_id from uploads order by id')).rows).toEqual([
      { id: 'a', tenant_id: '' },
      { id: 'b', tenant_id: '' },
    ]);
    expect(await bytesOf('')).toBe(120);
    const again = `insert into documents (id, tenant_id, tenant_unit_id, external_id, document_type, source, created_time, updated_time)
      values ('e', 'acme', 'sales', 'external', 'UnstructuredFile', 'none', now(), now())`;
    await expect(pool.query(again)).rejects.toMatchObject({ code: '23505' });
  } finally {
    await close();
  }
});

test('usage that was counted in several rows of a tenant', async () => {
  const { url, db, pool, close } = await migrateBefore('0012');
  try {
    await pool.query(`
      insert into tenant_usage (tenant_id, shard, documents, chunks, bytes)
      values ('acme', 0, 5, 0, 100), ('acme', 3, -2, 7, -40), ('acme', 15, 0, -1, 0), ('zenith', 8, 1, 1, 1), ('', 0, 0, 0, 3)`);
    await migrateToLatest(url);
    const { rows } = await pool.query('select * from tenant_usage order by tenant_id');
    const acme = { documents: 3, chunks: 6, bytes: 60 };
    expect(rows).toEqual([
      { tenant_id: '', documents: 0, chunks: 0, bytes: 3 },
      { tenant_id: 'acme', ...acme },
      { tenant_id: 'zenith', documents: 1, chunks: 1, bytes: 1 },
    ]);
    expect(await readUsage(db, 'acme')).toEqual(acme);
  } finally {
    await close();
  }
});

test('what waits for the search index, and documents from before they held their datasets', async () => {
  const { url, db, pool, close } = await migrateBefore('0014');
  try {
    await pool.query(`
      insert into documents (id, tenant_id, tenant_unit_id, document_type, source, created_time, updated_time)
      values ('d', 'acme', 'sales', 'UnstructuredFile', 'none', '2025-01-01T00:00:00Z', now());
      insert into document_datasets (tenant_id, tenant_unit_id, document_id, dataset_id)
      values ('acme', 'sales', 'd', 'manuals'), ('acme', 'sales', 'd', 'faq');
      insert into chunks (id, tenant_id, tenant_unit_id, document_id, ordinal, source_hash, content, content_complement,
        keywords, metadata, created_time, updated_time)
      values ('there', 'acme', 'sales', 'd', 0, '', '', '', '{}', '{}', now(), now());
      insert into search_outbox (chunk_id) values ('there'), ('gone');
      insert into search_replay (chunk_id, revision) values ('there', 1), ('gone', 2)`);
    await migrateToLatest(url);
    const queued = [
      { tenant_id: '', chunk_id: 'gone' },
      { tenant_id: 'acme', chunk_id: 'there' },
    ];
    for (const table of ['search_outbox', 'search_replay']) {
      const { rows } = await pool.query(`select tenant_id, chunk_id from ${table} order by tenant_id`);
      expect(rows).toEqual(queued);
    }
    const { rows: documents } = await pool.query('select dataset_ids from documents');
    expect(documents).toEqual([{ dataset_ids: ['faq', 'manuals'] }]);
    const { rows: datasets } = await pool.query('select distinct created_time from document_datasets');
    expect(datasets).toEqual([{ created_time: new Date('2025-01-01T00:00:00Z') }]);

    expect((await readUsage(db, 'acme')).documents).toBe(1);
  } finally {
    await close();
  }
});

describe('jobs that graphile-worker held', () => {
  /** The part of its schema that is read. One job was cancelled, and one belongs to a deleted document. */
  const QUEUE = `
    create schema graphile_worker;
    create table graphile_worker._private_tasks (id int primary key, identifier text not null);
    create table graphile_worker._private_jobs (
      id bigint generated always as identity primary key, task_id int not null, payload json not null, priority smallint not null,
      run_at timestamptz not null default now(), attempts smallint not null default 0, locked_by text, key text, flags jsonb);
    insert into graphile_worker._private_tasks values (1, 'process_document');
    insert into documents (id, tenant_id, tenant_unit_id, document_type, source, created_time, updated_time)
    select id, 'acme', 'sales', 'UnstructuredFile', 'content', now(), now()
    from unnest(array['later', 'first', 'paused', 'deadly', 'busy', 'cancelled']) as id;
    insert into graphile_worker._private_jobs (task_id, payload, priority, run_at, attempts, locked_by, key, flags)
    select 1, json_build_object('tenantId', 'acme', 'documentId', id) ::jsonb || more, priority, run_at, attempts, locked_by, key, flags
    from (values
      ('later', '{}'::jsonb, 5, now(), 0, null, 'later', '{"small:tenant:acme": true}'::jsonb),
      ('first', '{}', -5, now(), 0, null, 'first', '{"large": true, "large:tenant:acme": true}'),
      ('paused', '{"outages": 3}', 6, '2999-01-01T00:00:00Z', 2, null, 'paused', '{"small:tenant:acme": true}'),
      ('deadly', '{"deaths": 2}', 7, now(), 0, null, 'deadly', '{"large": true, "suspect": true}'),
      ('busy', '{}', 8, now(), 2, 'worker', 'busy', '{"small:tenant:acme": true}'),
      ('cancelled', '{}', 9, now(), 5, 'worker', null, '{"small:tenant:acme": true}'),
      ('deleted', '{}', 10, now(), 0, null, 'deleted', '{"small:tenant:acme": true}')
    ) as job (id, more, priority, run_at, attempts, locked_by, key, flags)`;

  test('move to our table, and its schema is dropped', async () => {
    const { url, pool, close } = await migrateBefore('0011');
    try {
      await pool.query(QUEUE);
      await migrateToLatest(url);
      const { rows } = await pool.query(
        `select document_id as id, lane, attempts, outages, deaths, next_attempt_time as due, lease_owner as owner
         from processing_jobs where tenant_id = 'acme' order by sequence`,
      );
      const waiting = { lane: 'small', attempts: 0, outages: 0, deaths: 0, due: null, owner: null };
      expect(rows).toEqual([
        { ...waiting, id: 'first', lane: 'large' },
        { ...waiting, id: 'later' },
        { ...waiting, id: 'paused', attempts: 2, outages: 3, due: new Date('2999-01-01T00:00:00Z') },
        { ...waiting, id: 'deadly', lane: 'suspect', deaths: 2 },
        { ...waiting, id: 'busy', attempts: 1 },
      ]);
      const { rows: left } = await pool.query(`select to_regnamespace('graphile_worker') as schema`);
      expect(left).toEqual([{ schema: null }]);
    } finally {
      await close();
    }
  });

  test('leave the jobs of another program in place', async () => {
    const { url, pool, close } = await migrateBefore('0011');
    try {
      await pool.query(QUEUE);
      await pool.query(`
        insert into graphile_worker._private_tasks values (2, 'other');
        insert into graphile_worker._private_jobs (task_id, payload, priority) values (2, '{}', 0)`);
      await migrateToLatest(url);
      const { rows } = await pool.query('select task_id from graphile_worker._private_jobs');
      expect(rows).toEqual([{ task_id: 2 }]);
    } finally {
      await close();
    }
  });
});

test('properties of documents from before they were in order', async () => {
  const { url, pool, close } = await migrateBefore('0045');
  try {
    await pool.query(`
      insert into documents (id, tenant_id, tenant_unit_id, document_name, document_type, source, custom_properties, created_time, updated_time)
      values ('d', 'acme', 'sales', 'name', 'UnstructuredFile', 'none', '{"a": [1, true, "x"], "b": "text"}', now(), now())`);
    await migrateToLatest(url);
    await pool.query(`
      insert into documents (id, tenant_id, tenant_unit_id, document_name, document_type, source, custom_properties, created_time, updated_time)
      values ('e', 'acme', 'sales', 'name', 'UnstructuredFile', 'none', '{"a": [1, true, "x"], "b": "text"}', now(), now())`);
    const { rows } = await pool.query(`
      select string_agg(encode(entry, 'hex'), ' ' order by entry) as entries, count(*) as count
      from document_properties group by document_id order by document_id`);
    expect(rows).toEqual([{ entries: rows[1]?.entries, count: 5 }, rows[1]]);
  } finally {
    await close();
  }
});

test('an audit log that is large is partitioned in the background, beside servers of the version before', async () => {
  const { url, db, pool, close } = await migrateBefore('0026');
  try {
    await pool.query(`
      create role runtime_${process.pid};
      grant select, insert on audit_events to runtime_${process.pid};
      insert into audit_events (tenant_id, time, action, subject_type, subject_id, after)
      select 'acme', now() - interval '1 year', 'documents.update', 'document', i, jsonb_build_object('title', rpad(i::text, 1900))
      from generate_series(1, 36000) as i`);
    await migrateToLatest(url);
    expect(await readAuditPartitions(db)).toEqual([{ name: 'audit_events_open', from: null, to: null }]);

    const inserted: number[] = [];
    // As that version wrote, under the role of its tenant.
    const write = async () => {
      const client = await pool.connect();
      try {
        await client.query(`begin; call become_tenant('acme')`);
        const { rows } = await client.query(
          `insert into audit_events (tenant_id, action, subject_type, subject_id) values ('acme', 'x', 'document', 'd') returning id`,
        );
        await client.query('commit');
        inserted.push(rows[0].id);
      } finally {
        client.release();
      }
    };
    await write();
    let isSplit = false;
    const writing = (async () => {
      while (!isSplit) await write();
    })();
    for await (const _ of maintainPartitions(db, { keepMs: undefined, clock: () => new Date() }));
    isSplit = true;
    await writing;
    await write();

    const partitions = await readAuditPartitions(db);
    // One less in the last week of a month, in which the first goes to the end of the next.
    expect(partitions.at(-1)).toEqual({ name: 'audit_events_open', from: monthFromNow(3), to: null });
    expect(partitions[0]).toMatchObject({ name: expect.stringMatching(/^audit_events_until_/), from: null });
    expect(Math.min(...inserted)).toBe(36_001);
    expect(new Set(inserted).size).toBe(inserted.length);
    const { rows } = await pool.query(`
      select count(*) as count, has_table_privilege('runtime_${process.pid}', 'audit_events', 'insert') as may_insert,
        has_table_privilege('runtime_${process.pid}', '${partitions[0]?.name}', 'select') as may_read_partition
      from audit_events`);
    expect(rows).toEqual([{ count: 36_000 + inserted.length, may_insert: true, may_read_partition: false }]);
    await pool.query(`drop owned by runtime_${process.pid}; drop role runtime_${process.pid}`);
  } finally {
    await close();
  }
});
