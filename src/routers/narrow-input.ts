import { forbidden, invalid } from '../errors.js';
import type { KeyAccess } from '../services/access.js';

type Scope = { tenantId?: string; tenantUnitId?: string | string[]; datasetIds?: string[] };

/**
 * Narrows what a caller asks for to what its key reaches: parts that were left open become the key's, others must lie
 * within.
 *
 * @throws DomainError `forbidden` at the part that names something outside
 */
export function narrowInput<I>(access: KeyAccess, input: I, { places }: { places: boolean }): I {
  if (typeof input !== 'object' || input === null || !('scope' in input)) return input;
  const { scope, datasetIds } = input as { scope: Scope; datasetIds?: string[] };
  if (scope.tenantId !== undefined && scope.tenantId !== access.tenantId) {
    throw forbidden('This API key belongs to another tenant.', ['scope', 'tenantId']);
  }
  const { datasetIds: reached } = access;
  const outside = (reached && datasetIds?.findIndex((id) => !reached.includes(id))) ?? -1;
  if (outside >= 0) {
    throw forbidden(`This API key does not reach dataset ${datasetIds?.[outside]}.`, ['datasetIds', outside]);
  }
  const narrowed = {
    ...scope,
    tenantId: access.tenantId,
    ...(access.tenantUnitIds && { tenantUnitId: narrowUnits(access.tenantUnitIds, scope, places) }),
    ...(reached && { datasetIds: reached }),
  };
  return { ...input, scope: narrowed };
}

function narrowUnits(
  reached: readonly string[],
  { tenantUnitId }: Scope,
  places: boolean,
): string | readonly string[] {
  const path = ['scope', 'tenantUnitId'];
  if (tenantUnitId === undefined) {
    if (reached.length === 1) return reached[0] as string;
    if (places)
      throw invalid('This API key reaches several units; name the one that is meant.', path, 'missing');
    return reached;
  }
  const strange = [tenantUnitId].flat().find((unit) => !reached.includes(unit));
  if (strange === undefined) return tenantUnitId;
  throw forbidden(`This API key does not reach unit ${strange}.`, path);
}
