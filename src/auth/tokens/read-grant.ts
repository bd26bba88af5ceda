import { createHash } from 'node:crypto';
import {
  permissions as allPermissions,
  type Permission,
  type TokenUser,
  tenantWidePermissions,
} from '../permissions.js';
import { type Claims, claimAt, displayName, isId, textsOf } from './claims.js';
import { RefusedTokenError } from './refused-token.js';
import { EVERY_TENANT, type TokenIssuer } from './token-issuer.js';

/** What the claims of a verified token permit, which may be nothing. */
export interface TokenGrant {
  user: TokenUser;
  /** One of them is that of the request. */
  tenantIds: readonly string[];
  tenantUnitIds: readonly string[] | null;
  datasetIds: readonly string[] | null;
  permissions: readonly Permission[];
  expiresTime: Date;
}

/** For everything of a tenant, in a claim that lists units or datasets. */
const EVERYTHING = '*';
/** Most tenants, units or datasets. */
const MAX_IDS = 1_000;

/**
 * Reads the claims of a verified token.
 *
 * @throws RefusedTokenError if they do not fit
 */
export function readGrant(claims: Claims, issuer: TokenIssuer): TokenGrant {
  const datasetIds = readReach(claims, issuer.datasetsClaim, issuer);
  const permissions = readPermissions(claims, issuer).filter(
    (one) => datasetIds === null || !tenantWidePermissions.includes(one),
  );
  return {
    user: readUser(claims, issuer),
    tenantIds: readTenants(claims, issuer),
    tenantUnitIds: readReach(claims, issuer.unitsClaim, issuer),
    datasetIds,
    permissions,
    expiresTime: new Date(Number(claims.exp) * 1000),
  };
}

function readUser(claims: Claims, { issuer, userIdClaim, nameClaim, emailClaim }: TokenIssuer): TokenUser {
  const { sub } = claims;
  if (!isId(sub)) throw new RefusedTokenError('The claim sub must be a text of at most 255 bytes.', issuer);
  const id = claimAt(claims, userIdClaim);
  if (!isId(id))
    throw new RefusedTokenError(`The claim ${userIdClaim} must be a text of at most 255 bytes.`, issuer);
  return {
    id,
    name: displayName(claimAt(claims, nameClaim)),
    email: displayName(claimAt(claims, emailClaim)),
    issuer,
    subject: sub,
    key: userKeyOf(issuer, sub),
  };
}

/** By what limits and idempotent results of a user are kept apart from those of others. */
export function userKeyOf(issuer: string, subject: string): string {
  const hash = createHash('sha256').update(JSON.stringify([issuer, subject]));
  return `user:${hash.digest('base64url')}`;
}

function readTenants(claims: Claims, { tenant, tenantClaim, tenants, issuer }: TokenIssuer): string[] {
  if (tenant !== undefined) return [tenant];
  const given = readIds(claims, tenantClaim, issuer);
  if (!tenants.includes(EVERY_TENANT) && given.some((one) => !tenants.includes(one)))
    throw new RefusedTokenError(
      `The claim ${tenantClaim} names a tenant that the issuer may not speak for.`,
      issuer,
    );
  return given;
}

/** Units or datasets; null for all of them. A token without the claim reaches nothing: providers leave out empty ones. */
function readReach(claims: Claims, claim: string | undefined, { issuer }: TokenIssuer): string[] | null {
  if (claim === undefined) return null;
  const ids = readIds(claims, claim, issuer);
  return ids.includes(EVERYTHING) ? null : ids;
}

function readIds(claims: Claims, claim: string, issuer: string): string[] {
  const ids = textsOf(claimAt(claims, claim));
  if (!ids?.every(isId) || ids.length === 0 || ids.length > MAX_IDS)
    throw new RefusedTokenError(
      `The claim ${claim} must be a text of at most 255 bytes, or a list of 1 to ${MAX_IDS} of them.`,
      issuer,
    );
  return [...new Set(ids)];
}

function readPermissions(claims: Claims, { permissionsClaim, rolesClaim, roles }: TokenIssuer): Permission[] {
  const stated = claimAt(claims, permissionsClaim);
  const named = (typeof stated === 'string' ? stated.split(' ') : textsOf(stated)) ?? [];
  const held = textsOf(claimAt(claims, rolesClaim)) ?? [];
  const granted = new Set<string>([
    ...named,
    ...held.flatMap((role) => (Object.hasOwn(roles, role) ? (roles[role] ?? []) : [])),
  ]);
  return allPermissions.filter((one) => granted.has(one));
}
