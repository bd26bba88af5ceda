import { type Item, is, isGroup, isQuery, nameOf } from './nest.js';

/** That the tenant of one source is given: by a value, or as that of another source. */
export interface Fact {
  /** Undefined where the column stands without one. */
  alias: string | undefined;
  sameAs: 'value' | { alias: string | undefined };
}

/** What a condition says of tenants. Only what holds whatever the rest of it says counts. */
export function factsOf(condition: Item[]): Fact[] {
  if (condition.some((item) => is(item, 'or'))) return [];
  return conjuncts(condition).flatMap((part) => {
    const [only, another] = part;
    if (!another && isGroup(only) && only.opened === '(' && !isQuery(only)) return factsOf(only.items);
    return comparison(part);
  });
}

function conjuncts(condition: Item[]): Item[][] {
  const parts: Item[][] = [[]];
  let isBetween = false;
  for (const item of condition) {
    if (is(item, 'between')) isBetween = true;
    if (is(item, 'and') && !isBetween) parts.push([]);
    else {
      if (is(item, 'and')) isBetween = false;
      parts[parts.length - 1]?.push(item);
    }
  }
  return parts;
}

/** A side of a comparison: a value, or the column of tenants of a source. */
type Operand = 'value' | { alias: string | undefined };

function comparison(part: Item[]): Fact[] {
  const sign = part.findIndex((item) => is(item, '=', 'in'));
  if (sign < 0) return [];
  const left = operand(part.slice(0, sign));
  const right = is(part[sign], 'in') ? valueList(part.slice(sign + 1)) : operand(part.slice(sign + 1));
  if (!left || !right || (left === 'value' && right === 'value')) return [];
  if (right === 'value') return [{ alias: (left as { alias: string }).alias, sameAs: 'value' }];
  if (left === 'value') return [{ alias: right.alias, sameAs: 'value' }];
  return [
    { alias: left.alias, sameAs: right },
    { alias: right.alias, sameAs: left },
  ];
}

function operand(given: Item[]): Operand | undefined {
  const items = withoutCast(given);
  const [first, second] = items;
  if (items.length === 1 && (first?.kind === 'param' || first?.kind === 'literal')) return 'value';
  if (items.length === 2 && is(first, 'any', 'some') && isGroup(second)) {
    return anyOf(second.items) ? 'value' : undefined;
  }
  if (items.length === 2 && is(first, 'cast') && isGroup(second)) {
    const [value, as] = second.items;
    return value?.kind === 'param' && is(as, 'as') ? 'value' : undefined;
  }
  if (nameOf(items.at(-1)) !== 'tenant_id') return undefined;
  if (items.length === 1) return { alias: undefined };
  const isQualified = items.every((item, i) => (i % 2 ? is(item, '.') : nameOf(item) !== undefined));
  return isQualified ? { alias: nameOf(items.at(-3)) } : undefined;
}

/** What `any` looks through: a parameter, or an array of values. */
function anyOf(given: Item[]): boolean {
  const items = withoutCast(given);
  const [first, second] = items;
  if (items.length === 1) return first?.kind === 'param' || first?.kind === 'literal';
  return items.length === 2 && is(first, 'array') && isGroup(second) && areValues(second.items);
}

const valueList = ([group, ...more]: Item[]): Operand | undefined =>
  isGroup(group) && more.length === 0 && areValues(group.items) ? 'value' : undefined;

const areValues = (items: Item[]): boolean =>
  items.length > 0 &&
  items.every((item, i) => (i % 2 ? is(item, ',') : item.kind === 'param' || item.kind === 'literal'));

function withoutCast(items: Item[]): Item[] {
  const cast = items.findIndex((item) => is(item, '::'));
  if (cast < 0) return items;
  const [type, brackets, ...more] = items.slice(cast + 1);
  const isArray = isGroup(brackets) && brackets.items.length === 0;
  const isWhole = more.length === 0 && (brackets === undefined || isArray);
  return nameOf(type) !== undefined && isWhole ? items.slice(0, cast) : items;
}
