import { tenantTables } from '../tenant-tables.js';
import {
  identifierOf,
  isSubquery,
  isToken,
  isTokenGroup,
  mentionsIdentifier,
  type TokenGroup,
  type TokenNode,
} from './token-tree.js';

/** What a query reads or writes: a table, a query in parentheses, a function. */
export interface TableSource {
  alias: string;
  /** Set for tables of tenants alone. */
  table: string | undefined;
  /** Whether what it says of tenants can be relied on: it comes from queries that are judged themselves. */
  isTenantBound: boolean;
}

/** Reads a source with its alias, and the names of its columns. @returns also the place after it */
export function readTableSource(items: TokenNode[], from: number): Read {
  const { source, next } = readNamed(items, from);
  return { source, next: isTokenGroup(items[next]) ? next + 1 : next };
}

/** Reads the table that an `insert` writes into. The place after it is that of its columns. */
export function readInsertTarget(items: TokenNode[], from: number): Read {
  const columns = items.findIndex((item, i) => i >= from && isTokenGroup(item));
  return readNamed(items.slice(0, columns < 0 ? undefined : columns), from);
}

interface Read {
  source: TableSource;
  next: number;
}

function readNamed(items: TokenNode[], from: number): Read {
  let place = from;
  // It may repeat what a source beside it says, which proves nothing.
  const isLateral = isToken(items[place], 'lateral');
  while (isToken(items[place], 'lateral', 'only')) place++;
  const first = items[place++];
  if (isTokenGroup(first))
    return withAlias(items, place, { alias: '', table: undefined, isTenantBound: !isLateral });
  let alias = identifierOf(first) ?? '';
  while (isToken(items[place], '.')) {
    alias = identifierOf(items[place + 1]) ?? '';
    place += 2;
  }
  const args = items[place];
  if (isTokenGroup(args)) {
    const isSafe = !isLateral && !mentionsIdentifier(args.items, 'tenant_id');
    return withAlias(items, place + 1, { alias, table: undefined, isTenantBound: isSafe });
  }
  if (isToken(args, '*')) place++;
  const isTenants = tenantTables.has(alias);
  return withAlias(items, place, { alias, table: isTenants ? alias : undefined, isTenantBound: !isTenants });
}

/** Whether joins stand in parentheses where a source could stand. */
export const isParenthesizedJoin = (item: TokenNode | undefined): item is TokenGroup =>
  isTokenGroup(item) && !isSubquery(item);

function withAlias(items: TokenNode[], from: number, source: TableSource): Read {
  let place = from;
  if (isToken(items[place], 'with') && isToken(items[place + 1], 'ordinality')) place += 2;
  const hasAs = isToken(items[place], 'as');
  if (hasAs) place++;
  const alias = hasAs || !isToken(items[place], ...AFTER_SOURCE) ? identifierOf(items[place]) : undefined;
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
