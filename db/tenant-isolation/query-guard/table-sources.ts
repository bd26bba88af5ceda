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

/** A table source of a query: a table, a subquery or a function. */
export interface TableSource {
  alias: string;
  /** Set for tenant tables only. */
  table: string | undefined;
  /** Whether its tenant_id can be trusted: it comes from a query that is checked itself. */
  isTenantBound: boolean;
}

/** Reads a source with its alias, and the names of its columns. @returns also the place after it */
export function readTableSource(items: TokenNode[], from: number): Read {
  const { source, next } = readNamed(items, from);
  return { source, next: isTokenGroup(items[next]) ? next + 1 : next };
}

/** Reads the target of an `insert`; `next` is the index of its column list. */
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
  // A lateral source may only repeat a column of its siblings, which proves nothing.
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

/** Whether it is a parenthesized join. */
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

/** Keywords that may follow a source and are no alias. */
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
