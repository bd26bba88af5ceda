import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { joinCluster } from '../chaos/topology/join-cluster.js';
import { closeToConnections, nodesOf } from './cluster.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of this test run. */
    postgresUrl: string;
    /** The migrated database that test databases are copies of. */
    postgresTemplate: string;
  }
}

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A migrated database of its own for one test file, in some 20 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return copyTemplate(inject('postgresUrl'), inject('postgresTemplate'));
}

/** The same where Vitest has no test: given the server and the template. */
export async function copyTemplate(server: string, template: string): Promise<TestDatabase> {
  const name = uniqueName('test');
  // Copying files is quicker than the write-ahead log for a small template.
  await onAllNodes(server, `create database ${name} template ${template} strategy file_copy`);
  return { url: withDatabase(server, name), drop: () => dropDatabase(server, name) };
}

/**
 * A database without any table, the address of its owner, who may make roles and is no superuser, and the name of a role
 * that it may make.
 */
export async function createEmptyDatabase(): Promise<TestDatabase & { role: string }> {
  const server = inject('postgresUrl');
  const name = uniqueName('empty');
  await execute(server, `create role ${name} login createrole password 'empty'`);
  await execute(server, `create database ${name} owner ${name}`);
  const url = new URL(withDatabase(server, name));
  [url.username, url.password] = [name, 'empty'];
  const drop = async () => {
    const roles = await readTenantRole(withDatabase(server, name));
    await dropDatabase(server, name);
    for (const role of [...roles, name]) await execute(server, `drop role if exists ${role}`);
  };
  return { url: url.href, role: `${name}_tenant`, drop };
}

/**
 * A database that all nodes of a cluster have, and that is no cluster's yet; its addresses for a superuser, the
 * coordinator's first; and that of its owner, who may make roles and is no superuser.
 */
export async function createUnjoinedDatabase(): Promise<TestDatabase & { nodes: string[] }> {
  const server = inject('postgresUrl');
  const name = uniqueName('unjoined');
  // Citus creates it on the others.
  await execute(server, `create role ${name} login createrole`);
  await onAllNodes(server, `create database ${name} owner ${name}`);
  const nodes = (await nodesOf(server)).map((node) => withDatabase(node, name));
  const url = new URL(withDatabase(server, name));
  url.username = name;
  const drop = async () => {
    await dropWithRole(server, name);
    await execute(server, `drop role if exists ${name}`);
  };
  return { url: url.href, nodes, drop };
}

/** The role that a migration has made, if one has. */
async function readTenantRole(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`select to_regproc('tenant_role') is not null as found`);
    return rows[0].found ? [(await client.query('select tenant_role() as role')).rows[0].role] : [];
  } finally {
    await client.end();
  }
}

/** Creates the database that the others are copied from; returns its name. */
export async function createTemplate(
  server: string,
  migrate: (url: string) => Promise<unknown>,
): Promise<string> {
  const name = uniqueName('template');
  await onAllNodes(server, `create database ${name}`);
  const nodes = await nodesOf(server);
  await joinCluster(nodes.map((node) => withDatabase(node, name)));
  await migrate(withDatabase(server, name));
  for (const node of nodes) await closeToConnections(node, name);
  return name;
}

/** Drops the database that the others were copied from, and the role that they shared. */
export const dropTemplate = (server: string, name: string): Promise<void> => dropWithRole(server, name);

async function dropWithRole(server: string, name: string): Promise<void> {
  await execute(server, `alter database ${name} allow_connections true`);
  const client = new pg.Client({ connectionString: withDatabase(server, name) });
  await client.connect();
  // A database that was not migrated has none.
  const { rows } = await client
    .query<{ role: string }>('select tenant_role() as role')
    .catch(() => ({ rows: [] }));
  await client.end();
  await dropDatabase(server, name);
  // A copy that a killed test has left still needs it.
  if (rows[0]) await onAllNodes(server, `drop role if exists ${rows[0].role}`).catch(() => {});
}

/** Drops a database, with whatever connections are left on it. */
async function dropDatabase(server: string, name: string): Promise<void> {
  for (const node of await nodesOf(server)) {
    // What connects again by itself, such as Citus, would be in the way.
    await closeToConnections(node, name);
    await execute(node, `drop database if exists ${name} with (force)`);
  }
}

/** On the server, or where it is the coordinator of a cluster, on all of its nodes. */
async function onAllNodes(server: string, sql: string): Promise<void> {
  await Promise.all((await nodesOf(server)).map((node) => execute(node, sql)));
}

/** Unique, because runs at the same time may share one server. */
const uniqueName = (kind: string): string => `lectern_${kind}_${randomBytes(6).toString('hex')}`;

function withDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
