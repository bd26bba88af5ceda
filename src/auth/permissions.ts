import type { Permission } from '../../db/enums.js';

export { type Permission, permissions } from '../../db/enums.js';

/** Permissions beyond single datasets: not for keys restricted to datasets, and never granted by default. */
export const tenantWidePermissions: readonly Permission[] = ['keys:admin', 'operations'];

/** What an API key permits, where, and until when. */
export interface KeyAccess {
  keyId: string;
  permissions: readonly Permission[];
  tenantId: string;
  /** All units of the tenant where null. */
  tenantUnitIds: readonly string[] | null;
  /** All datasets of the tenant where null. */
  datasetIds: readonly string[] | null;
  /** Never expires if null. */
  expiresTime: Date | null;
}
