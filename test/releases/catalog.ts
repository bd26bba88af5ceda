import type pg from 'pg';

export interface Table {
  name: string;
  /** Those that are stored as they are given. */
  columns: string[];
  isPartitioned: boolean;
}

/** Every table with rows of its own, those that others refer to before these. Partitions are parts of their table. */
export async function readTables(database: pg.Pool): Promise<Table[]> {
  const { rows } = await database.query<Table & { parents: string[] }>(`
    select t.relname::text as name, t.relkind = 'p' as "isPartitioned",
      array(select quote_ident(attname) from pg_attribute
            where attrelid = t.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
      array(select distinct c.confrelid::regclass::text from pg_constraint as c
            where c.conrelid = t.oid and c.contype = 'f' and c.confrelid <> t.oid) as parents
    from pg_class as t
    where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
    order by t.relname`);
  const ordered: Table[] = [];
  for (let left = rows; left.length > 0; ) {
    const isThere = (name: string) => ordered.some((table) => table.name === name);
    const free = left.filter(({ parents }) => parents.every(isThere));
    if (free.length === 0) throw new Error(`foreign keys form a circle: ${left.map(({ name }) => name)}`);
    ordered.push(...free);
    left = left.filter((table) => !free.includes(table));
  }
  return ordered;
}

/** The tables that have no rows. */
export async function findEmptyTables(database: pg.Pool): Promise<string[]> {
  const empty: string[] = [];
  for (const { name } of await readTables(database)) {
    const { rows } = await database.query(`select exists (select from ${name}) as filled`);
    if (!rows[0]?.filled) empty.push(name);
  }
  return empty;
}

/** All that a schema is made of, a line for each, without the name of the tenant's role. */
export async function describeSchema(database: pg.Pool): Promise<string[]> {
  const { rows } = await database.query<{ line: string }>(`
    select replace(line, tenant_role(), 'TENANT_ROLE') as line from (
      select format('column %s.%s %s %s %s', table_name, column_name, udt_name, is_nullable, column_default)
      from information_schema.columns where table_schema = current_schema() and table_name <> 'kysely_migration'
      union all select indexdef from pg_indexes where schemaname = current_schema()
      union all select format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = current_schema()::regnamespace and contype <> 'n'
      union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
      union all select format('policy %s %s %s %s %s %s', tablename, policyname, permissive, roles, qual, with_check)
      from pg_policies where schemaname = current_schema()
      union all select pg_get_functiondef(oid) from pg_proc where pronamespace = current_schema()::regnamespace and prokind <> 'a'
      union all select format('grant %s %s %s', relname, pg_get_userbyid(grantee), privilege_type)
      from pg_class cross join lateral aclexplode(relacl)
      where relnamespace = current_schema()::regnamespace and grantee <> grantor
      union all select format('sequence %s', relname) from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'S'
    ) as described (line) order by 1`);
  return rows.map(({ line }) => line);
}
