import { createHash, randomBytes } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-wall/unscoped.js';
import { unauthorized } from '../errors.js';
import type { KeyAccess, Permission } from '../services/access.js';
import { hashSecret, type KeyParts, parseKey } from './key-text.js';
import { createNoteUse } from './note-use.js';

export interface AuthenticateDependencies {
  db: Database;
  clock: () => Date;
  /** Told why the last use of a key could not be written down. */
  onError: (error: unknown) => void;
}

/** Tells what the bearer of an API key may do. */
export type Authenticate = (text: string) => Promise<KeyAccess>;

/** Compared where no key is kept, so that this takes as long as where one is. */
const NO_HASH = hashSecret('');
const SALT_BYTES = 16;

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
    const now = clock();
    const key = await findKey(given, now);
    if (!key) throw unauthorized();
    noteUse(key, now);
    const { id: keyId, scopes, tenantId, tenantUnitIds, datasetIds } = key;
    return { keyId, permissions: scopes as Permission[], tenantId, tenantUnitIds, datasetIds };
  };

  /**
   * The key, where the secret is its own and it serves now. Whatever is wrong, nothing comes back, and it takes as long:
   * a row that is then not used would take longer to read than none.
   */
  function findKey({ id, secret }: KeyParts, now: Date) {
    const everywhere = unscoped(db, 'The key itself tells which tenant the request is for.');
    // The next one is read where there is none of that id, so that one is read in any case.
    const kept = everywhere
      .selectFrom('apiKeys')
      .select((eb) => {
        const serves = eb.or([eb('expiresTime', 'is', null), eb('expiresTime', '>', now)]);
        const isMeant = eb.and([eb('id', '=', id), eb('revokedTime', 'is', null), serves]);
        return eb.case().when(isMeant).then(eb.ref('secretHash')).end().as('secretHash');
      })
      .where('id', '>=', id)
      .orderBy('id')
      .limit(1);
    // Hashed once more with a number of this request alone, what is compared tells nothing of what is kept, however
    // long that takes.
    const salt = randomBytes(SALT_BYTES);
    const expected = createHash('sha256').update(hashSecret(secret)).update(salt).digest();
    return everywhere
      .selectFrom('apiKeys')
      .select(['id', 'tenantId', 'tenantUnitIds', 'datasetIds', 'scopes', 'lastUsedTime'])
      .where('id', '=', id)
      .where(sql<SqlBool>`sha256(coalesce(${kept}, ${NO_HASH}) || ${salt}) = ${expected}`)
      .executeTakeFirst();
  }
}
