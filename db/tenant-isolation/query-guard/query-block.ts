import type { FuncCall, JoinExpr, Node, RangeVar } from 'libpg-query';
import { isTenantTable } from '../tenant-tables.js';
import { forEachNode } from './nodes.js';
import { stringOf, type TenantBinding, tenantBindingsOf } from './tenant-bindings.js';

/** A table source of a query: a table, a subquery or a function. */
interface TableSource {
  alias: string | undefined;
  /** Set for tenant tables only. */
  table?: RangeVar;
  /** Whether its tenant_id can be trusted: it comes from a query that is checked itself. */
  isTenantBound: boolean;
}

/** A query without its subqueries. */
interface QueryBlock {
  sources: TableSource[];
  bindings: TenantBinding[];
}

/**
 * The references to tenant tables in a query that its conditions bind to a tenant. Sources of an outer query are
 * checked there.
 *
 * @throws Error on a source that is not supported
 */
export function boundTables(from: Node[], where: Node | undefined): RangeVar[] {
  const { sources, bindings } = readBlock(from, where);
  const owned = sources.flatMap(({ table, alias }) => (table ? [{ table, alias }] : []));
  // An unqualified tenant_id is clear only if one source has it.
  const single = owned.length === 1 ? owned[0]?.alias : undefined;
  const inner = new Set(sources.map(({ alias }) => alias));
  const bound = new Set(sources.filter(({ isTenantBound }) => isTenantBound).map(({ alias }) => alias));
  const isBound = (alias = single) => alias !== undefined && (bound.has(alias) || !inner.has(alias));
  for (let size = -1; size < bound.size; ) {
    size = bound.size;
    for (const { alias = single, boundTo } of bindings) {
      if (boundTo === 'value' || isBound(boundTo.alias)) bound.add(alias);
    }
  }
  return owned.filter(({ alias }) => bound.has(alias)).map(({ table }) => table);
}

function readBlock(from: Node[], where: Node | undefined): QueryBlock {
  const block: QueryBlock = { sources: [], bindings: tenantBindingsOf(where) };
  for (const node of from) addSource(node, block);
  return block;
}

function addSource(node: Node, block: QueryBlock): void {
  if ('JoinExpr' in node) addJoin(node.JoinExpr, block);
  else if ('RangeTableSample' in node && node.RangeTableSample.relation)
    addSource(node.RangeTableSample.relation, block);
  else block.sources.push(toSource(node));
}

function addJoin({ jointype, larg, rarg, quals, alias }: JoinExpr, block: QueryBlock): void {
  if (!larg || !rarg || alias) throw new Error('it has a join with an alias');
  addSource(larg, block);
  const before = block.sources.length;
  addSource(rarg, block);
  const joined = new Set(block.sources.slice(before).map((source) => source.alias));
  const bindings = tenantBindingsOf(quals);
  // The condition of an outer join does not restrict the preserved side.
  if (jointype === 'JOIN_INNER') block.bindings.push(...bindings);
  if (jointype === 'JOIN_LEFT')
    block.bindings.push(...bindings.filter((one) => one.alias !== undefined && joined.has(one.alias)));
}

/** A subquery or function that reads columns of its siblings may only repeat them, which proves nothing. */
function toSource(node: Node): TableSource {
  if ('RangeVar' in node) return toTable(node.RangeVar);
  if ('RangeSubselect' in node) {
    const { alias, lateral } = node.RangeSubselect;
    return { alias: alias?.aliasname, isTenantBound: !lateral };
  }
  if ('RangeFunction' in node) {
    const { alias, functions } = node.RangeFunction;
    return { alias: alias?.aliasname ?? functionName(functions), isTenantBound: !readsColumns(functions) };
  }
  throw new Error(`it reads from a ${Object.keys(node)}`);
}

function toTable(table: RangeVar): TableSource {
  const { relname = '', alias } = table;
  const name = alias?.aliasname ?? relname;
  if (!isTenantTable(relname)) return { alias: name, isTenantBound: true };
  if (alias?.colnames) throw new Error(`it renames columns of ${relname}`);
  return { alias: name, table, isTenantBound: false };
}

function readsColumns(functions: Node[] | undefined): boolean {
  let found = false;
  forEachNode(functions, (kind) => {
    found ||= kind === 'ColumnRef';
  });
  return found;
}

/** What a function without an alias is called. */
function functionName(functions: Node[] | undefined): string | undefined {
  let name: string | undefined;
  forEachNode(functions, (kind, node) => {
    if (kind === 'FuncCall') name ??= (node as FuncCall).funcname?.map(stringOf).at(-1);
  });
  return name;
}
