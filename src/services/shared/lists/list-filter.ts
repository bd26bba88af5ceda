import { createHash } from 'node:crypto';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { CountedList } from '../../../../db/schema.js';

/** What a list is filtered by. Undefined: not; of several values any, of none nothing. */
export interface ListFilter {
  list: CountedList;
  tenantId?: string | undefined;
  tenantUnitIds?: readonly string[] | undefined;
  statuses?: readonly string[] | undefined;
  agentId?: string | undefined;
  assignmentId?: string | undefined;
  documentTypes?: readonly string[] | undefined;
  datasetIds?: readonly string[] | undefined;
  /** Those of the API key. */
  reachedDatasetIds?: readonly string[] | undefined;
}

/** The tenant of a filter's counter: empty for all tenants. */
export const counterTenant = ({ tenantId }: ListFilter): string => tenantId ?? '';

/** The columns of a filter's counter: the same for filters that mean the same. */
export function toCounterColumns(filter: ListFilter) {
  const columns = {
    tenantUnitIds: distinct(filter.tenantUnitIds),
    statuses: distinct(filter.statuses),
    agentId: filter.agentId ?? null,
    assignmentId: filter.assignmentId ?? null,
    documentTypes: distinct(filter.documentTypes),
    datasetIds: distinct(filter.datasetIds),
    reachedDatasetIds: distinct(filter.reachedDatasetIds),
  };
  const hash = createHash('sha256').update(JSON.stringify(columns)).digest('base64url');
  return { ...columns, filter: hash };
}

export const distinct = (values: readonly string[] | undefined): string[] | null =>
  values ? [...new Set(values)].sort() : null;

/** Conditions of a filter on a table of entries, without those on columns that `except` names. */
export function filterConditions(
  filter: ListFilter,
  table: string,
  except: readonly FilterColumn[] = [],
): RawBuilder<SqlBool>[] {
  const { tenantId, agentId, assignmentId, datasetIds, reachedDatasetIds } = filter;
  return [
    ...(tenantId === undefined ? [] : [equals(table, 'tenant_id', tenantId)]),
    ...filterColumns(filter).flatMap(({ column, values }) =>
      except.includes(column) ? [] : [isAnyOf(table, column, values)],
    ),
    ...(agentId === undefined ? [] : [equals(table, 'agent_id', agentId)]),
    ...(assignmentId === undefined ? [] : [equals(table, 'assignment_id', assignmentId)]),
    ...[datasetIds, reachedDatasetIds].flatMap((ids) => (ids ? [isInDatasets(table, ids)] : [])),
  ];
}

/** A column that several values are given for. */
export type FilterColumn = 'tenant_unit_id' | 'status' | 'document_type';

export const filterColumns = (filter: ListFilter): { column: FilterColumn; values: string[] }[] =>
  (
    [
      ['tenant_unit_id', filter.tenantUnitIds],
      ['status', filter.statuses],
      ['document_type', filter.documentTypes],
    ] as const
  ).flatMap(([column, values]) => (values ? [{ column, values: distinct(values) as string[] }] : []));

export const equals = (table: string, column: string, value: string) =>
  sql<SqlBool>`${sql.ref(`${table}.${column}`)} = ${value}`;

/** An index gives rows in their order for one value, but not for an array of one. */
const isAnyOf = (table: string, column: string, values: string[]) =>
  values.length === 1
    ? equals(table, column, values[0] as string)
    : sql<SqlBool>`${sql.ref(`${table}.${column}`)} = any(${values})`;

const isInDatasets = (table: string, ids: readonly string[]) =>
  sql<SqlBool>`${sql.ref(`${table}.dataset_ids`)} && ${[...ids]}::text[]`;

export const all = (conditions: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
