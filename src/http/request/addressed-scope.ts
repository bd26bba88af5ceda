import type { Request } from 'express';
import type { Context } from '../../routers/index.js';

/** Tenant and units of a request whose protocol has none. */
export interface AddressedScope {
  tenantId: string;
  /** All that the caller reaches if undefined. */
  tenantUnitIds: readonly string[] | undefined;
}

/** Those of the query, else those of the key; without a key the default tenant. */
export function addressedScope(
  req: Request,
  access: Context['access'],
  defaultTenantId: string,
): AddressedScope {
  const [, query = ''] = req.url.split('?', 2);
  const asked = new URLSearchParams(query);
  const units = asked.getAll('tenantUnitId');
  return {
    tenantId: asked.get('tenantId') ?? access?.tenantId ?? defaultTenantId,
    tenantUnitIds: units.length > 0 ? units : (access?.tenantUnitIds ?? undefined),
  };
}
