import type { Database } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import { type ApiKeyParts, hashSecret, parseApiKey } from './api-key-format.js';

const REFRESH_INTERVAL_MS = 5_000;

export interface ValidKeyCacheDependencies {
  db: Database;
  clock: () => Date;
  /** Milliseconds of a clock that only goes forward. */
  now?: () => number;
}

/** Tells whether a text is a key that somebody was given. */
export type IsValidKey = (text: string) => Promise<boolean>;

/**
 * Tells genuine keys at a price that no flood raises: all that serve are read at once, and again after some seconds at
 * the earliest, whatever is asked. A key that was made or revoked meanwhile is taken for what it was.
 */
export function createValidKeyCache({
  db,
  clock,
  now = () => performance.now(),
}: ValidKeyCacheDependencies): IsValidKey {
  const everywhere = unscoped(db, 'What is no genuine key is told by those of all tenants.');
  let validKeys = new Set<string>();
  let reading: Promise<void> | undefined;
  let dueMs = Number.NEGATIVE_INFINITY;

  return async (text) => {
    const parts = parseApiKey(text);
    if (!parts) return false;
    if (now() >= dueMs) {
      dueMs = now() + REFRESH_INTERVAL_MS;
      reading = read();
    }
    await reading;
    return validKeys.has(nameOf(parts.id, hashSecret(parts.secret)));
  };

  async function read(): Promise<void> {
    const rows = await everywhere
      .selectFrom('apiKeys')
      .select(['id', 'secretHash'])
      .where('revokedTime', 'is', null)
      .where((eb) => eb.or([eb('expiresTime', 'is', null), eb('expiresTime', '>', clock())]))
      .execute();
    validKeys = new Set(rows.map(({ id, secretHash }) => nameOf(id, secretHash)));
  }
}

const nameOf = (id: ApiKeyParts['id'], hash: Buffer): string => `${id} ${hash.toString('base64')}`;
