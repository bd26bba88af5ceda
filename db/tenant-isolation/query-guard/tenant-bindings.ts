import type { A_Expr, Node } from 'libpg-query';

/** Binds the tenant of one table source: to a value, to several, or to the tenant of another source. */
export interface TenantBinding {
  /** Undefined if the column is unqualified. */
  alias: string | undefined;
  boundTo: 'value' | 'values' | TenantColumn;
}

export interface TenantColumn {
  alias: string | undefined;
}

/** The tenant bindings of a condition. Only conjuncts count: anything under OR or NOT proves nothing. */
export function tenantBindingsOf(condition: Node | undefined): TenantBinding[] {
  if (condition && 'BoolExpr' in condition) {
    const { boolop, args = [] } = condition.BoolExpr;
    return boolop === 'AND_EXPR' ? args.flatMap(tenantBindingsOf) : [];
  }
  return condition && 'A_Expr' in condition ? comparison(condition.A_Expr) : [];
}

function comparison({ kind, name, lexpr, rexpr }: A_Expr): TenantBinding[] {
  const left = tenantColumn(lexpr);
  const right = tenantColumn(rexpr);
  if (!isEqualSign(name)) return [];
  if (kind === 'AEXPR_IN' || kind === 'AEXPR_OP_ANY')
    return left && isListOfValues(rexpr) ? [{ ...left, boundTo: 'values' }] : [];
  if (kind !== 'AEXPR_OP') return [];
  if (left && right)
    return [
      { ...left, boundTo: right },
      { ...right, boundTo: left },
    ];
  if (left && isValue(rexpr)) return [{ ...left, boundTo: 'value' }];
  return right && isValue(lexpr) ? [{ ...right, boundTo: 'value' }] : [];
}

const isEqualSign = ([sign, ...more]: Node[] = []): boolean => more.length === 0 && stringOf(sign) === '=';

export function tenantColumn(node: Node | undefined): TenantColumn | undefined {
  if (!node || !('ColumnRef' in node)) return undefined;
  const names = (node.ColumnRef.fields ?? []).map(stringOf);
  return names.at(-1) === 'tenant_id' ? { alias: names.at(-2) } : undefined;
}

export const stringOf = (node: Node | undefined): string | undefined =>
  node && 'String' in node ? node.String.sval : undefined;

export function isValue(node: Node | undefined): boolean {
  if (!node) return false;
  if ('TypeCast' in node) return isValue(node.TypeCast.arg);
  return 'ParamRef' in node || 'A_Const' in node;
}

/** The operand of `in` or `any`: values, or an array of values. */
function isListOfValues(node: Node | undefined): boolean {
  if (node && 'TypeCast' in node) return isListOfValues(node.TypeCast.arg);
  if (node && 'List' in node) return (node.List.items ?? []).every(isValue);
  if (node && 'A_ArrayExpr' in node) return (node.A_ArrayExpr.elements ?? []).every(isValue);
  return isValue(node);
}
