import { permissions as allPermissions, type KeyAccess, tenantWidePermissions } from '../permissions.js';
import { permissionsOfStored } from '../roles.js';
import type { KnownMember } from './find-member.js';

type Grant = Pick<KeyAccess, 'permissions' | 'tenantUnitIds' | 'datasetIds'>;

/**
 * What claims permit, and the role of a member beside them: the permissions of both, in the units and datasets that are in
 * both. So neither reaches beyond what it was given for.
 */
export function withRole(claims: Grant, member: KnownMember | undefined): Grant {
  const given = permissionsOfStored(member?.role ?? null);
  if (!member || given.length === 0) return claims;
  const datasetIds = inBoth(claims.datasetIds, member.datasetIds);
  return {
    permissions: allPermissions.filter(
      (one) =>
        (claims.permissions.includes(one) || given.includes(one)) &&
        (datasetIds === null || !tenantWidePermissions.includes(one)),
    ),
    tenantUnitIds: inBoth(claims.tenantUnitIds, member.tenantUnitIds),
    datasetIds,
  };
}

/** Null stands for all. */
function inBoth(some: readonly string[] | null, others: readonly string[] | null): readonly string[] | null {
  if (!some || !others) return some ?? others;
  const known = new Set(others);
  return some.filter((one) => known.has(one));
}
