import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Queryable, Schema } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { identifier, valueOrArray } from './fields.schema.js';

/** What a caller asks to see. Each part that is absent is as wide as the caller may see. */
export const tenantScope = z.object({
  tenantId: identifier().optional(),
  tenantUnitId: valueOrArray(identifier()).optional(),
});
export type TenantScope = z.output<typeof tenantScope> & DatasetRestriction;

/** What nobody asks for: the caller's key adds it. */
interface DatasetRestriction {
  /** Only documents of any of these datasets. */
  datasetIds?: readonly string[] | undefined;
}

/** A scope that names its tenant. */
export const requiredTenantScope = tenantScope.required({ tenantId: true });

/** Where something new is put. */
export const tenantUnitRef = z.object({ tenantId: identifier(), tenantUnitId: identifier() });
export type TenantUnitRef = z.output<typeof tenantUnitRef> & DatasetRestriction;

/** The columns of a place. */
export const tenantColumns = ({ tenantId, tenantUnitId }: TenantUnitRef) => ({ tenantId, tenantUnitId });

/** A place of which parts may be left to the defaults. */
export const partialTenantUnitRef = tenantUnitRef.partial();

/**
 * The condition that keeps a query inside a scope: `qb.where(inScope(scope))`. Queries on documents pass through
 * `inReach`, which adds datasets.
 *
 * @param table the table's name or alias, where the query has several
 */
export const withinTenant = (scope: TenantScope, table?: string) => {
  const column = (name: string) => sql.ref(table ? `${table}.${name}` : name);
  const units = scope.tenantUnitId === undefined ? undefined : [scope.tenantUnitId].flat();
  // biome-ignore lint/suspicious/noExplicitAny: the condition fits every tenant-owned table
  return (eb: ExpressionBuilder<Schema, any>): ExpressionWrapper<Schema, any, SqlBool> =>
    eb.and([
      ...(scope.tenantId === undefined ? [] : [sql<SqlBool>`${column('tenantId')} = ${scope.tenantId}`]),
      ...(units === undefined ? [] : [sql<SqlBool>`${column('tenantUnitId')} = any(${units})`]),
    ]);
};

/** Where a query inside a scope is asked: without a tenant, past the wall that every other query has to pass. */
export const dbForScope = <Q extends Queryable>(db: Q, { tenantId }: TenantScope): Q =>
  tenantId === undefined
    ? unscoped(db, 'Without API keys a caller may leave the tenant out, and sees all of them.')
    : db;
