import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type DatabaseClient } from '../../db/client.js';
import { compileOnce } from '../../db/compile-once.js';
import type { Database } from '../../db/schema.js';
import { UnscopedStatementError } from '../../db/tenant-isolation/query-guard/query-guard.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import { type TenantScope, withinTenant } from '../../src/services/shared/tenant-scope.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { insertTenantRows, OTHER_TENANT, OWN_TENANT } from './support/tenant-rows.js';

let database: TestDatabase;
/** One connection: what it has prepared can be read on it. */
let client: DatabaseClient;
let all: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  client = connectDatabase(database.url, { max: 1 });
  all = unscoped(client.db, 'The test looks at everything.');
  await insertTenantRows(all, OWN_TENANT);
  await insertTenantRows(all, OTHER_TENANT);
});

afterAll(async () => {
  await client?.close();
  await database?.drop();
});

/** Counts how often it is built. */
function createSelection() {
  const built: string[][] = [];
  const select = compileOnce(({ scope, status }: { scope: TenantScope; status?: string }) => {
    built.push(Object.keys(scope));
    return client.db
      .selectFrom('conversations')
      .select(['tenantId', 'tenantUnitId'])
      .where(withinTenant(scope))
      .$if(status !== undefined, (q) => q.where(sql<boolean>`status = ${status}`))
      .compile();
  });
  return { built, select };
}

const prepared = async (): Promise<string[]> => {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
    all,
  );
  return rows.map(({ statement }) => statement);
};

test('a statement is built once for each set of fields, and executed with the values given', async () => {
  const { built, select } = createSelection();
  const [own, other] = [OWN_TENANT, OTHER_TENANT].map(({ tenantId, tenantUnitId }) => ({
    tenantId,
    tenantUnitId,
  })) as [Required<TenantScope>, Required<TenantScope>];
  expect(await select({ scope: { tenantId: own.tenantId } }, client.db)).toEqual([own]);
  expect(await select({ scope: { tenantId: other.tenantId } }, client.db)).toEqual([other]);
  expect(await select({ scope: { tenantId: own.tenantId, tenantUnitId: undefined } }, client.db)).toEqual([
    own,
  ]);
  expect(built).toEqual([['tenantId']]);

  expect(await select({ scope: own }, client.db)).toEqual([own]);
  expect(
    await select({ scope: { ...own, tenantUnitId: ['elsewhere', own.tenantUnitId as string] } }, client.db),
  ).toEqual([own]);
  expect(await select({ scope: { ...own, tenantUnitId: [] } }, client.db)).toEqual([]);
  expect(await select({ scope: own, status: 'no such status' }, client.db)).toEqual([]);
  expect(built).toEqual([['tenantId'], ['tenantId', 'tenantUnitId'], ['tenantId', 'tenantUnitId']]);
});

test('it is prepared in the connection, and other statements are not', async () => {
  const select = compileOnce(({ scope }: { scope: TenantScope }) =>
    client.db.selectFrom('conversations').select(['topic', 'version']).where(withinTenant(scope)).compile(),
  );
  const before = await prepared();
  await client.db.selectFrom('conversations').select('agentMode').where('tenantId', '=', 'x').execute();
  for (let i = 0; i < 3; i++) await select({ scope: { tenantId: OWN_TENANT.tenantId } }, client.db);
  expect((await prepared()).filter((statement) => !before.includes(statement))).toEqual([
    'select "topic", "version" from "conversations" where "tenant_id" = $1',
  ]);
});

test('a statement without tenant condition is not sent', async () => {
  const select = compileOnce(({ id }: { id: string }) =>
    client.db.selectFrom('conversations').selectAll().where('id', '=', id).compile(),
  );
  await expect(select({ id: 'x' }, client.db)).rejects.toThrow(UnscopedStatementError);
  await expect(select({ id: 'x' }, client.db)).rejects.toThrow(UnscopedStatementError);
  expect((await prepared()).filter((statement) => statement.includes('where "id"'))).toEqual([]);
});
