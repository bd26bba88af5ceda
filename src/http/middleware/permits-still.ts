import type { KeyAccess } from '../../auth/permissions.js';

/** Whether a credential permits now what it did before. */
export const permitsStill = (now: KeyAccess, before: KeyAccess): boolean =>
  now.tenantId === before.tenantId &&
  before.permissions.every((one) => now.permissions.includes(one)) &&
  reachesStill(now.tenantUnitIds, before.tenantUnitIds) &&
  reachesStill(now.datasetIds, before.datasetIds);

/** Null stands for all. */
const reachesStill = (now: readonly string[] | null, before: readonly string[] | null): boolean =>
  now === null || (before?.every((one) => now.includes(one)) ?? false);
