import type { KeyAccess, TokenUser } from '../permissions.js';
import { RefusedTokenError } from '../tokens/refused-token.js';
import type { TokenIssuer } from '../tokens/token-issuer.js';
import type { FindMember } from './find-member.js';
import type { RecordMember } from './record-member.js';
import { withRole } from './with-role.js';

/** The access of a user whom an issuer vouches for, in one tenant. */
export type UserAccess = KeyAccess & { user: TokenUser };

/** Adds the role that a user has as a member of the tenant, and records the member. */
export type AdmitUser = (access: UserAccess, issuer: TokenIssuer) => Promise<UserAccess>;

export interface AdmitUserDependencies {
  findMember: FindMember;
  recordMember: RecordMember;
  clock: () => Date;
}

/** @returns a function that throws RefusedTokenError for those who may do nothing in the tenant */
export function createAdmitUser({ findMember, recordMember, clock }: AdmitUserDependencies): AdmitUser {
  return async (access, issuer) => {
    const { tenantId, user } = access;
    const member = await findMember({ tenantId, issuer: user.issuer, subject: user.subject });
    const granted = withRole(access, member);
    assertGrants(granted, issuer);
    recordMember(tenantId, user, member, clock());
    return { ...access, ...granted, role: member?.role ?? null };
  };
}

function assertGrants(
  { permissions, tenantUnitIds, datasetIds }: Pick<KeyAccess, 'permissions' | 'tenantUnitIds' | 'datasetIds'>,
  { issuer, newMembers }: TokenIssuer,
): void {
  if (tenantUnitIds?.length === 0 || datasetIds?.length === 0)
    throw new RefusedTokenError('The units or datasets of its claims are none of its role.', issuer);
  // Some providers issue tokens to anybody: those must not use up the limits of the tenant.
  if (permissions.length === 0 && newMembers !== 'everybody')
    throw new RefusedTokenError('It grants no permission.', issuer);
}
