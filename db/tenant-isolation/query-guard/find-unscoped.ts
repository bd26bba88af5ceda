import {
  type DeleteStmt,
  type InsertStmt,
  type LockingClause,
  loadModule,
  type Node,
  type OnConflictClause,
  parseSync,
  type RangeVar,
  type SelectStmt,
  type UpdateStmt,
} from 'libpg-query';
import { isTenantTable } from '../tenant-tables.js';
import { forEachNode } from './nodes.js';
import { boundTables } from './query-block.js';
import { tenantBindingsOf } from './tenant-bindings.js';

await loadModule();

const QUERIES = new Set([
  'SelectStmt',
  'InsertStmt',
  'UpdateStmt',
  'DeleteStmt',
  'MergeStmt',
  'DeclareCursorStmt',
]);
/** Commands that name tables, but neither read nor write rows. */
const COMMANDS = new Set(['AlterTableStmt', 'RenameStmt', 'LockStmt', 'GrantStmt']);

/**
 * Finds a tenant table that a statement uses without a tenant condition. Every reference needs a condition in
 * its own query that binds `tenant_id` to a value or to a bound `tenant_id`; inserts need the column. Which
 * tenant it is, is checked by the services and by row-level security.
 *
 * @returns the table; undefined if every reference is bound
 * @throws Error if the statement cannot be parsed
 */
export function findUnscopedTable(sql: string): string | undefined {
  // The parser would take it for the end.
  if (sql.includes('\0')) throw new Error('it contains a NUL character');
  for (const { stmt } of parseSync(sql).stmts ?? []) {
    const table = stmt && findUnboundReference(stmt);
    if (table) return table.relname;
  }
  return undefined;
}

/** Has the parser compiled, which takes some 15 ms: the first statement would hold up all others meanwhile. */
export const compileParser = (): void => void parseSync('select 1');

function findUnboundReference(stmt: Node): RangeVar | undefined {
  const [kind = ''] = Object.keys(stmt);
  if (COMMANDS.has(kind)) return undefined;
  const unbound = new Set<RangeVar>();
  const bound: RangeVar[] = [];
  forEachNode(stmt, (key, node) => {
    if ('relname' in node && isTenantTable(node.relname as string)) unbound.add(node as RangeVar);
    if (QUERIES.has(kind)) bound.push(...boundReferences(key, node));
  });
  for (const reference of bound) unbound.delete(reference);
  return unbound.values().next().value;
}

/** The references to tenant tables that a query binds, without those of its subqueries. */
function boundReferences(key: string, node: object): RangeVar[] {
  if (key === 'InsertStmt') return boundTarget(node);
  if (key === 'LockingClause') return lockedAliases(node);
  const { relation, fromClause, usingClause, whereClause } = node as SelectStmt & UpdateStmt & DeleteStmt;
  if (key === 'UpdateStmt' || key === 'DeleteStmt') {
    const target: Node[] = relation ? [{ RangeVar: relation }] : [];
    return boundTables([...target, ...(fromClause ?? usingClause ?? [])], whereClause);
  }
  return fromClause ? boundTables(fromClause, whereClause) : [];
}

/** What `for update of` names are sources of its query, which are checked there. */
const lockedAliases = ({ lockedRels = [] }: LockingClause): RangeVar[] =>
  lockedRels.flatMap((node) => ('RangeVar' in node ? [node.RangeVar] : []));

function boundTarget({ relation, cols = [], onConflictClause }: InsertStmt): RangeVar[] {
  const namesTenant = cols.some((column) => 'ResTarget' in column && column.ResTarget.name === 'tenant_id');
  return relation && namesTenant && keepsTenant(relation, onConflictClause) ? [relation] : [];
}

/** Whether `on conflict` can only update a row of the same tenant. */
function keepsTenant({ relname, alias }: RangeVar, conflict: OnConflictClause = {}): boolean {
  const { action = 'ONCONFLICT_NOTHING', infer, whereClause } = conflict;
  if (action === 'ONCONFLICT_NOTHING') return true;
  const key = infer?.indexElems ?? [];
  if (key.some((column) => 'IndexElem' in column && column.IndexElem.name === 'tenant_id')) return true;
  const target = alias?.aliasname ?? relname;
  return tenantBindingsOf(whereClause).some(
    ({ alias, boundTo }) => alias === target && (boundTo === 'value' || boundTo.alias === 'excluded'),
  );
}
