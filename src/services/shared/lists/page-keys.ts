import { type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  all,
  equals,
  filterColumns,
  filterConditions,
  type TenantConditions,
  type Values,
} from './list-filter.js';

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
  limit: number | RawBuilder<number>;
}

/**
 * Selects `tenant_id`, `created_time` and `id` of a slice, in its direction. Each value of a filter is read in the order
 * of an index, whatever the planner's statistics are.
 */
export function selectPageKeys(filter: TenantConditions, slice: Slice): RawBuilder<PageKey> {
  const datasetIds = filter.datasetIds ?? filter.reachedDatasetIds;
  if (datasetIds) return selectKeysOfDatasets(filter, datasetIds, slice);
  const table = filter.list;
  const spread = filterColumns(filter).flatMap(({ column, values }) =>
    'several' in values ? [{ column, values: values.several }] : [],
  );
  const names = spread.map(({ column }) => column);
  const fixed = filterConditions(filter, table, names);
  if (spread.length === 0) return selectOrdered(sql.table(table), table, 'id', fixed, slice);
  const sources = spread.map(
    ({ column, values }) => sql`unnest(${values}::text[]) as ${sql.table(`asked_${column}`)} (value)`,
  );
  const asked = names.map(
    (column) => sql<SqlBool>`${sql.ref(`${table}.${column}`)} = ${sql.ref(`asked_${column}.value`)}`,
  );
  const branch = selectOrdered(sql.table(table), table, 'id', [...fixed, ...asked], toBranch(slice));
  return sql<PageKey>`
    select entry.* from ${sql.join(sources, sql` cross join `)} cross join lateral (${branch}) as entry
    ${orderAndLimit('entry', 'id', slice)}`;
}

/** Likewise whole rows. The limit prevents that the table is read first, and the keys again for each of its rows. */
export const selectPageRows = (filter: TenantConditions, slice: Slice): RawBuilder<PageKey> => sql<PageKey>`
  select entry.* from (${selectPageKeys(filter, slice)}) as page
  cross join lateral (
    select * from ${sql.table(filter.list)} as one
    where one.tenant_id = ${filter.tenantId} and one.id = page.id limit 1) as entry`;

/** The rows of a dataset are in the order of its documents. A document may be in several. */
function selectKeysOfDatasets(filter: TenantConditions, ids: Values, slice: Slice): RawBuilder<PageKey> {
  const { tenantId, datasetIds, reachedDatasetIds, ...others } = filter;
  const rest = { ...others, ...(datasetIds && { reachedDatasetIds }) };
  const conditions = filterConditions(rest, 'd');
  // The limit prevents that documents are read first.
  const documents = sql`cross join lateral (
    select from documents as d where d.tenant_id = ${tenantId} and d.id = m.document_id and ${all(conditions)} limit 1) as d`;
  const relation = sql`document_datasets as m ${conditions.length > 0 ? documents : sql``}`;
  const ofTenant = equals('m', 'tenant_id', tenantId);
  if ('one' in ids)
    return selectOrdered(relation, 'm', 'document_id', [ofTenant, equals('m', 'dataset_id', ids.one)], slice);
  const asked = sql<SqlBool>`m.dataset_id = asked.dataset_id`;
  const branch = selectOrdered(relation, 'm', 'document_id', [ofTenant, asked], toBranch(slice));
  return sql<PageKey>`
    select entry.* from (
      select distinct one.* from unnest(${ids.several}::text[]) as asked (dataset_id) cross join lateral (${branch}) as one) as entry
    ${orderAndLimit('entry', 'id', slice)}`;
}

/** The first entries of all branches have those of the slice among them. */
const toBranch = (slice: Slice): Slice => ({
  ...slice,
  offset: 0,
  limit: sql<number>`${slice.offset}::bigint + ${slice.limit}::bigint`,
});

function selectOrdered(
  relation: RawBuilder<unknown>,
  table: string,
  id: string,
  conditions: RawBuilder<SqlBool>[],
  slice: Slice,
): RawBuilder<PageKey> {
  const { direction, start } = slice;
  const time = sql.ref(`${table}.created_time`);
  const since = direction === 'asc' ? sql`>=` : sql`<`;
  const bounds = start === undefined ? [] : [sql<SqlBool>`${time} ${since} ${start}::timestamptz`];
  return sql<PageKey>`
    select ${sql.ref(`${table}.tenant_id`)}, ${time}, ${sql.ref(`${table}.${id}`)} as id
    from ${relation} where ${all([...conditions, ...bounds])}
    ${orderAndLimit(table, id, slice)}`;
}

function orderAndLimit(table: string, id: string, { direction, offset, limit }: Slice): RawBuilder<unknown> {
  const way = direction === 'asc' ? sql`asc` : sql`desc`;
  return sql`order by ${sql.ref(`${table}.created_time`)} ${way}, ${sql.ref(`${table}.${id}`)} ${way} limit ${limit} offset ${offset}`;
}
