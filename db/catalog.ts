/** A table as it is in the database. */
export interface CatalogTable {
  name: string;
  isPartitioned: boolean;
  columns: string[];
  /** Columns whose values PostgreSQL computes from the others. */
  generated: string[];
  /** The columns of its primary key; none where it is partitioned. */
  key: string[];
  /** Other tables that its foreign keys refer to. */
  parents: string[];
}

/** The column with the names of files in the storage, in each table that has such. */
export const FILE_COLUMN = 'file_key';

/** Every table of the schema but partitions, by name. For any client: its rows are `CatalogTable`. */
export const TABLES_QUERY = `
  select t.relname::text as name, t.relkind = 'p' as "isPartitioned",
    array(select attname::text from pg_attribute
          where attrelid = t.oid and attnum > 0 and not attisdropped order by attnum) as columns,
    array(select attname::text from pg_attribute
          where attrelid = t.oid and attnum > 0 and not attisdropped and attgenerated <> '' order by attnum) as generated,
    array(select a.attname::text
          from pg_index as i
          cross join lateral unnest(i.indkey::smallint[]) with ordinality as part (number, place)
          join pg_attribute as a on a.attrelid = t.oid and a.attnum = part.number
          where i.indrelid = t.oid and i.indisprimary order by part.place) as key,
    array(select distinct parent.relname::text
          from pg_constraint as c join pg_class as parent on parent.oid = c.confrelid
          where c.conrelid = t.oid and c.contype = 'f' and parent.oid <> t.oid) as parents
  from pg_class as t
  where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
  order by t.relname`;

/** Tables that refer to others before these: rows can be deleted in this order, and added in the reverse one. */
export function childrenFirst<T extends CatalogTable>(tables: readonly T[]): T[] {
  const ordered: T[] = [];
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
