import type { Token } from './tokenize.js';

/** Tokens in parentheses or brackets, or between `case` and `end`. */
export interface TokenGroup {
  kind: 'group';
  opener: string;
  items: TokenNode[];
}

export type TokenNode = Token | TokenGroup;

/** The statements of a text, each as a token tree. @throws Error if parentheses do not match */
export function buildTokenTree(tokens: Token[]): TokenNode[][] {
  const statements: TokenNode[][] = [];
  const open: TokenGroup[] = [{ kind: 'group', opener: ';', items: [] }];
  for (const token of tokens) {
    const innermost = open[open.length - 1] as TokenGroup;
    const text = token.kind === 'sign' || token.kind === 'word' ? token.text : '';
    if (text in END_OF) {
      const group: TokenGroup = { kind: 'group', opener: text, items: [] };
      innermost.items.push(group);
      open.push(group);
    } else if (text === END_OF[innermost.opener]) open.pop();
    else if (text === ';' && open.length === 1) {
      statements.push(innermost.items);
      innermost.items = [];
    } else if (text === ')' || text === ']' || text === ';') throw new Error(UNBALANCED);
    else innermost.items.push(token);
  }
  if (open.length > 1) throw new Error(UNBALANCED);
  return [...statements, (open[0] as TokenGroup).items].filter((items) => items.length > 0);
}

const END_OF: Record<string, string> = { '(': ')', '[': ']', case: 'end' };
const UNBALANCED = 'its parentheses do not match';

export const isTokenGroup = (item: TokenNode | undefined): item is TokenGroup => item?.kind === 'group';

/** Whether a node is one of the given words or symbols. */
export const isToken = (item: TokenNode | undefined, ...texts: string[]): boolean =>
  (item?.kind === 'word' || item?.kind === 'sign') && texts.includes(item.text);

/** The identifier; undefined if the node is none. */
export const identifierOf = (item: TokenNode | undefined): string | undefined =>
  item?.kind === 'word' || item?.kind === 'quoted' ? item.text : undefined;

/** Whether an identifier occurs, also inside groups. */
export const mentionsIdentifier = (items: TokenNode[], name: string): boolean =>
  items.some((item) =>
    isTokenGroup(item) ? mentionsIdentifier(item.items, name) : identifierOf(item) === name,
  );

/** Whether a group is a subquery. */
export function isSubquery(item: TokenNode | undefined): boolean {
  if (!isTokenGroup(item)) return false;
  const [first] = item.items;
  return isToken(first, ...QUERY_KEYWORDS) || isSubquery(first);
}

export const QUERY_KEYWORDS = ['select', 'insert', 'update', 'delete', 'with', 'values', 'merge', 'table'];
