import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type DatabaseClient } from '../../db/client.js';
import { migrateToLatest } from '../../db/migrate.js';
import { migrationNames } from '../../db/migration-record.js';
import { joinCluster } from '../chaos/topology/join-cluster.js';
import { insertTenantRows, OTHER_TENANT, OWN_TENANT, rowsOf } from '../integration/support/tenant-rows.js';
import { createUnjoinedDatabase } from '../support/postgres.js';

/* From one server to a cluster, and from one node of it to another, with whatever tenants have. */

/** A database that all nodes have, which is dropped after the tests. */
async function createDatabase() {
  const made = await createUnjoinedDatabase();
  databases.push(made);
  return made;
}

const databases: Awaited<ReturnType<typeof createUnjoinedDatabase>>[] = [];
const TENANTS = [OWN_TENANT.tenantId, OTHER_TENANT.tenantId];
let database: Awaited<ReturnType<typeof createUnjoinedDatabase>>;
let client: DatabaseClient;
let before: Record<string, string[]>[];

const rowsOfAll = () => Promise.all(TENANTS.map((tenant) => rowsOf(client.db, tenant)));

/** The shard of a tenant's documents, and the node that has it. */
async function findShard(tenant: string) {
  const { rows } = await sql<{ id: string; name: string; port: number }>`
    select shardid as id, nodename as name, nodeport as port from citus_shards
    where shardid = get_shard_id_for_distribution_column('documents', ${tenant}::text)`.execute(client.db);
  return rows[0]!;
}

beforeAll(async () => {
  database = await createDatabase();
  await migrateToLatest(database.url);
  client = connectDatabase(database.nodes[0]!);
  for (const tenant of [OWN_TENANT, OTHER_TENANT]) await insertTenantRows(client.db, tenant);
  before = await rowsOfAll();
});
afterAll(async () => {
  await client?.close();
  for (const made of databases) await made.drop();
});

test('the owner of an empty database of a cluster migrates it, without the rights of a superuser', async () => {
  const { url, nodes } = await createDatabase();
  await joinCluster(nodes);
  expect(await migrateToLatest(url)).toEqual(migrationNames());
  expect(await migrateToLatest(url)).toEqual([]);
});

test('lectern migrate distributes the rows of a server that has become a coordinator', async () => {
  await joinCluster(database.nodes);
  await migrateToLatest(database.url);
  expect(await rowsOfAll()).toEqual(before);
});

test("a tenant's shard moves to another node", async () => {
  const tenant = OWN_TENANT.tenantId;
  const { id, name, port } = await findShard(tenant);
  const { rows } = await sql<{ name: string; port: number }>`
    select nodename as name, nodeport as port from pg_dist_node
    where groupid <> 0 and nodeport <> ${port} limit 1`.execute(client.db);
  const target = rows[0]!;
  await sql`
    select citus_move_shard_placement(${id}::bigint, ${name}::text, ${port}::integer, ${target.name}::text,
      ${target.port}::integer)`.execute(client.db);
  expect(await findShard(tenant)).toEqual({ id, ...target });
  expect(await rowsOfAll()).toEqual(before);
});
