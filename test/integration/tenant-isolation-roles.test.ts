import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { connectDatabase } from '../../db/client.js';
import { migrateToLatest } from '../../db/migrate.js';
import { tenantTables } from '../../db/tenant-isolation/tenant-tables.js';
import { tenantTransaction } from '../../db/tenant-isolation/tenant-transaction.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import { jobQueue } from '../../src/ingestion/jobs/job-queue.js';
import { insertTenantRows, OTHER_TENANT, OWN_TENANT } from './support/tenant-rows.js';

/** Who may do everything. */
let administrator: pg.Client;
const owned: Owned[] = [];

/** A database and its owner of the same name, who is no superuser. */
interface Owned {
  name: string;
  url: string;
}

beforeAll(async () => {
  administrator = new pg.Client({ connectionString: inject('postgresUrl') });
  await administrator.connect();
});

afterEach(async () => {
  for (const { name } of owned.splice(0)) {
    const { rows } = await administrator.query(
      'select distinct roleid::regrole::text as role from pg_auth_members where member = $1::regrole',
      [name],
    );
    await administrator.query(`drop database ${name} with (force)`);
    for (const { role } of rows) await administrator.query(`drop role ${role}`);
    await administrator.query(`drop role ${name}`);
  }
});

afterAll(async () => {
  await administrator?.end();
});

async function createOwned(kind: string, attributes = ''): Promise<Owned> {
  const name = `${kind}_${process.pid}`;
  await administrator.query(`create role ${name} login password 'secret' ${attributes}`);
  await administrator.query(`create database ${name} owner ${name}`);
  const database = { name, url: urlOf(name, name) };
  owned.push(database);
  return database;
}

function urlOf(user: string, database: string): string {
  const url = new URL(inject('postgresUrl'));
  return Object.assign(url, { username: user, password: 'secret', pathname: `/${database}` }).href;
}

/** Runs the statements that the message asks an administrator for, until there are no more. */
async function migrateWithHelp({ url }: Owned): Promise<void> {
  const message = await failureOf(url);
  await administrator.query(message.split('start again: ')[1] as string);
  await migrateToLatest(url);
}

const failureOf = (url: string): Promise<string> =>
  migrateToLatest(url).then(
    () => expect.unreachable(),
    (error: Error) => error.message,
  );

async function withSession<T>(url: string, work: (session: pg.Client) => Promise<T>): Promise<T> {
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  try {
    return await work(session);
  } finally {
    await session.end();
  }
}

const roleOf = ({ url }: Owned): Promise<string> =>
  withSession(url, async (session) => (await session.query('select tenant_role() as role')).rows[0].role);

/** Puts rows of two tenants into the database, and tells which documents one of them finds. */
async function useWalls({ url }: Owned): Promise<string[]> {
  const client = connectDatabase(url, { max: 2 });
  try {
    const db = unscoped(client.db, 'The test looks at everything.');
    await insertTenantRows(db, OWN_TENANT);
    await insertTenantRows(db, OTHER_TENANT);
    return await tenantTransaction(db, OWN_TENANT.tenantId, async (tx) => {
      await jobQueue.enqueue(tx, OWN_TENANT.tenantId, [{ documentId: 'document of ours', sizeBytes: 1 }]);
      const found = await tx.selectFrom('documents').select('id').execute();
      return found.map(({ id }) => id);
    });
  } finally {
    await client.close();
  }
}

test('a database user who may not create roles is told what an administrator has to do', async () => {
  const plain = await createOwned('plain');
  const message = await failureOf(plain.url);
  const [role] = /lectern_tenant_[0-9a-f]{16}/.exec(message) as RegExpExecArray;
  const asks = (statements: string) =>
    `The database user ${plain.name} may not create or grant the role ${role}. ` +
    `Have an administrator run this, then start again: ${statements}`;
  expect(message).toBe(asks(`create role ${role} nologin; grant ${role} to ${plain.name};`));
  await administrator.query(`create role ${role} nologin`);
  expect(await failureOf(plain.url)).toBe(asks(`grant ${role} to ${plain.name};`));
  await administrator.query(`grant ${role} to ${plain.name}`);
  await migrateToLatest(plain.url);
  expect(await roleOf(plain)).toBe(role);
  expect(await useWalls(plain)).toEqual(['document of ours']);
});

test('a role that may bypass row-level security is refused', async () => {
  const plain = await createOwned('bypassing');
  const [role] = /lectern_tenant_\w+/.exec(await failureOf(plain.url)) as RegExpExecArray;
  await administrator.query(`create role ${role} bypassrls; grant ${role} to ${plain.name}`);
  expect(await failureOf(plain.url)).toBe(
    `The role ${role} may bypass row-level security. ` +
      `Have an administrator run this, then start again: alter role ${role} nosuperuser nobypassrls;`,
  );
  await administrator.query(`alter role ${role} nosuperuser nobypassrls`);
  await migrateToLatest(plain.url);
});

test('the owner of the database may delete from the audit log, and change nothing in it', async () => {
  const plain = await createOwned('owner', 'createrole');
  await migrateToLatest(plain.url);
  await useWalls(plain);
  await withSession(plain.url, async (session) => {
    const { rows } = await session.query<{ name: string }>(
      `select relname as name from pg_class where relname like 'audit\\_events%' and relkind in ('r', 'p')`,
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { name } of rows) {
      for (const change of [`update ${name} set action = 'x'`, `truncate ${name}`])
        await expect(session.query(change), change).rejects.toMatchObject({ code: INSUFFICIENT_PRIVILEGE });
    }
    await session.query(`select split_audit_events(date_trunc('month', now() + interval '1 year', 'UTC'))`);
    await expect(session.query('truncate audit_events_open')).rejects.toMatchObject({
      code: INSUFFICIENT_PRIVILEGE,
    });
    const { rowCount } = await session.query('delete from audit_events where tenant_id = $1', [
      OWN_TENANT.tenantId,
    ]);
    expect(rowCount).toBe(1);
  });
});

test('two databases of one server do not open each other', async () => {
  const [one, other] = [await createOwned('one'), await createOwned('other', 'createrole')];
  await Promise.all([migrateWithHelp(one), migrateToLatest(other.url)]);
  expect(await useWalls(one)).toEqual(['document of ours']);
  expect(await useWalls(other)).toEqual(['document of ours']);
  for (const [visitor, host] of [
    [one, other],
    [other, one],
  ] as const) {
    const [own, foreign] = [await roleOf(visitor), await roleOf(host)];
    await withSession(urlOf(visitor.name, host.name), async (session) => {
      await session.query(`set lectern.tenant_id = '${OWN_TENANT.tenantId}'`);
      const refused = expect.objectContaining({ code: INSUFFICIENT_PRIVILEGE });
      await expect(session.query(`set role ${foreign}`)).rejects.toEqual(refused);
      for (const role of ['none', own]) {
        await session.query(`set role ${role}`);
        for (const table of tenantTables) {
          await expect(session.query(`select from ${table}`), table).rejects.toEqual(refused);
          await expect(session.query(`insert into ${table} default values`), table).rejects.toEqual(refused);
          await expect(session.query(`update ${table} set tenant_id = 'x'`), table).rejects.toEqual(refused);
          await expect(session.query(`delete from ${table}`), table).rejects.toEqual(refused);
        }
      }
    });
  }
});

const INSUFFICIENT_PRIVILEGE = '42501';
