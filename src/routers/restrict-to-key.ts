import { credentialName, type KeyAccess } from '../auth/permissions.js';
import { forbidden, invalid } from '../errors/errors.js';

type InputTenantScope = { tenantId?: string; tenantUnitId?: string | string[]; datasetIds?: string[] };

/**
 * Restricts an input to the tenant, units and datasets of the key: absent parts are filled in, others must be
 * within.
 *
 * @throws DomainError `forbidden` at the part outside the key
 */
export function restrictToKey<I>(access: KeyAccess, input: I, { places }: { places: boolean }): I {
  if (typeof input !== 'object' || input === null || !('scope' in input)) return input;
  const { scope, datasetIds } = input as { scope: InputTenantScope; datasetIds?: string[] };
  if (scope.tenantId !== undefined && scope.tenantId !== access.tenantId) {
    throw forbidden(`${credentialName(access)} belongs to another tenant.`, ['scope', 'tenantId']);
  }
  const { datasetIds: reached } = access;
  const outside = (reached && datasetIds?.findIndex((id) => !reached.includes(id))) ?? -1;
  if (outside >= 0) {
    throw forbidden(`${credentialName(access)} has no access to dataset ${datasetIds?.[outside]}.`, [
      'datasetIds',
      outside,
    ]);
  }
  const restricted = {
    ...scope,
    tenantId: access.tenantId,
    ...(access.tenantUnitIds && { tenantUnitId: restrictUnits(access, scope, places) }),
    ...(reached && { datasetIds: reached }),
  };
  return { ...input, scope: restricted };
}

function restrictUnits(
  access: KeyAccess,
  { tenantUnitId }: InputTenantScope,
  places: boolean,
): string | readonly string[] {
  const reached = access.tenantUnitIds ?? [];
  const path = ['scope', 'tenantUnitId'];
  if (tenantUnitId === undefined) {
    if (reached.length === 1) return reached[0] as string;
    if (places)
      throw invalid(`${credentialName(access)} can access several units; name one of them.`, path, 'missing');
    return reached;
  }
  const strange = [tenantUnitId].flat().find((unit) => !reached.includes(unit));
  if (strange === undefined) return tenantUnitId;
  throw forbidden(`${credentialName(access)} has no access to unit ${strange}.`, path);
}
