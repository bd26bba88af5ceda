import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { TenantScope } from './tenant-scope.js';

/** Condition: rows whose units are all within the scope; rows for all units need an unrestricted scope. */
export const withinTenantUnits = ({ tenantUnitId }: TenantScope): RawBuilder<SqlBool> =>
  tenantUnitId === undefined
    ? sql<SqlBool>`true`
    : sql<SqlBool>`tenant_unit_ids <@ ${[tenantUnitId].flat()}::text[]`;

/** The unit in the audit log: null (the tenant) unless there is exactly one. */
export const auditedUnit = (tenantUnitIds: readonly string[] | null): string | null => {
  const [unit, ...others] = tenantUnitIds ?? [];
  return others.length === 0 ? (unit ?? null) : null;
};
