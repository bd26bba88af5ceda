import type { JoinExpr, Node, RangeVar } from 'libpg-query';
import { isOnShard, isTenantTable } from '../tenant-tables.js';
import { type TenantBinding, type TenantColumn, tenantBindingsOf } from './tenant-bindings.js';

/** A table source of a query: a table, a subquery or a function. */
interface TableSource {
  alias: string | undefined;
  /** Set for tenant tables only. */
  table?: RangeVar;
  isFunction?: boolean;
}

/** A query without its subqueries. */
interface QueryBlock {
  sources: TableSource[];
  bindings: TenantBinding[];
}

/**
 * The references to tenant tables in a query that its own conditions bind to a value: by themselves, or through the tenant
 * of another table of the same query. A tenant that comes from an outer query, a subquery or a function does not count: a
 * cluster would not know the shard.
 *
 * @throws Error on a source that is not supported
 */
export function boundTables(from: Node[], where: Node | undefined): RangeVar[] {
  const { sources, bindings } = readBlock(from, where);
  const owned = sources.flatMap(({ table, alias }) => (table ? [{ table, alias }] : []));
  const tables = new Map(owned.map(({ alias, table }) => [alias, table]));
  // An unqualified tenant_id is clear only if one source has it.
  const single = owned.length === 1 ? owned[0]?.alias : undefined;
  const bound = new Set<string | undefined>();
  for (let size = -1; size < bound.size; ) {
    size = bound.size;
    for (const { alias = single, boundTo } of bindings) {
      const table = tables.get(alias);
      if (table && (typeof boundTo === 'string' ? takes(table, boundTo) : bound.has(boundTo.alias ?? single)))
        bound.add(alias);
    }
  }
  return owned.filter(({ alias }) => bound.has(alias)).map(({ table }) => table);
}

/** Whether the tenant in a column of the query comes from a function, which may return many; unqualified, it might. */
export const isFromFunction = (from: Node[], { alias }: TenantColumn): boolean =>
  readBlock(from, undefined).sources.some(
    (source) =>
      source.isFunction && (alias === undefined || source.alias === undefined || source.alias === alias),
  );

/** Several tenants are on several shards. */
const takes = ({ relname = '' }: RangeVar, boundTo: 'value' | 'values'): boolean =>
  boundTo === 'value' || !isOnShard(relname);

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

function toSource(node: Node): TableSource {
  if ('RangeVar' in node) return toTable(node.RangeVar);
  if ('RangeSubselect' in node) return { alias: node.RangeSubselect.alias?.aliasname };
  if ('RangeFunction' in node) return { alias: node.RangeFunction.alias?.aliasname, isFunction: true };
  throw new Error(`it reads from a ${Object.keys(node)}`);
}

function toTable(table: RangeVar): TableSource {
  const { relname = '', alias } = table;
  const name = alias?.aliasname ?? relname;
  if (!isTenantTable(relname)) return { alias: name };
  if (alias?.colnames) throw new Error(`it renames columns of ${relname}`);
  return { alias: name, table };
}
