import { createHmac } from 'node:crypto';

/**
 * Hashes of tenant, units and datasets, for filters: these ignore case and accents, and what a filter needs can be
 * counted as a facet. So they are made with a secret: whoever sees one cannot find the id by trying names.
 */
export function createHasher(secret: string) {
  const hash = (kind: string, ...ids: string[]) =>
    `${kind}${createHmac('sha256', secret)
      .update(JSON.stringify([kind, ...ids]))
      .digest('hex')
      .slice(0, 32)}`;
  return {
    tenant: (tenantId: string) => hash('t', tenantId),
    unit: (tenantId: string, tenantUnitId: string) => hash('u', tenantId, tenantUnitId),
    dataset: (tenantId: string, datasetId: string) => hash('d', tenantId, datasetId),
  };
}
export type Hasher = ReturnType<typeof createHasher>;
