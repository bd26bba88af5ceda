import { timingSafeEqual } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { ApiKeyTable, Database } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import { unauthorized } from '../errors/errors.js';
import { type ApiKeyParts, hashSecret, parseApiKey } from './api-key-format.js';
import { apiKeyStatus } from './api-key-status.js';
import { createKeyCache } from './key-cache.js';
import { createLastUsedUpdater } from './last-used.js';
import { type KeyAccess, toPermissions } from './permissions.js';

export interface AuthenticateDependencies {
  db: Database;
  /** For what requests do not wait for. */
  backgroundDb: Database;
  clock: () => Date;
  /** Called when the last use could not be saved. */
  onError: (error: unknown) => void;
}

/** Authenticates an API key, or a session. */
export type Authenticate = (text: string) => Promise<KeyAccess>;

/** Compared if there are no keys, for constant time. */
const NO_HASH = hashSecret('');

/**
 * Checks API keys against the database; requests that arrive within moments share a look-up. Revoking a key waits until
 * no look-up from before is used, so that a revoked key is rejected in all processes from then on.
 *
 * @returns a function that throws the same DomainError `unauthorized` for every invalid key
 */
export function createAuthenticate({
  db,
  backgroundDb,
  clock,
  onError,
}: AuthenticateDependencies): Authenticate {
  const updateLastUsed = createLastUsedUpdater({ db: backgroundDb, onError });
  const everywhere = unscoped(db, 'The API key determines the tenant.');

  const findActive = createKeyCache(async (text) => {
    const given = parseApiKey(text);
    const key = given && (await findKey(given, clock()));
    if (!key) throw unauthorized();
    return key;
  });

  return async (text) => {
    const key = await findActive(text);
    const now = clock();
    if (apiKeyStatus(key, now) !== 'active') throw unauthorized();
    updateLastUsed(key, now);
    return toAccess(key);
  };

  /**
   * The key if its secret matches and it is active. One row is always read and compared (the next id if there
   * is none), so that all rejections take the same time.
   */
  async function findKey({ id, secret }: ApiKeyParts, now: Date): Promise<ApiKeyRow | undefined> {
    const keys = sql`
      select id, tenant_id, tenant_unit_ids, dataset_ids, scopes, secret_hash, expires_time, last_used_time, revoked_time
      from api_keys`;
    const { rows } = await sql<ApiKeyRow>`
      (${keys} where id >= ${id} order by id limit 1) union all (${keys} order by id limit 1) limit 1
    `.execute(everywhere);
    const [row] = rows;
    const isSecretValid = timingSafeEqual(row?.secretHash ?? NO_HASH, hashSecret(secret));
    const isActive = row?.id === id && apiKeyStatus(row, now) === 'active';
    return isSecretValid && isActive ? row : undefined;
  }
}

type ApiKeyRow = Selectable<ApiKeyTable>;

/** The access of a valid key. */
export const toAccess = ({
  id,
  scopes,
  tenantId,
  tenantUnitIds,
  datasetIds,
  expiresTime,
}: Omit<ApiKeyRow, 'secretHash'>): KeyAccess => ({
  keyId: id,
  permissions: toPermissions(scopes),
  tenantId,
  tenantUnitIds,
  datasetIds,
  expiresTime,
});
