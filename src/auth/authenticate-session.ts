import { timingSafeEqual } from 'node:crypto';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import { unauthorized } from '../errors/errors.js';
import { hashSecret } from './api-key-format.js';
import { apiKeyStatus } from './api-key-status.js';
import { type Authenticate, type AuthenticateDependencies, toAccess } from './authenticate.js';
import { createSessionExtender } from './extend-session.js';
import { createKeyCache } from './key-cache.js';
import { createLastUsedUpdater } from './last-used.js';
import { parseSession, type SessionParts } from './session-token.js';

/**
 * Checks sessions against the database, together with the keys that they stand for: what makes a key invalid makes its
 * sessions so at the same time. Look-ups are shared as those of keys are.
 *
 * @returns a function that throws the same DomainError `unauthorized` for every invalid session
 */
export function createAuthenticateSession({
  db,
  backgroundDb,
  clock,
  onError,
}: AuthenticateDependencies): Authenticate {
  const extendSession = createSessionExtender({ db: backgroundDb, onError });
  const updateLastUsed = createLastUsedUpdater({ db: backgroundDb, onError });
  const everywhere = unscoped(db, 'The session determines the tenant.');

  const findValid = createKeyCache(async (text) => {
    const given = parseSession(text);
    const found = given && (await findSession(given));
    if (!found) throw unauthorized();
    return found;
  });

  return async (text) => {
    const { session, key } = await findValid(text);
    const now = clock();
    if (session.expiresTime <= now || apiKeyStatus(key, now) !== 'active') throw unauthorized();
    extendSession(session, now);
    updateLastUsed(key, now);
    return { ...toAccess(key), session: { id: session.id, expiresTime: session.expiresTime } };
  };

  /** The session if its secret matches, with its key. */
  async function findSession({ id, secret }: SessionParts) {
    const row = await everywhere
      .selectFrom('sessions as s')
      .innerJoin('apiKeys as k', (join) =>
        join.onRef('k.tenantId', '=', 's.tenantId').onRef('k.id', '=', 's.keyId'),
      )
      .where('s.id', '=', id)
      .selectAll('k')
      .select([
        's.secretHash as sessionHash',
        's.createdTime as sessionCreatedTime',
        's.expiresTime as sessionExpiresTime',
      ])
      .executeTakeFirst();
    if (!row || !timingSafeEqual(row.sessionHash, hashSecret(secret))) return undefined;
    const { sessionHash: _, sessionCreatedTime: createdTime, sessionExpiresTime: expiresTime, ...key } = row;
    return { session: { id, tenantId: key.tenantId, createdTime, expiresTime }, key };
  }
}
