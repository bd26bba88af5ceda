import { credentialName, type KeyAccess, type Permission } from '../../auth/permissions.js';
import { forbidden, invalid } from '../../errors/errors.js';
import type { NewApiKey } from './api-keys.schema.js';

/* What a key may grant to the keys it creates. Tenants, units and datasets are checked by restrictToKey. */

export const mayGrant = (maker: KeyAccess | undefined, scope: Permission): boolean =>
  !maker || maker.permissions.includes(scope);

/**
 * Expiry of a new key: as requested, else that of its creator.
 *
 * @throws DomainError `forbidden` if it would expire after its creator
 */
export function newKeyExpiry(
  { expiresIn, expiresTime }: Pick<NewApiKey, 'expiresIn' | 'expiresTime'>,
  now: Date,
  maker: KeyAccess | undefined,
): Date | null {
  const place = [expiresIn === undefined ? 'expiresTime' : 'expiresIn'];
  const wish = expiresIn === undefined ? expiresTime : addMs(now, expiresIn);
  const latest = maker?.expiresTime ?? null;
  if (!wish) return latest;
  if (wish <= now) throw invalid('must be in the future', place);
  if (latest && wish > latest) {
    throw forbidden(
      `${credentialName(maker)} ends at ${latest.toISOString()} and makes none that ends later; leave it out, or name an earlier end.`,
      place,
    );
  }
  return wish;
}

/** Expiry of a rotated key: the same lifetime, at most until its creator expires. */
export function rotatedKeyExpiry(
  { createdTime, expiresTime }: { createdTime: Date; expiresTime: Date | null },
  now: Date,
  maker: KeyAccess | undefined,
): Date | null {
  const afterAsLong = expiresTime && addMs(now, expiresTime.getTime() - createdTime.getTime());
  return earlierTime(afterAsLong, maker?.expiresTime ?? null);
}

export const addMs = (time: Date, ms: number) => new Date(time.getTime() + ms);

/** The earlier of two times; null is never. */
export function earlierTime(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one < other ? one : other;
}
