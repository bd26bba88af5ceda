import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIXED_LOCK_IDS } from '../../db/advisory-locks.js';
import type { DatabaseClient } from '../../db/client.js';
import type { Queryable } from '../../db/schema.js';
import { writeCounts } from '../../src/derived-data/write-counts.js';
import { moveChanges, readUsage, rollUpUsage } from '../../src/services/shared/tenant-usage.js';
import { useApp } from '../support/app.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { waitFor } from '../support/wait-for.js';
import { createRestClient, DOCUMENTS, TENANT, TENANT_UNIT, type TestApp } from './support/rest-client.js';

/* What each tenant has: appended to by every write, and rolled up into one row in the background. */

/** Inserts 1,000 documents of the tenant, with a chunk and ten bytes of source each, and counts them in one change. */
async function insertMany(db: Queryable, tenantId: string, prefix: string): Promise<void> {
  await sql`
    insert into documents (id, tenant_id, tenant_unit_id, document_type, source, created_time, updated_time)
    select ${prefix} || n, ${tenantId}, 'sales', 'UnstructuredFile', 'none', now(), now() from generate_series(1, 1000) as n
  `.execute(db);
  await sql`
    insert into document_sources (tenant_id, tenant_unit_id, document_id, size_bytes)
    select ${tenantId}, 'sales', ${prefix} || n, 10 from generate_series(1, 1000) as n
  `.execute(db);
  await sql`
    insert into chunks (id, tenant_id, tenant_unit_id, document_id, ordinal, source_hash, content, content_complement,
      keywords, metadata, created_time, updated_time)
    select ${prefix} || n, ${tenantId}, 'sales', ${prefix} || n, 0, '', 'Parcels.', '', '{}', '{}', now(), now()
    from generate_series(1, 1000) as n
  `.execute(db);
  await writeCounts(db, { usage: [{ tenantId, documents: 1_000, chunks: 1_000, bytes: 10_000 }] });
}

/** A change for each of many documents. */
const countOneByOne = (db: Queryable, tenantId: string, documents: number) =>
  sql`
    insert into tenant_usage_changes (tenant_id, documents)
    select ${tenantId}, 1 from generate_series(1, ${documents}::integer)
  `.execute(db);

async function countChanges(db: Queryable): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from tenant_usage_changes`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Every kind of write that changes the usage of a tenant, which is `WRITTEN` at its end. */
async function writeEverything(app: TestApp): Promise<void> {
  const { call, createDocument, upload, upsert, getDocument, patchDocument, listChunks, deleteChunks } =
    createRestClient(app);
  const created = await createDocument({ documentContent: 'A first text.' });
  const removed = await createDocument({ documentContent: 'A text that goes.' });
  const uploaded = await upload('A file.', 'notes.txt');
  await upsert('external', { documentContent: 'A text.' });
  await app.settle();
  for (const { id } of [created, removed, uploaded])
    expect(await getDocument(id)).toMatchObject({ status: 'ready' });
  await patchDocument(created.id, { documentContent: 'A second text.' });
  await upsert('external', { documentContent: 'Another.' });
  await app.settle();
  const [chunk] = await listChunks(created.id);
  await deleteChunks(created.id, [chunk.id]);
  await call(204, 'DELETE', `${DOCUMENTS}/${removed.id}`, { query: TENANT });
}
/** A deleted chunk stays in the database. */
const WRITTEN = { documents: 3, chunks: 3, bytes: 29 };

describe('writes of a tenant', () => {
  const app = useApp();
  const other = useApp();

  test('finish while others of the same tenant stay open, and are counted', async () => {
    const large = connectUnscoped(app.databaseUrl, { max: 16 });
    const openTransactions = async (left: number, work: () => Promise<void>): Promise<void> => {
      if (left === 0) return work();
      await large.db.transaction().execute(async (tx) => {
        await insertMany(tx, 'acme', `${left} `);
        await openTransactions(left - 1, work);
      });
    };
    try {
      await openTransactions(16, async () => {
        await writeEverything(app);
        await waitFor(async () => (await countChanges(app.db)) === 0, {
          what: 'the changes to be rolled up',
        });
        expect(await readUsage(app.db, 'acme')).toEqual(WRITTEN);
      });
    } finally {
      await large.close();
    }
    expect(await readUsage(app.db, 'acme')).toEqual({ documents: 16_003, chunks: 16_003, bytes: 160_029 });
  });

  test('do not wait for a rollup', async () => {
    await other.db.transaction().execute(async (tx) => {
      await insertMany(tx, 'acme', '');
      await sql`select pg_advisory_xact_lock(${FIXED_LOCK_IDS.usageRollup})`.execute(tx);
      expect(await moveChanges(tx, 'acme', 1_000)).toBeGreaterThan(0);
      await writeEverything(other);
      expect(await rollUpUsage(other.db)).toBe(0);
      expect(await readUsage(other.db, 'acme')).toEqual(WRITTEN);
    });
    expect(await readUsage(other.db, 'acme')).toEqual({ documents: 1003, chunks: 1003, bytes: 10_029 });
  });
});

describe('a rollup', () => {
  let database: TestDatabase;
  let client: DatabaseClient;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = connectUnscoped(database.url, { max: 6 });
  });

  afterAll(async () => {
    await client?.close();
    await database?.drop();
  });

  test('shows readers each change once, also while several processes try', async () => {
    const { db } = client;
    await countOneByOne(db, 'acme', 3_500);
    await insertMany(db, 'zenith', '');
    const expected = { documents: 3_500, chunks: 0, bytes: 0 };
    expect(await countChanges(db)).toBe(3_501);
    expect(await readUsage(db, 'acme')).toEqual(expected);

    let isDone = false;
    const seen: unknown[] = [];
    const reading = (async () => {
      while (!isDone) seen.push(await readUsage(db, 'acme'));
    })();
    const moved: number[] = [];
    const rollUpAll = async () => {
      while ((await countChanges(db)) > 0) moved.push(await rollUpUsage(db));
    };
    await Promise.all(Array.from({ length: 4 }, rollUpAll));
    isDone = true;
    await reading;
    seen.push(await readUsage(db, 'acme'));

    expect(seen.filter((usage) => JSON.stringify(usage) !== JSON.stringify(expected))).toEqual([]);
    // Those of the last batch may be moved by several.
    expect(moved.reduce((sum, count) => sum + count, 0)).toBe(3_501);
    expect(Math.max(...moved)).toBe(1_000);
    expect(await db.selectFrom('tenantUsage').selectAll().orderBy('tenantId').execute()).toEqual([
      { tenantId: 'acme', ...expected },
      { tenantId: 'zenith', documents: 1_000, chunks: 1_000, bytes: 10_000 },
    ]);
  });

  test('adds to what was rolled up before, and has nothing to do without changes', async () => {
    const { db } = client;
    const gone = { tenantId: 'zenith', documents: -3, chunks: -2, bytes: -30 };
    await writeCounts(db, { usage: [gone] });
    const usage = { documents: 997, chunks: 998, bytes: 9_970 };
    expect(await readUsage(db, 'zenith')).toEqual(usage);
    expect(await rollUpUsage(db)).toBe(1);
    expect(await rollUpUsage(db)).toBe(0);
    expect(await readUsage(db, 'zenith')).toEqual(usage);
  });

  test('takes one change of each tenant, and none of what stays the same', async () => {
    const { db } = client;
    await writeCounts(db, {
      usage: [
        { tenantId: 'tenant 2', documents: 1 },
        { tenantId: 'tenant 1', bytes: 100 },
        { tenantId: 'tenant 1', documents: 1, chunks: 2, bytes: -30 },
        { tenantId: 'tenant 0', bytes: 7 },
        { tenantId: 'tenant 0', bytes: -7 },
      ],
    });
    const { rows } = await sql`
      select tenant_id, documents, chunks, bytes from tenant_usage_changes order by tenant_id, id
    `.execute(db);
    expect(rows).toEqual([
      { tenantId: 'tenant 1', documents: 1, chunks: 2, bytes: 70 },
      { tenantId: 'tenant 2', documents: 1, chunks: 0, bytes: 0 },
    ]);
  });
});

describe('with a quota', () => {
  const app = useApp({ quotas: { documents: 20, chunks: undefined, bytes: undefined } });

  test('it is never exceeded while usage is rolled up, and used to the full', async () => {
    const create = () =>
      app.request('POST', DOCUMENTS, {
        query: TENANT,
        body: { ...TENANT_UNIT, documentType: 'UnstructuredFile' },
      });
    let isDone = false;
    const rollingUp = (async () => {
      while (!isDone) await rollUpUsage(app.db);
    })();
    const answers = await Promise.all(Array.from({ length: 50 }, create));
    isDone = true;
    await rollingUp;
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(20).fill(200),
      ...Array(30).fill(409),
    ]);
    expect(await readUsage(app.db, TENANT.tenantId)).toEqual({ documents: 20, chunks: 0, bytes: 0 });
  });
});
