import type { Api } from '../routers/index.js';

/** Who calls an integration, and for which tenant and units. */
export interface Caller {
  api: Api;
  tenantId: string;
  /** All that the caller reaches if undefined. */
  tenantUnitIds: readonly string[] | undefined;
}
