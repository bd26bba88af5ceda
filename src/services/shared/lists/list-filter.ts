import { createHash } from 'node:crypto';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { FeedbackVerdict } from '../../../../db/enums.js';
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
  /** A part of a document's name, title or URL, in upper or lower case. Such filters have no counters. */
  nameContains?: string | undefined;
  /** Only documents with warnings. Such filters have no counters. */
  hasWarnings?: true | undefined;
  /** Only documents that failed with this code. Such filters have no counters. */
  failureCode?: string | undefined;
  /** Only conversations of this user. Such filters have no counters. */
  userId?: string | undefined;
  /** Only what was created from one time on, and before the other. Such filters have no counters. */
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
  /** Ids of labels of conversations. Such filters have no counters. */
  labels?: readonly string[] | undefined;
  /** Only conversations with a message of this feedback. Such filters have no counters. */
  feedback?: FeedbackVerdict | undefined;
}

/** One value or any of several, which statements are built differently for. */
export type Values = { one: string } | { several: string[] };

/** The conditions of a filter: statements are built for the fields that are set, and need no value. */
export interface ListConditions {
  list: CountedList;
  tenantId?: string | undefined;
  tenantUnitIds?: Values | undefined;
  statuses?: Values | undefined;
  agentId?: string | undefined;
  assignmentId?: string | undefined;
  documentTypes?: Values | undefined;
  datasetIds?: Values | undefined;
  reachedDatasetIds?: Values | undefined;
  nameContains?: string | undefined;
  hasWarnings?: true | undefined;
  failureCode?: string | undefined;
  userId?: string | undefined;
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
  labels?: Values | undefined;
  feedback?: FeedbackVerdict | undefined;
  /** Names the counter, the same for filters that mean the same. */
  counter: string;
}

export function toConditions<F extends ListFilter>(filter: F): ListConditions & Pick<F, 'tenantId'> {
  const { list, tenantId, agentId, assignmentId, nameContains, hasWarnings, failureCode } = filter;
  const { userId, createdFrom, createdBefore, feedback } = filter;
  const columns = toCounterColumns(filter);
  const { tenantUnitIds, statuses, documentTypes, datasetIds, reachedDatasetIds } = columns;
  return {
    list,
    tenantId,
    agentId,
    assignmentId,
    tenantUnitIds: toValues(tenantUnitIds),
    statuses: toValues(statuses),
    documentTypes: toValues(documentTypes),
    datasetIds: toValues(datasetIds),
    reachedDatasetIds: toValues(reachedDatasetIds),
    nameContains,
    hasWarnings,
    failureCode,
    userId,
    createdFrom,
    createdBefore,
    labels: toValues(distinct(filter.labels)),
    feedback,
    counter: createHash('sha256').update(JSON.stringify(columns)).digest('base64url'),
  };
}

/** Those of one tenant. */
export interface TenantConditions extends ListConditions {
  tenantId: string;
}

export const isOfTenant = (filter: ListConditions): filter is TenantConditions =>
  filter.tenantId !== undefined;

/** Whether its total is kept. */
export const hasCounter = (filter: ListConditions): filter is TenantConditions =>
  isOfTenant(filter) && UNCOUNTED.every((field) => filter[field] === undefined);

/** By what counters do not tell entries apart. */
const UNCOUNTED = [
  'nameContains',
  'hasWarnings',
  'failureCode',
  'userId',
  'createdFrom',
  'createdBefore',
  'labels',
  'feedback',
] as const;

/** The columns of a filter's counter: the same for filters that mean the same. */
export const toCounterColumns = (filter: ListFilter) => ({
  tenantUnitIds: distinct(filter.tenantUnitIds),
  statuses: distinct(filter.statuses),
  agentId: filter.agentId ?? null,
  assignmentId: filter.assignmentId ?? null,
  documentTypes: distinct(filter.documentTypes),
  datasetIds: distinct(filter.datasetIds),
  reachedDatasetIds: distinct(filter.reachedDatasetIds),
});

const distinct = (values: readonly string[] | undefined): string[] | null =>
  values ? [...new Set(values)].sort() : null;

function toValues(values: string[] | null): Values | undefined {
  if (!values) return undefined;
  const [one] = values;
  return one !== undefined && values.length === 1 ? { one } : { several: values };
}

/** Conditions of a filter on a table of entries or of their changes, without those on columns that `except` names. */
export function filterConditions(
  filter: ListConditions,
  table: string,
  except: readonly FilterColumn[] = [],
): RawBuilder<SqlBool>[] {
  const { tenantId, agentId, assignmentId, datasetIds, reachedDatasetIds } = filter;
  const { nameContains, hasWarnings, failureCode, userId, labels, feedback } = filter;
  return [
    ...(tenantId === undefined ? [] : [equals(table, 'tenant_id', tenantId)]),
    ...filterColumns(filter).flatMap(({ column, values }) =>
      except.includes(column) ? [] : [isAnyOf(table, column, values)],
    ),
    ...(agentId === undefined ? [] : [equals(table, 'agent_id', agentId)]),
    ...(assignmentId === undefined ? [] : [equals(table, 'assignment_id', assignmentId)]),
    ...(userId === undefined ? [] : [equals(table, 'user_id', userId)]),
    ...(labels === undefined ? [] : [hasAnyOf(table, 'labels', labels)]),
    ...(feedback === undefined ? [] : [hasFeedback(table, tenantId, feedback)]),
    ...timeConditions(filter, table),
    ...[datasetIds, reachedDatasetIds].flatMap((ids) => (ids ? [hasAnyOf(table, 'dataset_ids', ids)] : [])),
    ...(nameContains === undefined ? [] : [hasNameWith(table, nameContains)]),
    ...(hasWarnings === undefined ? [] : [sql<SqlBool>`${sql.ref(`${table}.warnings`)} <> '[]'`]),
    ...(failureCode === undefined ? [] : [hasFailedWith(table, failureCode)]),
  ];
}

/** Those on the time of creation. */
export function timeConditions(
  { createdFrom, createdBefore }: Pick<ListConditions, 'createdFrom' | 'createdBefore'>,
  table: string,
): RawBuilder<SqlBool>[] {
  const time = sql.ref(`${table}.created_time`);
  return [
    ...(createdFrom === undefined ? [] : [sql<SqlBool>`${time} >= ${createdFrom}::timestamptz`]),
    ...(createdBefore === undefined ? [] : [sql<SqlBool>`${time} < ${createdBefore}::timestamptz`]),
  ];
}

/** A column that several values are given for. */
export type FilterColumn = 'tenant_unit_id' | 'status' | 'document_type';

export const filterColumns = (filter: ListConditions): { column: FilterColumn; values: Values }[] =>
  (
    [
      ['tenant_unit_id', filter.tenantUnitIds],
      ['status', filter.statuses],
      ['document_type', filter.documentTypes],
    ] as const
  ).flatMap(([column, values]) => (values ? [{ column, values }] : []));

export const equals = (table: string, column: string, value: string) =>
  sql<SqlBool>`${sql.ref(`${table}.${column}`)} = ${value}`;

/** Documents that are tried again have the error of the last attempt, too. */
const hasFailedWith = (table: string, code: string) =>
  sql<SqlBool>`(${equals(table, 'status', 'failed')} and ${failureCodeOf(table)} = ${code})`;

/** What every value of it is, which the index of such messages requires, stands beside it. */
const hasFeedback = (
  table: string,
  tenantId: string | undefined,
  feedback: FeedbackVerdict,
) => sql<SqlBool>`exists (
  select from messages as judged
  where judged.tenant_id = ${tenantId ?? sql.ref(`${table}.tenant_id`)} and judged.conversation_id = ${sql.ref(`${table}.id`)}
    and judged.feedback in ('up', 'down') and judged.feedback = ${feedback}
)`;

export const failureCodeOf = (table: string): RawBuilder<string> =>
  sql`coalesce(${sql.ref(`${table}.error`)}->>'code', 'internal')`;

/** An index gives rows in their order for one value, but not for an array of one. */
const isAnyOf = (table: string, column: string, values: Values) =>
  'one' in values
    ? equals(table, column, values.one)
    : sql<SqlBool>`${sql.ref(`${table}.${column}`)} = any(${values.several})`;

const hasAnyOf = (table: string, column: string, ids: Values) =>
  sql<SqlBool>`${sql.ref(`${table}.${column}`)} && ${toTextArray(ids)}`;

const NAME_COLUMNS = ['document_name', 'title', 'url'];

/** The text is searched for as it is: nothing in it is a wildcard. */
const hasNameWith = (table: string, part: string) => {
  const columns = NAME_COLUMNS.map(
    (column) => sql`strpos(lower(${sql.ref(`${table}.${column}`)}), lower(${part})) > 0`,
  );
  return sql<SqlBool>`(${sql.join(columns, sql` or `)})`;
};

export const toTextArray = (values: Values) =>
  'one' in values ? sql`array[${values.one}]::text[]` : sql`${values.several}::text[]`;

export const all = (conditions: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
