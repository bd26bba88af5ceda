import { type Group, type Item, is, isGroup, isQuery, mentions, nameOf } from './nest.js';
import { tenantTables } from './tenant-tables.js';

/** What a query reads or writes: a table, a query in parentheses, a function. */
export interface Source {
  alias: string;
  /** Set for tables of tenants alone. */
  table: string | undefined;
  /** Whether what it says of tenants can be relied on: it comes from queries that are judged themselves. */
  isSafe: boolean;
}

/** Reads a source with its alias, and the names of its columns. @returns also the place after it */
export function readSource(items: Item[], from: number): Read {
  const { source, next } = readNamed(items, from);
  return { source, next: isGroup(items[next]) ? next + 1 : next };
}

/** Reads the table that an `insert` writes into. The place after it is that of its columns. */
export function readTarget(items: Item[], from: number): Read {
  const columns = items.findIndex((item, i) => i >= from && isGroup(item));
  return readNamed(items.slice(0, columns < 0 ? undefined : columns), from);
}

interface Read {
  source: Source;
  next: number;
}

function readNamed(items: Item[], from: number): Read {
  let place = from;
  // It may repeat what a source beside it says, which proves nothing.
  const isLateral = is(items[place], 'lateral');
  while (is(items[place], 'lateral', 'only')) place++;
  const first = items[place++];
  if (isGroup(first)) return withAlias(items, place, { alias: '', table: undefined, isSafe: !isLateral });
  let alias = nameOf(first) ?? '';
  while (is(items[place], '.')) {
    alias = nameOf(items[place + 1]) ?? '';
    place += 2;
  }
  const args = items[place];
  if (isGroup(args)) {
    const isSafe = !isLateral && !mentions(args.items, 'tenant_id');
    return withAlias(items, place + 1, { alias, table: undefined, isSafe });
  }
  if (is(args, '*')) place++;
  const isTenants = tenantTables.has(alias);
  return withAlias(items, place, { alias, table: isTenants ? alias : undefined, isSafe: !isTenants });
}

/** Whether joins stand in parentheses where a source could stand. */
export const isNestedList = (item: Item | undefined): item is Group => isGroup(item) && !isQuery(item);

function withAlias(items: Item[], from: number, source: Source): Read {
  let place = from;
  if (is(items[place], 'with') && is(items[place + 1], 'ordinality')) place += 2;
  const hasAs = is(items[place], 'as');
  if (hasAs) place++;
  const alias = hasAs || !is(items[place], ...AFTER_SOURCE) ? nameOf(items[place]) : undefined;
  return alias === undefined ? { source, next: place } : { source: { ...source, alias }, next: place + 1 };
}

/** Words that may follow a source and are no alias. */
const AFTER_SOURCE = [
  ...['where', 'join', 'left', 'right', 'full', 'inner', 'cross', 'natural', 'on', 'using', 'set', 'group'],
  ...[
    'order',
    'having',
    'limit',
    'offset',
    'fetch',
    'for',
    'window',
    'returning',
    'values',
    'select',
    'with',
  ],
  ...['default', 'overriding', 'tablesample', 'union', 'except', 'intersect'],
];
