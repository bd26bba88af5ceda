import { type Fact, factsOf } from './conditions.js';
import { type Item, is, isGroup, isQuery } from './nest.js';
import { isNestedList, readSource, type Source } from './sources.js';

/** A query without those within it: what it is about, and what its conditions say of tenants. */
export interface QueryBlock {
  sources: Source[];
  facts: Fact[];
}

/** @param items one `select`, `update` or `delete`, without what `with` puts before it */
export function readBlock(items: Item[]): QueryBlock {
  const block: QueryBlock = { sources: [], facts: [] };
  if (is(items[0], 'update', 'table')) addSource(items, 1, block);
  readClauses(items, block, 'other');
  return block;
}

type Clause = 'sources' | 'other';

function readClauses(items: Item[], block: QueryBlock, begin: Clause): void {
  let clause = begin;
  // Those that the last join has brought, which its condition may be about.
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
    else if (is(item, 'from') || isUsingSources(items, place, clause)) {
      clause = 'sources';
      place = read(place + 1);
    } else if (is(item, ',') && clause === 'sources') place = read(place + 1);
    else if (is(item, 'join')) {
      clause = 'sources';
      kind = kindOfJoin(items, place);
      place = read(place + 1);
    } else if (is(item, 'where') || (is(item, 'on') && clause === 'sources')) {
      const end = endOfCondition(items, place + 1);
      const facts = factsOf(withoutJoinWords(items.slice(place + 1, end)));
      block.facts.push(...(is(item, 'where') ? facts : factsOfJoin(facts, kind, joined)));
      if (is(item, 'where')) clause = 'other';
      place = end;
    } else {
      if (is(item, 'set', 'select', ...AFTER_SOURCES)) clause = 'other';
      place++;
    }
  }
}

/** @returns the place after it */
function addSource(items: Item[], place: number, block: QueryBlock): number {
  const item = items[place];
  if (isNestedList(item)) {
    readClauses(item.items, block, 'sources');
    return place + 1;
  }
  const { source, next } = readSource(items, place);
  block.sources.push(source);
  return next;
}

/** `is distinct from` compares. */
const isDistinctFrom = (items: Item[], place: number): boolean =>
  is(items[place], 'from') && is(items[place - 1], 'distinct') && is(items[place - 2], 'is', 'not');

/** `using` begins the further sources of a `delete`; after a join, names of columns follow. */
const isUsingSources = (items: Item[], place: number, clause: Clause): boolean =>
  is(items[place], 'using') &&
  clause === 'sources' &&
  (!isGroup(items[place + 1]) || isQuery(items[place + 1]));

function kindOfJoin(items: Item[], place: number): string {
  const before = is(items[place - 1], 'outer') ? items[place - 2] : items[place - 1];
  return ['left', 'right', 'full'].find((kind) => is(before, kind)) ?? 'inner';
}

/** The condition of an outer join leaves the rows of the other side as they are. */
function factsOfJoin(facts: Fact[], kind: string, joined: Set<string>): Fact[] {
  if (kind === 'inner') return facts;
  if (kind !== 'left') return [];
  return facts.filter(({ alias }) => alias !== undefined && joined.has(alias));
}

function endOfCondition(items: Item[], from: number): number {
  const end = items.findIndex(
    (item, i) => i >= from && is(item, 'where', 'on', 'join', ',', ...AFTER_SOURCES),
  );
  return end < 0 ? items.length : end;
}

/** The words that belong to the join after a condition. */
function withoutJoinWords(condition: Item[]): Item[] {
  let end = condition.length;
  while (is(condition[end - 1], 'natural', 'inner', 'left', 'right', 'full', 'outer', 'cross')) end--;
  return condition.slice(0, end);
}

const AFTER_SOURCES = ['group', 'order', 'having', 'limit', 'offset', 'fetch', 'for', 'window', 'returning'];
