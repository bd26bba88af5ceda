import { sql } from 'kysely';
import { type CatalogTable, childrenFirst, FILE_COLUMN, TABLES_QUERY } from '../../../db/catalog.js';
import type { Queryable } from '../../../db/schema.js';
import { tenantTables } from '../../../db/tenant-isolation/tenant-tables.js';

/** A table whose rows belong to tenants. */
export type TenantTable = CatalogTable;

/**
 * Every tenant table, those that refer to others before these: rows can be deleted in this order.
 *
 * @throws Error where the database has other tables with a `tenant_id` than `tenantTables` lists
 */
export async function readTenantTables(db: Queryable): Promise<TenantTable[]> {
  const { rows: tables } = await sql.raw<CatalogTable>(TABLES_QUERY).execute(db);
  const rows = tables.filter(({ columns }) => columns.includes('tenant_id'));
  const differing = [
    ...rows.filter(({ name }) => !tenantTables.has(name)).map(({ name }) => name),
    ...[...tenantTables].filter((name) => !rows.some((row) => row.name === name)),
  ];
  if (differing.length > 0) {
    throw new Error(
      `The database and this version differ in the tables of tenants: ${differing.join(', ')}.`,
    );
  }
  return childrenFirst(rows);
}

/** How many rows of the tenant each table has, by its name. */
export async function countTenantRows(
  db: Queryable,
  tables: TenantTable[],
  tenantId: string,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(name)} where tenant_id = ${tenantId}
    `.execute(db);
    counts.set(name, rows[0]?.count ?? 0);
  }
  return counts;
}

/** How many files of the tenant its rows name. */
export async function countTenantFiles(
  db: Queryable,
  tables: TenantTable[],
  tenantId: string,
): Promise<number> {
  let files = 0;
  for (const { name } of tablesWithFiles(tables)) {
    const { rows } = await sql<{ count: number }>`
      select count(distinct ${sql.ref(FILE_COLUMN)}) as count from ${sql.table(name)} where tenant_id = ${tenantId}
    `.execute(db);
    files += rows[0]?.count ?? 0;
  }
  return files;
}

export const tablesWithFiles = (tables: TenantTable[]): TenantTable[] =>
  tables.filter(({ columns }) => columns.includes(FILE_COLUMN));
