import { type TenantBinding, tenantBindingsOf } from './conditions.js';
import { isParenthesizedJoin, readTableSource, type TableSource } from './table-sources.js';
import { isSubquery, isToken, isTokenGroup, type TokenNode } from './token-tree.js';

/** A query without its subqueries: its table sources and tenant bindings. */
export interface QueryBlock {
  sources: TableSource[];
  bindings: TenantBinding[];
}

/** @param items one `select`, `update` or `delete`, without its common table expressions */
export function readBlock(items: TokenNode[]): QueryBlock {
  const block: QueryBlock = { sources: [], bindings: [] };
  if (isToken(items[0], 'update', 'table')) addSource(items, 1, block);
  readClauses(items, block, 'other');
  return block;
}

type Clause = 'sources' | 'other';

function readClauses(items: TokenNode[], block: QueryBlock, begin: Clause): void {
  let clause = begin;
  // The sources of the last join; its condition can bind only these.
  let joined = new Set<string>();
  let kind = 'inner';
  const read = (place: number): number => {
    const before = block.sources.length;
    const next = addSource(items, place, block);
    joined = new Set(block.sources.slice(before).map(({ alias }) => alias));
    return next;
  };
  for (let place = begin === 'sources' ? read(0) : 0; place < items.length; ) {
    const item = items[place];
    if (isDistinctFrom(items, place)) place++;
    else if (isToken(item, 'from') || isUsingSources(items, place, clause)) {
      clause = 'sources';
      place = read(place + 1);
    } else if (isToken(item, ',') && clause === 'sources') place = read(place + 1);
    else if (isToken(item, 'join')) {
      clause = 'sources';
      kind = kindOfJoin(items, place);
      place = read(place + 1);
    } else if (isToken(item, 'where') || (isToken(item, 'on') && clause === 'sources')) {
      const end = endOfCondition(items, place + 1);
      const facts = tenantBindingsOf(withoutJoinWords(items.slice(place + 1, end)));
      block.bindings.push(...(isToken(item, 'where') ? facts : bindingsOfJoin(facts, kind, joined)));
      if (isToken(item, 'where')) clause = 'other';
      place = end;
    } else {
      if (isToken(item, 'set', 'select', ...AFTER_SOURCES)) clause = 'other';
      place++;
    }
  }
}

/** @returns the place after it */
function addSource(items: TokenNode[], place: number, block: QueryBlock): number {
  const item = items[place];
  if (isParenthesizedJoin(item)) {
    readClauses(item.items, block, 'sources');
    return place + 1;
  }
  const { source, next } = readTableSource(items, place);
  block.sources.push(source);
  return next;
}

/** `is distinct from` is a comparison. */
const isDistinctFrom = (items: TokenNode[], place: number): boolean =>
  isToken(items[place], 'from') &&
  isToken(items[place - 1], 'distinct') &&
  isToken(items[place - 2], 'is', 'not');

/** `using` begins the further sources of a `delete`; after a join, names of columns follow. */
const isUsingSources = (items: TokenNode[], place: number, clause: Clause): boolean =>
  isToken(items[place], 'using') &&
  clause === 'sources' &&
  (!isTokenGroup(items[place + 1]) || isSubquery(items[place + 1]));

function kindOfJoin(items: TokenNode[], place: number): string {
  const before = isToken(items[place - 1], 'outer') ? items[place - 2] : items[place - 1];
  return ['left', 'right', 'full'].find((kind) => isToken(before, kind)) ?? 'inner';
}

/** The condition of an outer join does not restrict the preserved side. */
function bindingsOfJoin(facts: TenantBinding[], kind: string, joined: Set<string>): TenantBinding[] {
  if (kind === 'inner') return facts;
  if (kind !== 'left') return [];
  return facts.filter(({ alias }) => alias !== undefined && joined.has(alias));
}

function endOfCondition(items: TokenNode[], from: number): number {
  const end = items.findIndex(
    (item, i) => i >= from && isToken(item, 'where', 'on', 'join', ',', ...AFTER_SOURCES),
  );
  return end < 0 ? items.length : end;
}

/** Strips the keywords of the next join from a condition. */
function withoutJoinWords(condition: TokenNode[]): TokenNode[] {
  let end = condition.length;
  while (isToken(condition[end - 1], 'natural', 'inner', 'left', 'right', 'full', 'outer', 'cross')) end--;
  return condition.slice(0, end);
}

const AFTER_SOURCES = ['group', 'order', 'having', 'limit', 'offset', 'fetch', 'for', 'window', 'returning'];
