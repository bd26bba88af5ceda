import { tenantTables } from '../tenant-tables.js';
import { type TenantBinding, tenantBindingsOf } from './conditions.js';
import { type QueryBlock, readBlock } from './query-block.js';
import { readInsertTarget } from './table-sources.js';
import {
  buildTokenTree,
  isSubquery,
  isToken,
  isTokenGroup,
  mentionsIdentifier,
  QUERY_KEYWORDS,
  type TokenNode,
} from './token-tree.js';
import { tokenize } from './tokenize.js';

/** Commands that neither read nor write rows. */
const COMMANDS = [
  ...['begin', 'commit', 'rollback', 'savepoint', 'release', 'set', 'reset', 'show', 'lock', 'listen'],
  ...['alter', 'comment', 'drop', 'grant', 'revoke'],
];

/**
 * Finds a tenant table that a statement uses without a tenant condition. Every reference needs a condition in
 * its own query that binds `tenant_id` to a value or to a bound `tenant_id`; inserts need the column. Which
 * tenant it is, is checked by the services and by row-level security.
 *
 * @returns the table; undefined if every reference is bound
 * @throws Error if the statement cannot be parsed
 */
export function findUnscopedTable(sql: string): string | undefined {
  return first(buildTokenTree(tokenize(sql)), checkStatement);
}

function checkStatement(items: TokenNode[]): string | undefined {
  if (isToken(items[0], ...QUERY_KEYWORDS) || isSubquery(items[0])) return checkQuery(items);
  return isToken(items[0], ...COMMANDS) ? undefined : mentioned(items);
}

function checkQuery(items: TokenNode[]): string | undefined {
  const main = withoutWith(items);
  return first(splitSets(main), checkQueryBlock) ?? checkSubqueries(items);
}

/** The subqueries of a query. */
const checkSubqueries = (items: TokenNode[]): string | undefined =>
  first(items, (item) => {
    if (!isTokenGroup(item)) return undefined;
    return isSubquery(item) ? checkQuery(item.items) : checkSubqueries(item.items);
  });

function checkQueryBlock(items: TokenNode[]): string | undefined {
  if (isToken(items[0], 'merge')) return mentioned(items);
  return isToken(items[0], 'insert') ? checkInsert(items) : findUnboundTable(readBlock(items));
}

function checkInsert(items: TokenNode[]): string | undefined {
  const { source, next } = readInsertTarget(items, 2);
  const columns = items[next];
  const conflict = items.findIndex((item, i) => isToken(item, 'on') && isToken(items[i + 1], 'conflict'));
  const rest = items.slice(next, conflict < 0 ? undefined : conflict);
  const { table, alias } = source;
  if (table) {
    if (!isTokenGroup(columns) || isSubquery(columns) || !mentionsIdentifier(columns.items, 'tenant_id'))
      return table;
    if (conflict >= 0 && !conflictKeepsTenant(items.slice(conflict + 2), alias)) return table;
  }
  return first(splitSets(rest), checkQueryBlock);
}

/** Whether `on conflict do update` can only update a row of the same tenant. */
function conflictKeepsTenant(conflict: TokenNode[], alias: string): boolean {
  const update = conflict.findIndex((item, i) => isToken(item, 'do') && isToken(conflict[i + 1], 'update'));
  if (update < 0) return true;
  const [target] = conflict;
  if (isTokenGroup(target) && mentionsIdentifier(target.items, 'tenant_id')) return true;
  const where = conflict.findIndex((item, i) => i > update && isToken(item, 'where'));
  const end = conflict.findIndex((item) => isToken(item, 'returning'));
  const condition = where < 0 ? [] : conflict.slice(where + 1, end < 0 ? undefined : end);
  return tenantBindingsOf(condition).some(
    ({ alias: of, boundTo }) => of === alias && (boundTo === 'value' || boundTo.alias === 'excluded'),
  );
}

/** A tenant table of the block without a binding. */
function findUnboundTable({ sources, bindings }: QueryBlock): string | undefined {
  const owned = sources.filter(({ table }) => table !== undefined);
  // An unqualified tenant_id is clear only if one source has it.
  const single = owned.length === 1 ? owned[0]?.alias : undefined;
  const bound = new Set(sources.filter(({ isTenantBound }) => isTenantBound).map(({ alias }) => alias));
  const inner = new Set(sources.map(({ alias }) => alias));
  // Sources of the outer query are checked there.
  const isBound = (alias = single) => alias !== undefined && (bound.has(alias) || !inner.has(alias));
  const holds = ({ boundTo }: TenantBinding) => boundTo === 'value' || isBound(boundTo.alias);
  for (let size = -1; size < bound.size; ) {
    size = bound.size;
    for (const fact of bindings) {
      const alias = fact.alias ?? single;
      if (alias !== undefined && holds(fact)) bound.add(alias);
    }
  }
  return owned.find(({ alias }) => !bound.has(alias))?.table;
}

/** The main query after its common table expressions. */
function withoutWith(items: TokenNode[]): TokenNode[] {
  if (!isToken(items[0], 'with')) return items;
  const main = items.findIndex((item, i) => i > 0 && isToken(item, ...QUERY_KEYWORDS));
  return main < 0 ? [] : items.slice(main);
}

/** The branches of a set operation (union, intersect, except). */
function splitSets(items: TokenNode[]): TokenNode[][] {
  const parts: TokenNode[][] = [[]];
  for (const item of items) {
    if (isToken(item, 'union', 'intersect', 'except')) parts.push([]);
    else parts.at(-1)?.push(item);
  }
  return parts;
}

const mentioned = (items: TokenNode[]): string | undefined =>
  [...tenantTables].find((table) => mentionsIdentifier(items, table));

function first<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
