import { rootRouteId, useSearch } from '@tanstack/react-router';

export interface Scope {
  tenantId: string;
  /** All of the tenant's, if undefined. */
  tenantUnitId: string | undefined;
}

/** The tenant and unit that the address names. */
export function useScope(): Scope {
  const { tenant = '', unit } = useSearch({ from: rootRouteId });
  return { tenantId: tenant, tenantUnitId: unit };
}
