import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-wall/unscoped.js';
import { unauthorized } from '../errors.js';
import type { KeyAccess, Permission } from '../services/access.js';
import { hashSecret, parseKey } from './key-text.js';
import { createNoteUse } from './note-use.js';

export interface AuthenticateDependencies {
  db: Database;
  clock: () => Date;
  /** Told why the last use of a key could not be written down. */
  onError: (error: unknown) => void;
}

/** Tells what the bearer of an API key may do. */
export type Authenticate = (text: string) => Promise<KeyAccess>;

/** Compared where there is no key of that id, so that this takes as long as where there is one. */
const NO_HASH = hashSecret('');

/**
 * Checks API keys against the database, for every request anew: what was revoked serves nobody any more, whichever
 * process revoked it.
 *
 * @returns a function that throws a DomainError `unauthorized`, always the same, whatever is wrong with a key
 */
export function createAuthenticate({ db, clock, onError }: AuthenticateDependencies): Authenticate {
  const noteUse = createNoteUse({ db, onError });

  return async (text) => {
    const given = parseKey(text);
    if (!given) throw unauthorized();
    const key = await findKey(given.id);
    const isRight = timingSafeEqual(hashSecret(given.secret), key?.secretHash ?? NO_HASH);
    const now = clock();
    if (!key || !isRight || key.revokedTime || (key.expiresTime && key.expiresTime <= now)) {
      throw unauthorized();
    }
    noteUse(key, now);
    const { id: keyId, scopes, tenantId, tenantUnitIds, datasetIds } = key;
    return { keyId, permissions: scopes as Permission[], tenantId, tenantUnitIds, datasetIds };
  };

  function findKey(id: string) {
    const everywhere = unscoped(db, 'The key itself tells which tenant the request is for.');
    return everywhere.selectFrom('apiKeys').selectAll().where('id', '=', id).executeTakeFirst();
  }
}
