import { identifierOf, isSubquery, isToken, isTokenGroup, type TokenNode } from './token-tree.js';

/** Binds the tenant of one table source: to a value, or to the tenant of another source. */
export interface TenantBinding {
  /** Undefined if the column is unqualified. */
  alias: string | undefined;
  boundTo: 'value' | { alias: string | undefined };
}

/** The tenant bindings of a condition. Only conjuncts count: anything under OR proves nothing. */
export function tenantBindingsOf(condition: TokenNode[]): TenantBinding[] {
  if (condition.some((item) => isToken(item, 'or'))) return [];
  return conjuncts(condition).flatMap((part) => {
    const [only, another] = part;
    if (!another && isTokenGroup(only) && only.opener === '(' && !isSubquery(only))
      return tenantBindingsOf(only.items);
    return comparison(part);
  });
}

function conjuncts(condition: TokenNode[]): TokenNode[][] {
  const parts: TokenNode[][] = [[]];
  let isBetween = false;
  for (const item of condition) {
    if (isToken(item, 'between')) isBetween = true;
    if (isToken(item, 'and') && !isBetween) parts.push([]);
    else {
      if (isToken(item, 'and')) isBetween = false;
      parts[parts.length - 1]?.push(item);
    }
  }
  return parts;
}

/** One side of a comparison: a value, or the tenant_id column of a source. */
type Operand = 'value' | { alias: string | undefined };

function comparison(part: TokenNode[]): TenantBinding[] {
  const sign = part.findIndex((item) => isToken(item, '=', 'in'));
  if (sign < 0) return [];
  const left = operand(part.slice(0, sign));
  const right = isToken(part[sign], 'in') ? valueList(part.slice(sign + 1)) : operand(part.slice(sign + 1));
  if (!left || !right || (left === 'value' && right === 'value')) return [];
  if (right === 'value') return [{ alias: (left as { alias: string }).alias, boundTo: 'value' }];
  if (left === 'value') return [{ alias: right.alias, boundTo: 'value' }];
  return [
    { alias: left.alias, boundTo: right },
    { alias: right.alias, boundTo: left },
  ];
}

function operand(given: TokenNode[]): Operand | undefined {
  const items = withoutCast(given);
  const [first, second] = items;
  if (items.length === 1 && (first?.kind === 'param' || first?.kind === 'literal')) return 'value';
  if (items.length === 2 && isToken(first, 'any', 'some') && isTokenGroup(second)) {
    return anyOf(second.items) ? 'value' : undefined;
  }
  if (items.length === 2 && isToken(first, 'cast') && isTokenGroup(second)) {
    const [value, as] = second.items;
    return value?.kind === 'param' && isToken(as, 'as') ? 'value' : undefined;
  }
  if (identifierOf(items.at(-1)) !== 'tenant_id') return undefined;
  if (items.length === 1) return { alias: undefined };
  const isQualified = items.every((item, i) =>
    i % 2 ? isToken(item, '.') : identifierOf(item) !== undefined,
  );
  return isQualified ? { alias: identifierOf(items.at(-3)) } : undefined;
}

/** The operand of `any`: a parameter or an array of values. */
function anyOf(given: TokenNode[]): boolean {
  const items = withoutCast(given);
  const [first, second] = items;
  if (items.length === 1) return first?.kind === 'param' || first?.kind === 'literal';
  return items.length === 2 && isToken(first, 'array') && isTokenGroup(second) && areValues(second.items);
}

const valueList = ([group, ...more]: TokenNode[]): Operand | undefined =>
  isTokenGroup(group) && more.length === 0 && areValues(group.items) ? 'value' : undefined;

const areValues = (items: TokenNode[]): boolean =>
  items.length > 0 &&
  items.every((item, i) => (i % 2 ? isToken(item, ',') : item.kind === 'param' || item.kind === 'literal'));

function withoutCast(items: TokenNode[]): TokenNode[] {
  const cast = items.findIndex((item) => isToken(item, '::'));
  if (cast < 0) return items;
  const [type, brackets, ...more] = items.slice(cast + 1);
  const isArray = isTokenGroup(brackets) && brackets.items.length === 0;
  const isWhole = more.length === 0 && (brackets === undefined || isArray);
  return identifierOf(type) !== undefined && isWhole ? items.slice(0, cast) : items;
}
