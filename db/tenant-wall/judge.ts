import { type Fact, factsOf } from './conditions.js';
import { type Item, is, isGroup, isQuery, mentions, nest, QUERY_WORDS } from './nest.js';
import { type QueryBlock, readBlock } from './query-block.js';
import { readTarget } from './sources.js';
import { tenantTables } from './tenant-tables.js';
import { tokenize } from './tokenize.js';

/** These neither show nor change rows. */
const COMMANDS = [
  ...['begin', 'commit', 'rollback', 'savepoint', 'release', 'set', 'reset', 'show', 'lock', 'listen'],
  ...['alter', 'comment', 'drop', 'grant', 'revoke'],
];

/**
 * Finds a table of tenants of which a text of SQL names no tenant. Every mention of such a table needs a condition of
 * its own query that binds its `tenant_id` to a value, or to the `tenant_id` of another that is bound; a row that is
 * inserted needs the column. What the condition is, nobody checks here: that is the services' business.
 *
 * @returns the table; undefined where all is well
 * @throws Error where the text cannot be read
 */
export function findUnscoped(sql: string): string | undefined {
  return first(nest(tokenize(sql)), judgeStatement);
}

function judgeStatement(items: Item[]): string | undefined {
  if (is(items[0], ...QUERY_WORDS) || isQuery(items[0])) return judgeQuery(items);
  return is(items[0], ...COMMANDS) ? undefined : mentioned(items);
}

function judgeQuery(items: Item[]): string | undefined {
  const main = withoutWith(items);
  return first(splitSets(main), judgeBlock) ?? judgeInner(items);
}

/** The queries within a query, wherever they stand. */
const judgeInner = (items: Item[]): string | undefined =>
  first(items, (item) => {
    if (!isGroup(item)) return undefined;
    return isQuery(item) ? judgeQuery(item.items) : judgeInner(item.items);
  });

function judgeBlock(items: Item[]): string | undefined {
  if (is(items[0], 'merge')) return mentioned(items);
  return is(items[0], 'insert') ? judgeInsert(items) : unbound(readBlock(items));
}

function judgeInsert(items: Item[]): string | undefined {
  const { source, next } = readTarget(items, 2);
  const columns = items[next];
  const conflict = items.findIndex((item, i) => is(item, 'on') && is(items[i + 1], 'conflict'));
  const rest = items.slice(next, conflict < 0 ? undefined : conflict);
  const { table, alias } = source;
  if (table) {
    if (!isGroup(columns) || isQuery(columns) || !mentions(columns.items, 'tenant_id')) return table;
    if (conflict >= 0 && !staysWithTenant(items.slice(conflict + 2), alias)) return table;
  }
  return first(splitSets(rest), judgeBlock);
}

/** Whether what is updated instead of inserted is the same tenant's. */
function staysWithTenant(conflict: Item[], alias: string): boolean {
  const update = conflict.findIndex((item, i) => is(item, 'do') && is(conflict[i + 1], 'update'));
  if (update < 0) return true;
  const [target] = conflict;
  if (isGroup(target) && mentions(target.items, 'tenant_id')) return true;
  const where = conflict.findIndex((item, i) => i > update && is(item, 'where'));
  const end = conflict.findIndex((item) => is(item, 'returning'));
  const condition = where < 0 ? [] : conflict.slice(where + 1, end < 0 ? undefined : end);
  return factsOf(condition).some(
    ({ alias: of, sameAs }) => of === alias && (sameAs === 'value' || sameAs.alias === 'excluded'),
  );
}

/** A table of the block whose tenant nothing in it gives. */
function unbound({ sources, facts }: QueryBlock): string | undefined {
  const owned = sources.filter(({ table }) => table !== undefined);
  // Only one may have the column when it stands alone.
  const single = owned.length === 1 ? owned[0]?.alias : undefined;
  const bound = new Set(sources.filter(({ isSafe }) => isSafe).map(({ alias }) => alias));
  const inner = new Set(sources.map(({ alias }) => alias));
  // A source of the query around this one is judged there.
  const isBound = (alias = single) => alias !== undefined && (bound.has(alias) || !inner.has(alias));
  const holds = ({ sameAs }: Fact) => sameAs === 'value' || isBound(sameAs.alias);
  for (let size = -1; size < bound.size; ) {
    size = bound.size;
    for (const fact of facts) {
      const alias = fact.alias ?? single;
      if (alias !== undefined && holds(fact)) bound.add(alias);
    }
  }
  return owned.find(({ alias }) => !bound.has(alias))?.table;
}

/** The query after the ones that `with` names. */
function withoutWith(items: Item[]): Item[] {
  if (!is(items[0], 'with')) return items;
  const main = items.findIndex((item, i) => i > 0 && is(item, ...QUERY_WORDS));
  return main < 0 ? [] : items.slice(main);
}

/** The queries that `union` and the like put together. */
function splitSets(items: Item[]): Item[][] {
  const parts: Item[][] = [[]];
  for (const item of items) {
    if (is(item, 'union', 'intersect', 'except')) parts.push([]);
    else parts.at(-1)?.push(item);
  }
  return parts;
}

const mentioned = (items: Item[]): string | undefined =>
  [...tenantTables].find((table) => mentions(items, table));

function first<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
