import { setTimeout as delay } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database, UserSessionTable } from '../../../db/schema.js';
import { DomainError, unauthorized, unavailable } from '../../errors/errors.js';
import type { SignIn } from '../sign-in/sign-in.js';
import { SignInFailure } from '../sign-in/sign-in-failure.js';
import { sealTokens, unsealTokens } from './sealed-tokens.js';

export type UserSessionRow = Selectable<UserSessionTable>;

/** After this time the provider is asked again, in the background. */
export const FRESH_MS = 5 * 60_000;
/** After this time requests wait for its answer: for so long a session lives on while the provider is away. */
export const STALE_MS = 60 * 60_000;
/** Longer than the requests to a provider take. */
const LEASE_SECONDS = 60;
/** Between two attempts while the provider is away. */
const RETRY_SECONDS = 10;
/** While another process asks. */
const POLL_MS = 100;
const MAX_WAIT_MS = 25_000;

export interface RefreshDependencies {
  db: Database;
  signIn: SignIn;
  clock: () => Date;
  log: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Asks providers again whom they vouch for. A refresh token may be of use once, so one process at a time uses that of a session:
 * whoever has its lease.
 */
export function createSessionRefresher({ db, signIn, clock, log }: RefreshDependencies) {
  const underWay = new Map<string, Promise<UserSessionRow | undefined>>();
  return { refreshInBackground, refreshed };

  /** Never rejects. */
  function refreshInBackground(session: UserSessionRow, secret: string): void {
    // Where the provider gave none, the session lasts as long as one whose provider is away.
    if (!unsealTokens(session.sealedSecret, session.id, secret)?.refreshToken) return;
    refreshOnce(session, secret).catch((err) => {
      if (!(err instanceof DomainError)) log.warn({ err }, 'could not refresh a session');
    });
  }

  /**
   * The session once its provider has answered.
   *
   * @throws DomainError `unauthorized` where it does not vouch for the user any more, `unavailable` where it does not answer
   */
  async function refreshed(session: UserSessionRow, secret: string): Promise<UserSessionRow> {
    const endMs = performance.now() + MAX_WAIT_MS;
    do {
      const found = await refreshOnce(session, secret);
      if (found) return found;
      // The provider has just not answered, or another process asks it.
      const current = await read(session);
      if (!current) throw unauthorized();
      if (current.refreshedTime > session.refreshedTime) return current;
      if (current.isWaiting) break;
      await delay(POLL_MS);
    } while (performance.now() < endMs);
    throw unavailable('Your identity provider does not answer at the moment; try again.');
  }

  function refreshOnce(session: UserSessionRow, secret: string): Promise<UserSessionRow | undefined> {
    const { id } = session;
    const going = underWay.get(id);
    if (going) return going;
    const started = refresh(session, secret).finally(() => underWay.delete(id));
    underWay.set(id, started);
    return started;
  }

  /** @returns undefined where another process does it, or the provider does not answer */
  async function refresh(session: UserSessionRow, secret: string): Promise<UserSessionRow | undefined> {
    const leased = await lease(session);
    if (!leased) return undefined;
    const tokens = unsealTokens(leased.sealedSecret, session.id, secret);
    if (!tokens?.refreshToken) return end(session, 'The provider gave no refresh token.');
    try {
      const {
        grant,
        idToken = tokens.idToken,
        refreshToken,
      } = await signIn.refresh(session.issuer, tokens.refreshToken);
      // Rotated already: whatever follows, the new one is kept.
      const sealedSecret = sealTokens({ refreshToken, idToken }, session.id, secret);
      if (grant && (grant.user.subject !== session.subject || !grant.tenantIds.includes(session.tenantId)))
        return end(session, 'The user has the tenant no more.');
      return await save(session, {
        sealedSecret,
        ...(grant && {
          userId: grant.user.id,
          name: grant.user.name,
          email: grant.user.email,
          permissions: [...grant.permissions],
          tenantUnitIds: grant.tenantUnitIds && [...grant.tenantUnitIds],
          datasetIds: grant.datasetIds && [...grant.datasetIds],
        }),
      });
    } catch (error) {
      if (!(error instanceof SignInFailure)) throw error;
      // What is wrong with the settings of the provider ends no session before its time.
      if (error.code === 'expired' || error.code === 'denied' || error.code === 'refused')
        return end(session, error.reason);
      log.warn({ issuer: session.issuer, reason: error.reason }, 'could not refresh a session');
      await retryLater(session);
      return undefined;
    }
  }

  function rowOf({ tenantId, id }: UserSessionRow) {
    return db.updateTable('userSessions').where('tenantId', '=', tenantId).where('id', '=', id);
  }

  /** Takes the lease, unless somebody has it or has refreshed the session meanwhile, or the provider was away a moment ago. */
  function lease(session: UserSessionRow) {
    return rowOf(session)
      .set({ leaseEndTime: secondsFromNow(LEASE_SECONDS) })
      .where('refreshedTime', '=', session.refreshedTime)
      .where((eb) => eb.or([eb('leaseEndTime', 'is', null), eb('leaseEndTime', '<', NOW)]))
      .where((eb) => eb.or([eb('retryTime', 'is', null), eb('retryTime', '<', NOW)]))
      .returning('sealedSecret')
      .executeTakeFirst();
  }

  /** Of one that has ended meanwhile, nothing. */
  async function save(
    session: UserSessionRow,
    changes: Partial<UserSessionRow>,
  ): Promise<UserSessionRow | undefined> {
    return rowOf(session)
      .set({ ...changes, refreshedTime: clock(), leaseEndTime: null, retryTime: null })
      .returningAll()
      .executeTakeFirst();
  }

  async function retryLater(session: UserSessionRow): Promise<void> {
    await rowOf(session)
      .set({ leaseEndTime: null, retryTime: secondsFromNow(RETRY_SECONDS) })
      .execute();
  }

  async function end(session: UserSessionRow, reason: string): Promise<never> {
    const { tenantId, id, issuer } = session;
    await db.deleteFrom('userSessions').where('tenantId', '=', tenantId).where('id', '=', id).execute();
    log.info({ issuer, reason }, 'ended a session that its provider does not refresh');
    throw unauthorized();
  }

  /** As it is now, and whether nobody asks the provider before a while has passed. */
  async function read({ tenantId, id }: UserSessionRow) {
    return db
      .selectFrom('userSessions')
      .selectAll()
      .select(sql<boolean>`coalesce(retry_time > ${NOW}, false)`.as('isWaiting'))
      .where('tenantId', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst();
  }
}

/** Leases end by the clock of the database: those of the processes may differ. */
const NOW = sql<Date>`statement_timestamp()`;
const secondsFromNow = (seconds: number) => sql<Date>`${NOW} + ${sql.lit(seconds)} * interval '1 second'`;
