import type { MemberRole } from '../../../db/enums.js';
import type { Database, Queryable } from '../../../db/schema.js';
import { hashSecret } from '../../auth/api-key-format.js';
import { keyCachesExpired } from '../../auth/key-cache.js';
import type { KeyAccess } from '../../auth/permissions.js';
import { sessionExpiry } from '../../auth/session-expiry.js';
import { formatSession, generateSession } from '../../auth/session-token.js';
import { conflict, unauthorized } from '../../errors/errors.js';
import { auditWrites } from '../audit/audit.js';
import type { Actor } from '../shared/actor.js';
import { auditedUnit } from '../shared/tenant-units.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import type { EndedSession, ServerInfo, SessionInfo } from './sessions.schema.js';
import type { UserSessions } from './user-sessions.js';

/** Beyond, the sessions of a key that would expire first end. */
export const MAX_SESSIONS_PER_KEY = 1_000;

export interface SessionsDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
  server: ServerInfo;
  users: UserSessions;
}

export type Sessions = ReturnType<typeof createSessions>;

/** Sessions of people in a browser. Each stands for an API key, and ends with it, or for a person whom a provider has signed in. */
export function createSessions({ db, writeTransaction, clock, server, users }: SessionsDependencies) {
  return { create, createForUser: users.create, get, end };

  /**
   * @returns the token for the cookie, and what `get` returns
   * @throws DomainError `conflict` in open mode, and where a session asks: none makes itself last longer
   */
  async function create(actor: Actor, access?: KeyAccess): Promise<{ token: string; info: SessionInfo }> {
    if (!access) throw conflict('This server needs no API key, so you do not need to sign in.', []);
    if (access.session)
      throw conflict('To create a session, send the API key itself, not another session.', []);
    const { tenantId, keyId } = access;
    if (keyId === undefined) throw conflict('A session stands for an API key; send the token itself.', []);
    const parts = generateSession();
    const now = clock();
    const session = { id: parts.id, expiresTime: sessionExpiry(now, now) };
    await writeTransaction({ scope: { tenantId }, actor }, async (tx) => {
      await tx
        .insertInto('sessions')
        .values({ ...session, tenantId, keyId, secretHash: hashSecret(parts.secret), createdTime: now })
        .execute();
      await endSurplus(tx, tenantId, keyId);
      await auditSession(tx, { ...access, keyId }, actor, {
        action: 'session.create',
        after: { sessionId: session.id },
      });
    });
    return { token: formatSession(parts), info: await get({ ...access, session }) };
  }

  async function get(access?: KeyAccess): Promise<SessionInfo> {
    if (!access) return { mode: 'open', key: null, expiresTime: null, server };
    const {
      keyId: id,
      user,
      tenantId,
      permissions,
      tenantUnitIds,
      datasetIds,
      expiresTime,
      session,
    } = access;
    const reach = {
      tenantId,
      expiresTime,
      scopes: [...permissions],
      tenantUnitIds: tenantUnitIds && [...tenantUnitIds],
      datasetIds: datasetIds && [...datasetIds],
    };
    if (user || id === undefined) {
      const about = user && {
        id: user.id,
        name: user.name,
        email: user.email,
        issuer: user.issuer,
        role: (access.role ?? null) as MemberRole | null,
        ...reach,
      };
      return { mode: 'required', key: null, user: about, expiresTime: session?.expiresTime ?? null, server };
    }
    const { name } = await db
      .selectFrom('apiKeys')
      .select('name')
      .where('tenantId', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow(unauthorized);
    return {
      mode: 'required',
      key: { id, name, ...reach },
      expiresTime: session?.expiresTime ?? null,
      server,
    };
  }

  /**
   * Ends the session that asks. When this resolves, every process rejects it.
   *
   * @throws DomainError `conflict` where none asks
   */
  async function end(actor: Actor, access?: KeyAccess): Promise<EndedSession> {
    const { session, keyId, user } = access ?? {};
    if (access && session && user) return users.end(actor, { ...access, session, user });
    if (!access || !session || keyId === undefined) throw conflict('You have no session to end.', []);
    const { tenantId } = access;
    await writeTransaction({ scope: { tenantId }, actor }, async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('sessions')
        .where('tenantId', '=', tenantId)
        .where('id', '=', session.id)
        .executeTakeFirst();
      if (numDeletedRows === 0n) return;
      await auditSession(tx, { ...access, keyId }, actor, {
        action: 'session.delete',
        before: { sessionId: session.id },
      });
    });
    await keyCachesExpired();
    return { endSessionUrl: null };
  }
}

async function endSurplus(tx: Queryable, tenantId: string, keyId: string): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('tenantId', '=', tenantId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('tenantId', '=', tenantId)
        .where('keyId', '=', keyId)
        .orderBy('expiresTime', 'desc')
        .offset(MAX_SESSIONS_PER_KEY),
    )
    .execute();
}

const auditSession = (
  tx: Queryable,
  { tenantId, keyId, tenantUnitIds }: KeyAccess & { keyId: string },
  actor: Actor,
  entry: { action: string; before?: object; after?: object },
): Promise<void> =>
  auditWrites(tx, tenantId, actor, [
    { ...entry, subject: { type: 'apiKey', id: keyId }, tenantUnitId: auditedUnit(tenantUnitIds) },
  ]);
