import type { Token } from './tokenize.js';

/** What stands between parentheses or brackets, or between `case` and `end`. */
export interface Group {
  kind: 'group';
  opened: string;
  items: Item[];
}

export type Item = Token | Group;

/** The statements of a text, each as a tree of groups. @throws Error where something is not closed */
export function nest(tokens: Token[]): Item[][] {
  const statements: Item[][] = [];
  const open: Group[] = [{ kind: 'group', opened: ';', items: [] }];
  for (const token of tokens) {
    const innermost = open[open.length - 1] as Group;
    const text = token.kind === 'sign' || token.kind === 'word' ? token.text : '';
    if (text in END_OF) {
      const group: Group = { kind: 'group', opened: text, items: [] };
      innermost.items.push(group);
      open.push(group);
    } else if (text === END_OF[innermost.opened]) open.pop();
    else if (text === ';' && open.length === 1) {
      statements.push(innermost.items);
      innermost.items = [];
    } else if (text === ')' || text === ']' || text === ';') throw new Error(UNBALANCED);
    else innermost.items.push(token);
  }
  if (open.length > 1) throw new Error(UNBALANCED);
  return [...statements, (open[0] as Group).items].filter((items) => items.length > 0);
}

const END_OF: Record<string, string> = { '(': ')', '[': ']', case: 'end' };
const UNBALANCED = 'its parentheses do not match';

export const isGroup = (item: Item | undefined): item is Group => item?.kind === 'group';

/** Whether an item is one of the given words or signs. */
export const is = (item: Item | undefined, ...texts: string[]): boolean =>
  (item?.kind === 'word' || item?.kind === 'sign') && texts.includes(item.text);

/** The name that an item is; undefined where it is none. */
export const nameOf = (item: Item | undefined): string | undefined =>
  item?.kind === 'word' || item?.kind === 'quoted' ? item.text : undefined;

/** Whether a name is mentioned, also within groups. */
export const mentions = (items: Item[], name: string): boolean =>
  items.some((item) => (isGroup(item) ? mentions(item.items, name) : nameOf(item) === name));

/** Whether a group is a query of its own rather than a part of the one around it. */
export function isQuery(item: Item | undefined): boolean {
  if (!isGroup(item)) return false;
  const [first] = item.items;
  return is(first, ...QUERY_WORDS) || isQuery(first);
}

export const QUERY_WORDS = ['select', 'insert', 'update', 'delete', 'with', 'values', 'merge', 'table'];
