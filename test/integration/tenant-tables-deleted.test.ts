import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type DatabaseClient } from '../../db/client.js';
import { migrateToLatest } from '../../db/migrate.js';
import { tenantTables } from '../../db/tenant-isolation/tenant-tables.js';
import { storeVectors } from '../../src/search/embedding/store-vectors.js';
import { rollUpLists } from '../../src/services/shared/lists/list-rollup.js';
import { countTenant, deleteTenant } from '../../src/services/tenants/delete-tenant.js';
import { exportTenant } from '../../src/services/tenants/export-tenant.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { findText } from './support/find-text.js';
import { insertTenantRows, OTHER_TENANT, OWN_TENANT, rowsOf } from './support/tenant-rows.js';

/* A row in each table of tenants: those of a table that is forgotten would stay, or not be exported. */

let database: TestDatabase;
let client: DatabaseClient;
let guarded: DatabaseClient;
let folder: string;
const removed: string[] = [];
const { tenantId } = OWN_TENANT;
const clock = () => new Date();

beforeAll(async () => {
  database = await createTestDatabase();
  await migrateToLatest(database.url);
  client = connectUnscoped(database.url, { max: 2 });
  guarded = connectDatabase(database.url, { max: 2 });
  folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-export-'));
  await sql`insert into search_index default values`.execute(client.db);
  for (const tenant of [OWN_TENANT, OTHER_TENANT]) await insertTenantRows(client.db, tenant);
  // Deleting has the changes of all tenants rolled up.
  while (await rollUpLists(client.db));
});
afterAll(async () => {
  await client?.close();
  await guarded?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

test('exports rows of every table, without secrets', async () => {
  const manifest = await exportTenant({
    db: guarded.db,
    tenantId,
    folder,
    clock,
    versions: { lectern: '0', migration: '0' },
    storage: { read: (key) => Readable.from([Buffer.from(`bytes of ${key}`)]) },
  });
  expect(Object.keys(manifest.tables)).toEqual([...tenantTables].sort());
  const rowsOfTable = Object.entries(manifest.tables).map(([name, { rows }]) => [name, rows] as const);
  expect(rowsOfTable.filter(([, rows]) => rows === 0)).toEqual([['list_changes', 0]]);
  const leftOut = Object.entries(manifest.tables).filter(([, table]) => table.leftOut.length > 0);
  expect(Object.fromEntries(leftOut.map(([name, table]) => [name, table.leftOut]))).toEqual({
    api_keys: ['secret_hash'],
    idempotency_keys: ['fingerprint', 'result'],
    sessions: ['secret_hash'],
    user_erasures: ['hash_secret'],
    user_sessions: ['secret_hash', 'sealed_secret'],
    webhook_subscriptions: ['secret', 'former_secret'],
  });
  const webhooks = await readFile(path.join(folder, 'tables/webhook_subscriptions.ndjson'), 'utf8');
  expect(JSON.parse(webhooks)).toMatchObject({ tenant_id: tenantId, url: `https://${tenantId}.example` });
  expect(webhooks).not.toContain('whsec_');
});

test('deletes rows of every table, also after a failure on the way, and of no other tenant', async () => {
  const before = await rowsOf(client.db, OTHER_TENANT.tenantId);
  const { tables, rows, files } = await countTenant(guarded.db, tenantId);
  expect(Object.entries(tables).filter(([, count]) => count === 0)).toEqual([['list_changes', 0]]);
  expect({ rows, files }).toEqual({ rows: expect.any(Number), files: 3 });

  const outage = new Error('the storage is away');
  const failing = { remove: () => Promise.reject(outage) };
  await expect(deleteTenant({ db: guarded.db, storage: failing, tenantId, clock })).rejects.toBe(outage);
  const left = await countTenant(guarded.db, tenantId);
  expect(left.files).toBe(3);

  const storage = { remove: async (key: string) => removed.push(key) > 1 };
  const deleted = await deleteTenant({ db: guarded.db, storage, tenantId, clock });
  // The first that it asks for is not there.
  expect(deleted).toMatchObject({ files: 2, missingFiles: 1 });
  expect(removed.sort()).toEqual(
    [`file of ${tenantId}`, `record of ${tenantId}`, `upload of ${tenantId}`].sort(),
  );
  expect((await countTenant(guarded.db, tenantId)).rows).toBe(0);
  expect(await rowsOf(client.db, OTHER_TENANT.tenantId)).toEqual(before);
});

test('leaves nothing but ids of chunks that the search server is to lose', async () => {
  expect(await findText(client.db, tenantId)).toEqual(['search_outbox']);
  const { rows } = await sql<{ chunkId: string }>`
    select chunk_id from search_outbox where tenant_id = '' order by 1
  `.execute(client.db);
  expect(rows.map(({ chunkId }) => chunkId)).toEqual([
    `chunk of ${tenantId}`,
    `queued chunk of ${tenantId}`,
    `replayed chunk of ${tenantId}`,
  ]);
});

test('a worker that embeds texts of a tenant that is gone stores nothing of it', async () => {
  const hash = Buffer.from('hash');
  await storeVectors(client.db, {
    modelId: 1,
    chunks: [{ tenantId, chunkId: 'gone', revision: 1, attempts: 0, text: 'text', hash }],
    vectors: [{ tenantId, hash, isCut: false, scale: 1, bytes: Buffer.of(1) }],
    usage: new Map([[tenantId, { texts: 1, tokens: 1 }]]),
  });
  expect((await countTenant(guarded.db, tenantId)).rows).toBe(0);
});
