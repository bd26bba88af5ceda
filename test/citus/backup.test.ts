import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase } from '../../db/client.js';
import { isUndistributed } from '../../db/cluster/distribute.js';
import { migrateToLatest } from '../../db/migrate.js';
import { createBackup } from '../../src/backup/create-backup.js';
import type { BackupManifest } from '../../src/backup/manifest.js';
import { restoreBackup } from '../../src/backup/restore-backup.js';
import { LEFT_OUT } from '../../src/backup/snapshot.js';
import { REMOVAL } from '../../src/cli/shared/data-dir.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { joinCluster, query } from '../chaos/topology/join-cluster.js';
import { insertTenantRows, rowsOf } from '../integration/support/tenant-rows.js';
import { createUnjoinedDatabase } from '../support/postgres.js';
import { waitFor } from '../support/wait-for.js';

/* Backups of a cluster by the owner of its database, who is no superuser: of one moment, and back. */

type Made = Awaited<ReturnType<typeof createUnjoinedDatabase>>;

const TENANTS = ['ours', 'theirs', 'acme', 'zen', 'north', 'south'];
const made: Made[] = [];
let work: string;
let cluster: Made;

beforeAll(async () => {
  work = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-backup-'));
  cluster = await createDatabase();
  await joinCluster(cluster.nodes);
  await migrateToLatest(cluster.url);
  await fill(cluster);
});
afterAll(async () => {
  for (const one of made) await one.drop();
  await rm(work, REMOVAL);
});

async function createDatabase(): Promise<Made> {
  const database = await createUnjoinedDatabase();
  made.push(database);
  return database;
}

/** A row in each table for each tenant, without the files. */
async function fill({ nodes }: Made): Promise<void> {
  const { db, close } = connectDatabase(nodes[0]!);
  for (const tenantId of TENANTS) await insertTenantRows(db, { tenantId, tenantUnitId: 'unit' });
  await close();
  await query(nodes[0]!, 'update document_sources set file_key = null');
  await query(nodes[0]!, 'delete from uploads');
}

async function backUp({ url }: Made, name: string, storage = openStorage(`file://${work}/files`)) {
  const { db, close } = connectDatabase(url);
  const folder = path.join(work, name);
  const options = { url, db, folder, version: '0', onProgress: () => {}, storage };
  const manifest = await createBackup(options).finally(close);
  return { folder, manifest };
}

async function restore(folder: string, { url }: Made): Promise<void> {
  const choices = { intoUsedStorage: false, disableWebhooks: false };
  const storage = openStorage(`file://${work}/files`);
  await restoreBackup({ ...choices, url, folder, storage, version: '0', onProgress: () => {} });
}

/** Rows of a backup by table; workers answer in any order. */
const readRows = async (folder: string, { tables }: BackupManifest) =>
  Promise.all(
    Object.entries(tables).map(async ([name, { file }]) => {
      const rows = gunzipSync(await readFile(path.join(folder, file))).toString();
      return [name, rows.split('\n').sort()];
    }),
  );

/** Values of a column in a backup, by tenant. */
async function readColumn(folder: string, { tables }: BackupManifest, table: string, column: string) {
  const { file, columns } = tables[table]!;
  const lines = gunzipSync(await readFile(path.join(folder, file)))
    .toString()
    .split('\n')
    .filter(Boolean);
  const cells = lines.map((line) => line.split('\t'));
  return Object.fromEntries(
    cells.map((row) => [row[columns.indexOf('tenant_id')], row[columns.indexOf(column)]]),
  );
}

/** Each transaction of it writes the same number to its tenant, to another, and to a table of the coordinator. */
function writeNumbers(url: string, tenantId: string, other: string) {
  let [number, isOver] = [0, false];
  const running = (async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (number = 1; !isOver; number++) {
      await client.query('begin');
      await client.query('update conversations set topic = $1 where tenant_id = $2', [number, tenantId]);
      await client.query('update documents set document_name = $1 where tenant_id = $2', [number, other]);
      await client.query('update api_keys set name = $1 where tenant_id = $2', [number, tenantId]);
      await client.query('commit');
    }
    await client.end();
  })();
  return {
    count: () => number,
    async stop() {
      isOver = true;
      await running;
    },
  };
}

const numbers = (names: Record<string, string | undefined>) => TENANTS.map((tenant) => names[tenant]);

test('a backup has all parts of each transaction or none, beside writers', async () => {
  const next = (place: number) => TENANTS[(place + 1) % TENANTS.length]!;
  const writers = TENANTS.map((tenant, place) => writeNumbers(cluster.url, tenant, next(place)));
  await waitFor(() => writers.every(({ count }) => count() > 2), { what: 'writes to be under way' });
  const found: unknown[] = [];
  for (let round = 1; round <= 6; round++) {
    const { folder, manifest } = await backUp(cluster, `moment-${round}`);
    const [topics, names, keys] = await Promise.all([
      readColumn(folder, manifest, 'conversations', 'topic'),
      readColumn(folder, manifest, 'documents', 'document_name'),
      readColumn(folder, manifest, 'api_keys', 'name'),
    ]);
    const ofOthers = Object.fromEntries(TENANTS.map((tenant, place) => [tenant, names[next(place)]]));
    found.push([numbers(topics), numbers(ofOthers), numbers(keys)]);
  }
  for (const writer of writers) await writer.stop();
  expect(found).toEqual(
    found.map((one) => [(one as string[][])[2], (one as string[][])[2], (one as string[][])[2]]),
  );
});

const KEY = '00000000-0000-4000-8000-000000000000';

/** Has a backup read a file, which it does after it has taken its snapshots, and does something then. */
async function whileItRuns(happen: () => Promise<unknown>) {
  const key = `case tenant_id when 'ours' then '${KEY}' end`;
  await query(
    cluster.nodes[0]!,
    `update document_sources set file_key = ${key} where file_key is distinct from ${key}`,
  );
  await query(cluster.nodes[0]!, 'delete from uploads');
  const read = async function* () {
    await happen();
    yield Buffer.from('content');
  };
  return { read: () => read() as never } as unknown as ReturnType<typeof openStorage>;
}

test('a backup has nothing that is written after its moment', async () => {
  const before = await backUp(cluster, 'before', await whileItRuns(async () => {}));
  const late = await whileItRuns(async () => {
    const { db, close } = connectDatabase(cluster.nodes[0]!);
    for (const tenantId of ['late', 'later', 'latest']) {
      await insertTenantRows(db, { tenantId, tenantUnitId: 'unit' });
    }
    await close();
    await query(cluster.nodes[0]!, `update conversations set topic = 'late'`);
    await query(cluster.nodes[0]!, 'delete from messages');
  });
  const { folder, manifest } = await backUp(cluster, 'late', late);
  expect(await readRows(folder, manifest)).toEqual(await readRows(before.folder, before.manifest));
  expect(Object.values(manifest.tables).filter(({ rows }) => rows >= TENANTS.length).length).toBeGreaterThan(
    30,
  );
});

test('a backup waits for the end of a transaction that a crash has interrupted in the middle of its commit', async () => {
  const [coordinator] = cluster.nodes;
  const { rows } = await query(
    coordinator!,
    `select shard_name as shard, nodeport as port, groupid as group from citus_shards join pg_dist_node using (nodename, nodeport)
     where shardid = get_shard_id_for_distribution_column('conversations', 'ours')`,
  );
  const { shard, port, group } = rows[0];
  const gid = 'citus_0_1_4000000000_1';
  // The worker's part is prepared, that of the coordinator is committed.
  await query(
    Object.assign(new URL(coordinator!), { port }).href,
    `begin; update ${shard} set topic = 'half' where tenant_id = 'ours'; prepare transaction '${gid}'`,
  );
  await query(
    coordinator!,
    `insert into pg_dist_transaction (groupid, gid) values (${group}, '${gid}');
     update api_keys set name = 'half' where tenant_id = 'ours'`,
  );
  let isDone = false;
  const running = backUp(cluster, 'interrupted', await whileItRuns(async () => {})).finally(() => {
    isDone = true;
  });
  const isWaiting = async () => {
    const { rowCount } = await query(
      coordinator!,
      `select from pg_stat_activity where datname = current_database() and query = 'rollback to savepoint writers'`,
    );
    return isDone || rowCount === 1;
  };
  await waitFor(isWaiting, { what: 'the backup to wait' });
  await query(coordinator!, 'select recover_prepared_transactions()');
  const { folder, manifest } = await running;
  expect([
    (await readColumn(folder, manifest, 'conversations', 'topic')).ours,
    (await readColumn(folder, manifest, 'api_keys', 'name')).ours,
  ]).toEqual(['half', 'half']);
});

test('a backup fails if a shard moves meanwhile, as its snapshot does not see the rows in their new place', async () => {
  const move = await whileItRuns(() =>
    query(
      cluster.nodes[0]!,
      `select citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport)
       from citus_shards as s join pg_dist_node as n on n.groupid <> 0 and n.nodeport <> s.nodeport
       where s.shardid = get_shard_id_for_distribution_column('conversations', 'ours') limit 1`,
    ),
  );
  await expect(backUp(cluster, 'moved', move)).rejects.toThrow(
    'Data moved to another node of the cluster during the copy. Run this again.',
  );
});

async function rowsOfAll({ nodes }: Made) {
  const { db, close } = connectDatabase(nodes[0]!);
  const rows = await Promise.all(TENANTS.map((tenant) => rowsOf(db, tenant))).finally(close);
  return rows.map((tables) =>
    Object.fromEntries(Object.entries(tables).filter(([name]) => !LEFT_OUT.includes(name))),
  );
}

test('a backup of one server is restored into a cluster, on whose nodes the rows are then, and back', async () => {
  const single = await createDatabase();
  await migrateToLatest(single.url);
  await fill(single);
  const rows = await rowsOfAll(single);

  const nodes = await createDatabase();
  await joinCluster(nodes.nodes);
  await restore((await backUp(single, 'single')).folder, nodes);
  expect(await rowsOfAll(nodes)).toEqual(rows);
  const ask = async (sql: string) => (await query(nodes.nodes[0]!, sql)).rows;
  expect(await isUndistributed((text) => query(nodes.nodes[0]!, text) as never)).toBe(false);
  expect(
    await ask(
      `select sum(pg_relation_size(logicalrelid))::int as bytes from pg_dist_partition where partmethod = 'h'`,
    ),
  ).toEqual([{ bytes: 0 }]);

  const back = await createDatabase();
  await restore((await backUp(nodes, 'cluster')).folder, back);
  expect(await rowsOfAll(back)).toEqual(rows);
});
