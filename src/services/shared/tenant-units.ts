import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { TenantScope } from './tenant-scope.js';

/** The condition that shows rows for some units if a scope has each of them; those for all units if it has all. */
export const withinTenantUnits = ({ tenantUnitId }: TenantScope): RawBuilder<SqlBool> =>
  tenantUnitId === undefined
    ? sql<SqlBool>`true`
    : sql<SqlBool>`tenant_unit_ids <@ ${[tenantUnitId].flat()}::text[]`;

/** The unit that a change of such a row is on record under: the whole tenant where it is not one. */
export const auditedUnit = (tenantUnitIds: string[] | null): string | null => {
  const [unit, ...others] = tenantUnitIds ?? [];
  return others.length === 0 ? (unit ?? null) : null;
};
