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

/** Whether a text is an active API key. */
export type IsValidKey = (text: string) => Promise<boolean>;

/**
 * Cache of active API keys: loads all of them at most every few seconds, however many requests come. New and
 * revoked keys are noticed with that delay.
 */
export function createValidKeyCache({
  db,
  clock,
  now = () => performance.now(),
}: ValidKeyCacheDependencies): IsValidKey {
  const everywhere = unscoped(db, 'Compares with the active keys of all tenants.');
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
