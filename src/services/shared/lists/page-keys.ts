import { type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  all,
  equals,
  filterColumns,
  filterConditions,
  type TenantConditions,
  timeConditions,
  toTextArray,
  type Values,
} from './list-filter.js';
import { KEY_COLUMNS, type SortKey, sortKey } from './list-order.js';

/** What selectPageKeys selects. */
export interface PageKey {
  tenantId: string;
  createdTime: Date;
  id: string;
}

/** A part of a list: entries from one end, or from a time on, in the order of creation unless `by` is another. */
export interface Slice {
  by?: SortKey;
  direction: 'asc' | 'desc';
  /** Entries created since, or before where the direction is `desc`; a timestamp as PostgreSQL writes it. */
  start?: string | undefined;
  /** Only entries beyond this one, in the direction. */
  after?: { time: string; id: string } | undefined;
  offset: number;
  limit: number | RawBuilder<number>;
}

/**
 * Selects `tenant_id`, `created_time` and `id` of a slice, in its direction. Each value of a filter is read in the order
 * of an index, whatever the planner's statistics are.
 */
export function selectPageKeys(filter: TenantConditions, slice: Slice): RawBuilder<PageKey> {
  const group = groupOf(filter);
  if (slice.by && slice.by !== 'created') return selectSorted(filter, group, slice);
  if (group) return selectKeysOfGroups(filter, group, slice);
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

/** Datasets or labels, whose rows are in the order of their documents or conversations. */
interface Group {
  table: string;
  /** The columns of the entry and of the group. */
  entry: string;
  group: string;
  ids: Values;
  /** The other conditions. */
  rest: TenantConditions;
}

function groupOf({ datasetIds, reachedDatasetIds, labels, ...rest }: TenantConditions): Group | undefined {
  if (labels)
    return { table: 'conversation_labels', entry: 'conversation_id', group: 'label_id', ids: labels, rest };
  const ids = datasetIds ?? reachedDatasetIds;
  return (
    ids && {
      table: 'document_datasets',
      entry: 'document_id',
      group: 'dataset_id',
      ids,
      rest: { ...rest, ...(datasetIds && { reachedDatasetIds }) },
    }
  );
}

/** An entry may be in several groups. */
function selectKeysOfGroups(
  filter: TenantConditions,
  { table, entry, group, ids, rest }: Group,
  slice: Slice,
) {
  const { createdFrom: _, createdBefore: __, ...others } = rest;
  const { tenantId } = rest;
  const [ofTenant, ...conditions] = filterConditions(others, 'd');
  // The limit prevents that entries are read first.
  const entries = sql`cross join lateral (
    select from ${sql.table(filter.list)} as d
    where ${ofTenant} and d.id = ${sql.ref(`m.${entry}`)} and ${all(conditions)} limit 1) as d`;
  const relation = sql`${sql.table(table)} as m ${conditions.length > 0 ? entries : sql``}`;
  const ofGroups = [equals('m', 'tenant_id', tenantId), ...timeConditions(filter, 'm')];
  if ('one' in ids)
    return selectOrdered(relation, 'm', entry, [...ofGroups, equals('m', group, ids.one)], slice);
  const asked = sql<SqlBool>`${sql.ref(`m.${group}`)} = asked.id`;
  const branch = selectOrdered(relation, 'm', entry, [...ofGroups, asked], toBranch(slice));
  return sql<PageKey>`
    select entry.* from (
      select distinct one.* from unnest(${ids.several}::text[]) as asked (id) cross join lateral (${branch}) as one) as entry
    ${orderAndLimit('entry', 'id', slice)}`;
}

/** In another order than that of creation: the planner chooses between its index, and sorting what the filter matches. */
function selectSorted(filter: TenantConditions, group: Group | undefined, slice: Slice) {
  const { list, tenantId } = filter;
  const conditions = filterConditions(group?.rest ?? filter, list);
  if (!group) return selectOrdered(sql.table(list), list, 'id', conditions, slice);
  const isInGroup = sql<SqlBool>`${sql.ref(`${list}.id`)} in (
    select ${sql.ref(`m.${group.entry}`)} from ${sql.table(group.table)} as m
    where m.tenant_id = ${tenantId} and ${sql.ref(`m.${group.group}`)} = any(${toTextArray(group.ids)}))`;
  return selectOrdered(sql.table(list), list, 'id', [...conditions, isInGroup], slice);
}

/** Counts the conversations of a filter with labels: a join, in whichever order the planner takes them. */
export function selectLabelledCount({ labels, ...filter }: TenantConditions & { labels: Values }) {
  const table = filter.list;
  return sql<{ count: number }>`
    select count(*) from ${sql.table(table)}
    where ${all(filterConditions(filter, table))} and ${sql.ref(`${table}.id`)} in (
      select m.conversation_id from conversation_labels as m
      where m.tenant_id = ${filter.tenantId} and m.label_id = any(${toTextArray(labels)})
        and ${all(timeConditions(filter, 'm'))})`;
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
  const { by = 'created', direction, start, after } = slice;
  const isAscending = direction === 'asc';
  const time = sql.ref(`${table}.created_time`);
  const key = sortKey(by, table);
  const bounds: RawBuilder<SqlBool>[] = [];
  if (start !== undefined) bounds.push(sql`${time} ${isAscending ? sql`>=` : sql`<`} ${start}::timestamptz`);
  if (after) {
    const beyond = isAscending ? sql`>` : sql`<`;
    const place = sql`(${time}, ${sql.ref(`${table}.${id}`)})`;
    bounds.push(sql`${place} ${beyond} (${after.time}::timestamptz, ${after.id})`);
  }
  return sql<PageKey>`
    select ${sql.ref(`${table}.tenant_id`)}, ${key} as ${sql.ref(KEY_COLUMNS[by])}, ${sql.ref(`${table}.${id}`)} as id
    from ${relation} where ${all([...conditions, ...bounds])}
    order by ${key} ${way(slice)}, ${sql.ref(`${table}.${id}`)} ${way(slice)} ${limits(slice)}`;
}

/** Of entries that are selected already, in the order of creation. */
const orderAndLimit = (table: string, id: string, slice: Slice): RawBuilder<unknown> =>
  sql`order by ${sql.ref(`${table}.created_time`)} ${way(slice)}, ${sql.ref(`${table}.${id}`)} ${way(slice)} ${limits(slice)}`;

const way = ({ direction }: Slice) => (direction === 'asc' ? sql`asc` : sql`desc`);

const limits = ({ limit, offset }: Slice) => sql`limit ${limit} offset ${offset}`;
