import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import { tenantTables } from '../../../db/tenant-isolation/tenant-tables.js';

/** A table whose rows belong to tenants, as it is in the database. */
export interface TenantTable {
  name: string;
  columns: string[];
  /** The columns of its primary key. */
  key: string[];
  /** Other tenant tables that its foreign keys refer to. */
  parents: string[];
}

/**
 * Every tenant table, those that refer to others before these: rows can be deleted in this order.
 *
 * @throws Error where the database has other tables with a `tenant_id` than `tenantTables` lists
 */
export async function readTenantTables(db: Queryable): Promise<TenantTable[]> {
  const { rows } = await sql<TenantTable>`
    select t.relname::text as name,
      array(select attname::text from pg_attribute
            where attrelid = t.oid and attnum > 0 and not attisdropped order by attnum) as columns,
      array(select a.attname::text
            from pg_index as i
            cross join lateral unnest(i.indkey::smallint[]) with ordinality as part (number, place)
            join pg_attribute as a on a.attrelid = t.oid and a.attnum = part.number
            where i.indrelid = t.oid and i.indisprimary order by part.place) as key,
      array(select distinct parent.relname::text
            from pg_constraint as c join pg_class as parent on parent.oid = c.confrelid
            where c.conrelid = t.oid and c.contype = 'f' and parent.oid <> t.oid) as parents
    from pg_class as t
    where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p')
      and exists (select from pg_attribute where attrelid = t.oid and attname = 'tenant_id' and not attisdropped)
    order by t.relname
  `.execute(db);
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

function childrenFirst(tables: TenantTable[]): TenantTable[] {
  const ordered: TenantTable[] = [];
  let left = tables;
  while (left.length > 0) {
    const referred = new Set(left.flatMap(({ parents }) => parents));
    const free = left.filter(({ name }) => !referred.has(name));
    // Tables that refer to each other in a circle have no order.
    if (free.length === 0)
      throw new Error(`Foreign keys form a circle: ${left.map(({ name }) => name).join(', ')}.`);
    ordered.push(...free);
    left = left.filter((table) => !free.includes(table));
  }
  return ordered;
}

/** The column with the names of files in the storage, in each table that has such. */
export const FILE_COLUMN = 'file_key';

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
