import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Queryable, Schema } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-wall/unscoped.js';
import { identifier, oneOrMore } from './fields.schema.js';

/** What a caller asks to see. Each part that is absent is as wide as the caller may see. */
export const scope = z.object({
  tenantId: identifier().optional(),
  tenantUnitId: oneOrMore(identifier()).optional(),
});
export type Scope = z.output<typeof scope> & DatasetBound;

/** What nobody asks for: the caller's key adds it. */
interface DatasetBound {
  /** Only documents of any of these datasets. */
  datasetIds?: readonly string[] | undefined;
}

/** A scope that names its tenant. */
export const tenantScope = scope.required({ tenantId: true });

/** Where something new is put. */
export const placement = z.object({ tenantId: identifier(), tenantUnitId: identifier() });
export type Placement = z.output<typeof placement> & DatasetBound;

/** The columns of a place. */
export const placeOf = ({ tenantId, tenantUnitId }: Placement) => ({ tenantId, tenantUnitId });

/** A place of which parts may be left to the defaults. */
export const partialPlacement = placement.partial();

/**
 * The condition that keeps a query inside a scope: `qb.where(inScope(scope))`. Queries on documents pass through
 * `inReach`, which adds datasets.
 *
 * @param table the table's name or alias, where the query has several
 */
export const inScope = (scope: Scope, table?: string) => {
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
export const across = <Q extends Queryable>(db: Q, { tenantId }: Scope): Q =>
  tenantId === undefined
    ? unscoped(db, 'Without API keys a caller may leave the tenant out, and sees all of them.')
    : db;
