import type { Hasher } from './hashes.js';

/** What a caller may read; undefined parts are not restricted. */
export interface Reach {
  tenantId: string;
  tenantUnitId?: string | readonly string[] | undefined;
  datasetIds?: readonly string[] | undefined;
}

/** Conditions for the chunks within reach; all have to hold. */
export function toReadFilter({ tenantId, tenantUnitId, datasetIds }: Reach, hasher: Hasher): string[] {
  const units = tenantUnitId === undefined ? undefined : [tenantUnitId].flat();
  return [
    units
      ? `unitHash IN [${units.map((unit) => hasher.unit(tenantId, unit))}]`
      : `tenantHash = ${hasher.tenant(tenantId)}`,
    ...(datasetIds
      ? [`datasetHashes IN [${datasetIds.map((dataset) => hasher.dataset(tenantId, dataset))}]`]
      : []),
  ];
}
