import type { Database, Queryable } from '../../../db/schema.js';
import { hashSecret } from '../../auth/api-key-format.js';
import { keyCachesExpired } from '../../auth/key-cache.js';
import type { KeyAccess, TokenUser } from '../../auth/permissions.js';
import { sessionExpiry } from '../../auth/session-expiry.js';
import { generateSession } from '../../auth/session-token.js';
import type { SignedIn, SignIn } from '../../auth/sign-in/sign-in.js';
import { sealTokens, unsealTokens } from '../../auth/user-sessions/sealed-tokens.js';
import { formatUserSession } from '../../auth/user-sessions/user-session-token.js';
import { auditWrites } from '../audit/audit.js';
import type { Actor } from '../shared/actor.js';
import { auditedUnit } from '../shared/tenant-units.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import type { EndedSession } from './sessions.schema.js';

/** Beyond, the sessions of a user that would expire first end. */
export const MAX_SESSIONS_PER_USER = 100;

export interface UserSessionsDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
  signIn: Pick<SignIn, 'endSessionUrl'>;
}

export type UserSessions = ReturnType<typeof createUserSessions>;

type UserSessionAccess = KeyAccess & { user: TokenUser; session: NonNullable<KeyAccess['session']> };

/** Sessions of people whom a provider has signed in. */
export function createUserSessions({ db, writeTransaction, clock, signIn }: UserSessionsDependencies) {
  return { create, end };

  /** @returns the token for the cookie */
  async function create(signedIn: SignedIn, place: Pick<Actor, 'address' | 'requestId'>): Promise<string> {
    const { tenantId, memberId, grant } = signedIn;
    const { user, permissions, tenantUnitIds, datasetIds } = grant;
    const { id, secret } = generateSession();
    const now = clock();
    const actor = { ...place, ...actorOf(user) };
    await writeTransaction({ scope: { tenantId }, actor }, async (tx) => {
      await tx
        .insertInto('userSessions')
        .values({
          tenantId,
          id,
          secretHash: hashSecret(secret),
          issuer: user.issuer,
          subject: user.subject,
          userId: user.id,
          name: user.name,
          email: user.email,
          permissions: [...permissions],
          tenantUnitIds: tenantUnitIds && [...tenantUnitIds],
          datasetIds: datasetIds && [...datasetIds],
          sealedSecret: sealTokens(signedIn, id, secret),
          refreshedTime: now,
          createdTime: now,
          expiresTime: sessionExpiry(now, now),
        })
        .execute();
      await endSurplus(tx, tenantId, user);
      await auditWrites(tx, tenantId, actor, [
        {
          action: 'session.create',
          subject: { type: 'member', id: memberId ?? id },
          tenantUnitId: auditedUnit(tenantUnitIds),
          after: { sessionId: id },
        },
      ]);
    });
    return formatUserSession({ id, secret });
  }

  /** Ends the session that asks. When this resolves, every process rejects it. */
  async function end(actor: Actor, access: UserSessionAccess): Promise<EndedSession> {
    const { tenantId, user, session, tenantUnitIds } = access;
    const member = await db
      .selectFrom('members')
      .select('id')
      .where('tenantId', '=', tenantId)
      .where('issuer', '=', user.issuer)
      .where('subject', '=', user.subject)
      .executeTakeFirst();
    const ended = await writeTransaction({ scope: { tenantId }, actor }, async (tx) => {
      const row = await tx
        .deleteFrom('userSessions')
        .where('tenantId', '=', tenantId)
        .where('id', '=', session.id)
        .returning('sealedSecret')
        .executeTakeFirst();
      if (!row) return undefined;
      await auditWrites(tx, tenantId, actor, [
        {
          action: 'session.delete',
          subject: { type: 'member', id: member?.id ?? session.id },
          tenantUnitId: auditedUnit(tenantUnitIds),
          before: { sessionId: session.id },
        },
      ]);
      return row;
    });
    await keyCachesExpired();
    const tokens = ended && unsealTokens(ended.sealedSecret, session.id, session.secret ?? '');
    const url = tokens && (await signIn.endSessionUrl(user.issuer, tokens.idToken));
    return { endSessionUrl: url ?? null };
  }
}

const actorOf = (user: TokenUser): Actor => ({
  userId: user.id,
  userKey: user.key,
  userIssuer: user.issuer,
  userName: user.name ?? undefined,
});

async function endSurplus(tx: Queryable, tenantId: string, { id }: TokenUser): Promise<void> {
  await tx
    .deleteFrom('userSessions')
    .where('tenantId', '=', tenantId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('userSessions')
        .select('id')
        .where('tenantId', '=', tenantId)
        .where('userId', '=', id)
        .orderBy('expiresTime', 'desc')
        .offset(MAX_SESSIONS_PER_USER),
    )
    .execute();
}
