import type { Request } from 'express';
import type { Api, Context } from '../routers/index.js';

/** Who calls an integration, and for which tenant and units. */
export interface Caller {
  api: Api;
  tenantId: string;
  /** All that the caller reaches if undefined. */
  tenantUnitIds: readonly string[] | undefined;
}

/** Makes the calls of procedures of a request. */
export type CreateCall<Req = Request, Res = unknown> = (
  req: Req,
  res: Res,
) => { api: Api; access: Context['access'] };

/** Tenant and units of a request: those of its query, else those of the key; without a key the default tenant. */
export function callerOf(
  req: Request,
  { api, access }: ReturnType<CreateCall>,
  defaultTenantUnit: { tenantId: string },
): Caller {
  const [, query = ''] = req.url.split('?', 2);
  const asked = new URLSearchParams(query);
  const units = asked.getAll('tenantUnitId');
  return {
    api,
    tenantId: asked.get('tenantId') ?? access?.tenantId ?? defaultTenantUnit.tenantId,
    tenantUnitIds: units.length > 0 ? units : (access?.tenantUnitIds ?? undefined),
  };
}
