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
import { isOnCoordinator, isOnShard, isTenantTable } from '../tenant-tables.js';
import { forEachNode } from './nodes.js';
import { boundTables, isFromFunction } from './query-block.js';
import { isValue, tenantBindingsOf, tenantColumn } from './tenant-bindings.js';

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
 * Finds a tenant table that a statement uses without a tenant condition. Every reference needs a condition in its own query
 * that binds `tenant_id` to a value, also through other tables of that query; inserts need the column, on shards with a
 * value or with the tenant of a bound table. So one shard is enough for each. Which tenant it is, is checked by the
 * services and by row-level security.
 *
 * @returns the table; undefined if every reference is bound
 * @throws Error if the statement cannot be parsed, or needs a shard and the coordinator of a cluster
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
  const names = new Set<string>();
  forEachNode(stmt, (key, node) => {
    if ('relname' in node) {
      names.add(node.relname as string);
      if (isTenantTable(node.relname as string)) unbound.add(node as RangeVar);
    }
    if (QUERIES.has(kind)) bound.push(...boundReferences(key, node));
  });
  for (const reference of bound) unbound.delete(reference);
  if (unbound.size === 0) assertOnOneNode([...names]);
  return unbound.values().next().value;
}

/** @throws Error where a cluster has some of the tables on shards and others on the coordinator alone */
function assertOnOneNode(names: string[]): void {
  const sharded = names.find(isOnShard);
  const other = names.find(isOnCoordinator);
  if (sharded && other)
    throw new Error(
      `a cluster has ${sharded} on shards, and ${other} on its coordinator; ask them one by one`,
    );
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

function boundTarget({ relation, cols = [], selectStmt, onConflictClause }: InsertStmt): RangeVar[] {
  const place = cols.findIndex((column) => 'ResTarget' in column && column.ResTarget.name === 'tenant_id');
  if (!relation || place < 0 || !keepsTenant(relation, onConflictClause)) return [];
  const isBound = !isOnShard(relation.relname ?? '') || (selectStmt && givesTenant(selectStmt, place));
  return isBound ? [relation] : [];
}

/** Whether the column of a query at the place has a value, or the tenant of one of its sources but functions. */
function givesTenant(query: Node, place: number): boolean {
  if (!('SelectStmt' in query)) return false;
  const { valuesLists, targetList = [], fromClause = [], larg, rarg } = query.SelectStmt;
  if (larg && rarg) return [larg, rarg].every((one) => givesTenant({ SelectStmt: one }, place));
  if (valuesLists) return valuesLists.every((row) => 'List' in row && isValue(row.List.items?.[place]));
  const targets = targetList.map((target) => ('ResTarget' in target ? target.ResTarget.val : undefined));
  if (targets.slice(0, place).some(isStar)) return false;
  const target = targets[place];
  const column = tenantColumn(target);
  return isValue(target) || (column !== undefined && !isFromFunction(fromClause, column));
}

const isStar = (node: Node | undefined): boolean =>
  node !== undefined &&
  'ColumnRef' in node &&
  (node.ColumnRef.fields ?? []).some((field) => 'A_Star' in field);

/** Whether `on conflict` can only update a row of the same tenant. */
function keepsTenant({ relname, alias }: RangeVar, conflict: OnConflictClause = {}): boolean {
  const { action = 'ONCONFLICT_NOTHING', infer, whereClause } = conflict;
  if (action === 'ONCONFLICT_NOTHING') return true;
  const key = infer?.indexElems ?? [];
  if (key.some((column) => 'IndexElem' in column && column.IndexElem.name === 'tenant_id')) return true;
  const target = alias?.aliasname ?? relname;
  return tenantBindingsOf(whereClause).some(
    ({ alias, boundTo }) =>
      alias === target && (boundTo === 'value' || (boundTo !== 'values' && boundTo.alias === 'excluded')),
  );
}
