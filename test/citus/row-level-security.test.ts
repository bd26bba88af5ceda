import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { layout } from '../../db/cluster/layout.js';
import { nodesOf } from '../support/cluster.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let role: string;
const TABLES = Object.keys(layout).filter((name) => layout[name]?.placement === 'shard');

beforeAll(async () => {
  database = await createTestDatabase();
  const client = await connect(database.url);
  role = (await client.query('select tenant_role() as role')).rows[0].role;
  for (const tenant of ['acme', 'zen', 'north', 'south']) {
    await client.query(
      `insert into conversations (id, tenant_id, tenant_unit_id, agent_id, user_id, agent_mode, created_time, updated_time)
       values ('c', $1, 'unit', 'agent', 'user', 'chat', now(), now())`,
      [tenant],
    );
  }
  await client.end();
});
afterAll(() => database?.drop());

async function connect(url: string, user?: string): Promise<pg.Client> {
  const address = new URL(url);
  if (user) address.username = user;
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  return client;
}

test('a session of a tenant on each node by itself sees and writes its own rows alone', async () => {
  for (const node of await nodesOf(database.url)) {
    const client = await connect(node, role);
    await client.query(`set citus.propagate_set_commands = 'local'`);
    expect((await client.query('select tenant_id from conversations')).rows).toEqual([]);
    await client.query(`begin; set local lectern.tenant_id = 'acme'`);
    expect((await client.query('select tenant_id from conversations')).rows).toEqual([{ tenant_id: 'acme' }]);
    const foreign = await client.query(`select from conversations where tenant_id = 'zen'`);
    expect(foreign.rowCount).toBe(0);
    await expect(
      client.query(`insert into conversations (id, tenant_id, tenant_unit_id, agent_id, user_id, agent_mode, created_time, updated_time)
        values ('new', 'zen', 'unit', 'agent', 'user', 'chat', now(), now())`),
    ).rejects.toThrow('row-level security');
    await client.query('rollback');
    // The next transaction of the same connection has no tenant.
    expect((await client.query('select tenant_id from conversations')).rows).toEqual([]);
    await client.end();
  }
});

test('a transaction that has become a tenant sees its rows alone on every node', async () => {
  const client = await connect(database.url);
  await client.query(`set citus.propagate_set_commands = 'local'`);
  for (const tenant of ['acme', 'zen', 'north', 'south']) {
    await client.query(`begin; call become_tenant('${tenant}')`);
    expect((await client.query('select tenant_id from conversations')).rows).toEqual([{ tenant_id: tenant }]);
    await client.query('commit');
  }
  await client.end();
});

test('each shard of a table of tenants has row-level security, with a policy for other roles that leaves that of tenants out', async () => {
  const client = await connect(database.url);
  const { rows } = await client.query(
    `select distinct nodes.result
     from unnest($1::text[]) as name,
       run_command_on_shards(name, $$select concat(relrowsecurity, ' ', (
         select string_agg(concat(polname, ' ', pg_get_expr(polqual, polrelid) like '%%CURRENT_USER <> %%'), ', ' order by polname)
         from pg_policy where polrelid = pg_class.oid)) from pg_class where oid = '%s'::regclass$$) as nodes`,
    [TABLES],
  );
  expect(rows).toEqual([{ result: 't by_grants t, one_tenant f' }]);
  await client.end();
});
