import { timingSafeEqual } from 'node:crypto';
import type { Logger } from 'pino';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { unauthorized } from '../../errors/errors.js';
import { hashSecret } from '../api-key-format.js';
import type { Authenticate, AuthenticateDependencies } from '../authenticate.js';
import { createSessionExtender } from '../extend-session.js';
import { createKeyCache } from '../key-cache.js';
import type { AdmitUser, UserAccess } from '../members/admit-user.js';
import { toPermissions } from '../permissions.js';
import { sessionEnd } from '../session-expiry.js';
import type { SessionParts } from '../session-token.js';
import type { SignIn } from '../sign-in/sign-in.js';
import { userKeyOf } from '../tokens/read-grant.js';
import { RefusedTokenError } from '../tokens/refused-token.js';
import { createSessionRefresher, FRESH_MS, STALE_MS, type UserSessionRow } from './refresh-session.js';
import { parseUserSession } from './user-session-token.js';

interface Dependencies extends AuthenticateDependencies {
  signIn: SignIn;
  admitUser: AdmitUser;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** A look-up, shared by the requests of moments. */
interface Found {
  session: UserSessionRow;
  isBeingRefreshed: boolean;
}

/**
 * Checks sessions of people whom a provider has signed in. The provider is asked again while they are used; what it says, and
 * the role that the user has here, decide what they permit.
 *
 * @returns a function that throws the same DomainError `unauthorized` for every invalid session
 */
export function createAuthenticateUserSession({
  db,
  backgroundDb,
  signIn,
  admitUser,
  clock,
  log,
  onError,
}: Dependencies): Authenticate {
  const extendSession = createSessionExtender({ db: backgroundDb, table: 'userSessions', onError });
  const refresher = createSessionRefresher({ db: backgroundDb, signIn, clock, log });
  const everywhere = unscoped(db, 'The session of a user determines the tenant.');

  const find = createKeyCache(async (text): Promise<Found> => {
    const given = parseUserSession(text);
    const session = given && (await findSession(given));
    if (!session) throw unauthorized();
    return { session, isBeingRefreshed: false };
  });

  return async (text) => {
    const { secret = '' } = parseUserSession(text) ?? {};
    const found = await find(text);
    const issuer = signIn.issuerOf(found.session.issuer);
    const now = clock();
    if (!issuer || found.session.expiresTime <= now) throw unauthorized();
    await keepFresh(found, secret, now);
    const { session } = found;
    extendSession(session, now);
    try {
      return await admitUser(toAccess(session, secret), issuer);
    } catch (error) {
      if (!(error instanceof RefusedTokenError)) throw error;
      log.info({ issuer: error.issuer, reason: error.reason }, 'refused the session of a user');
      throw unauthorized();
    }
  };

  async function keepFresh(found: Found, secret: string, now: Date): Promise<void> {
    const age = now.getTime() - found.session.refreshedTime.getTime();
    if (age >= STALE_MS) {
      found.session = await refresher.refreshed(found.session, secret);
    } else if (age >= FRESH_MS && !found.isBeingRefreshed) {
      found.isBeingRefreshed = true;
      refresher.refreshInBackground(found.session, secret);
    }
  }

  /** The session if its secret matches. */
  async function findSession({ id, secret }: SessionParts): Promise<UserSessionRow | undefined> {
    const row = await everywhere
      .selectFrom('userSessions')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && timingSafeEqual(row.secretHash, hashSecret(secret)) ? row : undefined;
  }
}

const toAccess = (session: UserSessionRow, secret: string): UserAccess => ({
  keyId: undefined,
  user: {
    id: session.userId,
    name: session.name,
    email: session.email,
    issuer: session.issuer,
    subject: session.subject,
    key: userKeyOf(session.issuer, session.subject),
  },
  permissions: toPermissions(session.permissions),
  tenantId: session.tenantId,
  tenantUnitIds: session.tenantUnitIds,
  datasetIds: session.datasetIds,
  // What is made with it lasts no longer than it can itself.
  expiresTime: sessionEnd(session.createdTime),
  session: { id: session.id, expiresTime: session.expiresTime, secret },
});
