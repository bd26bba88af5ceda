import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Queryable, Schema } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { identifier, valueOrArray } from './fields.schema.js';

/** Tenant and units of a request. Absent parts are unrestricted, within the key. */
export const tenantScope = z.object({
  tenantId: identifier().optional(),
  tenantUnitId: valueOrArray(identifier()).optional(),
});
export type TenantScope = z.output<typeof tenantScope> & DatasetRestriction;

/** Set by the API key, never by the client. */
interface DatasetRestriction {
  /** Only documents of any of these datasets. */
  datasetIds?: readonly string[] | undefined;
}

/** A tenant scope with a required tenant. */
export const requiredTenantScope = tenantScope.required({ tenantId: true });

/** The same for what grants access: a misspelt field would widen it. */
export const strictTenantScope = requiredTenantScope.strict();

/** Tenant and unit of a new record. */
export const tenantUnitRef = z.object({ tenantId: identifier(), tenantUnitId: identifier() });
export type TenantUnitRef = z.output<typeof tenantUnitRef> & DatasetRestriction;

/** The tenant columns of a row. */
export const tenantColumns = ({ tenantId, tenantUnitId }: TenantUnitRef) => ({ tenantId, tenantUnitId });

/** Tenant and unit with defaults. */
export const partialTenantUnitRef = tenantUnitRef.partial();

/** The units of a scope; undefined where it is not restricted to any. */
export const unitsOf = ({ tenantUnitId }: TenantScope): string[] | undefined =>
  tenantUnitId === undefined ? undefined : [tenantUnitId].flat();

/**
 * Condition: rows within the tenant scope. For documents use withinDatasets.
 *
 * @param table the table's name or alias, where the query has several
 */
export const withinTenant = (scope: TenantScope, table?: string) => {
  const column = (name: string) => sql.ref(table ? `${table}.${name}` : name);
  const units = unitsOf(scope);
  // biome-ignore lint/suspicious/noExplicitAny: the condition fits every tenant-owned table
  return (eb: ExpressionBuilder<Schema, any>): ExpressionWrapper<Schema, any, SqlBool> =>
    eb.and([
      ...(scope.tenantId === undefined ? [] : [sql<SqlBool>`${column('tenantId')} = ${scope.tenantId}`]),
      ...(units === undefined ? [] : [sql<SqlBool>`${column('tenantUnitId')} = any(${units})`]),
    ]);
};

/** The database for queries of a scope: without a tenant, unscoped. */
export const dbForScope = <Q extends Queryable>(db: Q, { tenantId }: TenantScope): Q =>
  tenantId === undefined ? unscoped(db, 'In open mode a request without tenant sees all tenants.') : db;

/**
 * The scope with the tenant of a row, where a request in open mode names none: rows are locked where those of their tenant
 * are. Of several rows with the id, the first tenant's.
 *
 * @returns undefined where no row of the scope has the id
 */
export async function resolveTenant<S extends TenantScope>(
  db: Queryable,
  table: 'conversations' | 'documents',
  { scope, id }: { scope: S; id: string },
): Promise<(S & { tenantId: string }) | undefined> {
  const { tenantId } = scope;
  if (tenantId !== undefined) return { ...scope, tenantId };
  const row = await dbForScope(db, scope)
    .selectFrom(table)
    .select('tenantId')
    .where('id', '=', id)
    .where(withinTenant(scope))
    .orderBy('tenantId')
    .limit(1)
    .executeTakeFirst();
  return row && { ...scope, tenantId: row.tenantId };
}
