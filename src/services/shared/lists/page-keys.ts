import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { all, distinct, equals, filterColumns, filterConditions, type ListFilter } from './list-filter.js';

/** What selectPageKeys selects. */
export interface PageKey {
  tenantId: string;
  createdTime: Date;
  id: string;
}

/** A part of a list: entries from one end, or from a time on, in the order of creation. */
export interface Slice {
  direction: 'asc' | 'desc';
  /** Entries created since, or before where the direction is `desc`; a timestamp as PostgreSQL writes it. */
  start?: string | undefined;
  offset: number;
  limit: number;
}

/**
 * Selects `tenant_id`, `created_time` and `id` of a slice, in its direction. Each value of a filter is read in the order
 * of an index, whatever the planner's statistics are.
 */
export function selectPageKeys(filter: ListFilter, slice: Slice): RawBuilder<unknown> {
  const [datasetId, ...others] = distinct(filter.datasetIds ?? filter.reachedDatasetIds) ?? [];
  if (datasetId !== undefined && others.length === 0) return selectKeysOfDataset(filter, datasetId, slice);
  const spread = filterColumns(filter).filter(({ values }) => values.length > 1);
  const one = sql.table(filter.list);
  const fixed = filterConditions(
    filter,
    filter.list,
    spread.map(({ column }) => column),
  );
  if (spread.length === 0) return selectOrdered(one, filter.list, 'id', fixed, slice);
  const sources = spread.map(
    ({ column, values }) => sql`unnest(${values}::text[]) as ${sql.table(`asked_${column}`)} (value)`,
  );
  const matches = spread.map(
    ({ column }) =>
      sql<SqlBool>`${sql.ref(`${filter.list}.${column}`)} = ${sql.ref(`asked_${column}.value`)}`,
  );
  const branch = { ...slice, offset: 0, limit: slice.offset + slice.limit };
  return sql`
    select entry.* from ${sql.join(sources, sql` cross join `)}
    cross join lateral (${selectOrdered(one, filter.list, 'id', [...fixed, ...matches], branch)}) as entry
    ${orderAndLimit('entry', 'id', slice)}`;
}

/** The rows of a dataset are in the order of its documents. */
function selectKeysOfDataset(filter: ListFilter, datasetId: string, slice: Slice): RawBuilder<unknown> {
  const { tenantId = '', datasetIds, reachedDatasetIds, ...others } = filter;
  const rest = { ...others, ...(datasetIds && { reachedDatasetIds }) };
  const conditions = filterConditions(rest, 'd');
  // The limit prevents that documents are read first.
  const documents = sql`cross join lateral (
    select from documents as d where d.tenant_id = ${tenantId} and d.id = m.document_id and ${all(conditions)} limit 1) as d`;
  const source = sql`document_datasets as m ${conditions.length > 0 ? documents : sql``}`;
  const own = [equals('m', 'tenant_id', tenantId), equals('m', 'dataset_id', datasetId)];
  return selectOrdered(source, 'm', 'document_id', own, slice);
}

function selectOrdered(
  source: RawBuilder<unknown>,
  table: string,
  id: string,
  conditions: RawBuilder<SqlBool>[],
  slice: Slice,
): RawBuilder<unknown> {
  const { direction, start } = slice;
  const time = sql.ref(`${table}.created_time`);
  const since = direction === 'asc' ? sql`>=` : sql`<`;
  const bounds = start === undefined ? [] : [sql<SqlBool>`${time} ${since} ${start}::timestamptz`];
  return sql`
    select ${sql.ref(`${table}.tenant_id`)}, ${time}, ${sql.ref(`${table}.${id}`)} as id
    from ${source} where ${all([...conditions, ...bounds])}
    ${orderAndLimit(table, id, slice)}`;
}

function orderAndLimit(table: string, id: string, { direction, offset, limit }: Slice): RawBuilder<unknown> {
  const way = direction === 'asc' ? sql`asc` : sql`desc`;
  return sql`order by ${sql.ref(`${table}.created_time`)} ${way}, ${sql.ref(`${table}.${id}`)} ${way} limit ${limit} offset ${offset}`;
}
