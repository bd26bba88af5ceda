import type { KeyAccess, Permission } from '../../auth/permissions.js';
import { forbidden, invalid } from '../../errors.js';
import type { NewApiKey } from './api-keys.schema.js';

/* What a caller with a key of its own may give other keys. Where it may not go itself, narrowInput keeps it. */

export const mayGrant = (maker: KeyAccess | undefined, scope: Permission): boolean =>
  !maker || maker.permissions.includes(scope);

/**
 * When a new key ends: when that is wished, and where nothing is, with its maker.
 *
 * @throws DomainError `forbidden` when it would outlive its maker
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
  if (wish <= now) throw invalid('must lie in the future', place);
  if (latest && wish > latest) {
    throw forbidden(
      `This API key ends at ${latest.toISOString()} and makes none that ends later; leave it out, or name an earlier end.`,
      place,
    );
  }
  return wish;
}

/** When the successor of a key ends: after a life as long, but with its maker at the latest. */
export function rotatedKeyExpiry(
  { createdTime, expiresTime }: { createdTime: Date; expiresTime: Date | null },
  now: Date,
  maker: KeyAccess | undefined,
): Date | null {
  const afterAsLong = expiresTime && addMs(now, expiresTime.getTime() - createdTime.getTime());
  return earlierTime(afterAsLong, maker?.expiresTime ?? null);
}

export const addMs = (time: Date, ms: number) => new Date(time.getTime() + ms);

/** The earlier of two ends; null is never. */
export function earlierTime(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one < other ? one : other;
}
