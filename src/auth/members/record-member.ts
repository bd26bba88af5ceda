import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import { advisoryLockKey } from '../../../db/advisory-locks.js';
import type { Database, Queryable } from '../../../db/schema.js';
import { tenantTransaction } from '../../../db/tenant-isolation/tenant-transaction.js';
import type { TokenUser } from '../permissions.js';
import type { KnownMember } from './find-member.js';

/** Most members of a tenant. */
export const MAX_MEMBERS = 10_000;
/** Between two updates of a member. */
const INTERVAL_MS = 60 * 60_000;
/** Between two attempts to add somebody to a tenant that has no room. */
const FULL_MS = 60_000;
/** Writes of a process at a time; who comes meanwhile is recorded by a later request. */
const MAX_UNDER_WAY = 10;

export type RecordMember = (
  tenantId: string,
  user: TokenUser,
  member: KnownMember | undefined,
  now: Date,
) => void;

/**
 * Records who signs in by a token, and about once an hour that it was seen, without delaying the request (best effort).
 * Where a tenant has the most members, somebody without a role who was not seen for longest makes way.
 */
export function createRecordMember({
  db,
  onError,
}: {
  db: Database;
  onError: (error: unknown) => void;
}): RecordMember {
  const underWay = new Set<string>();
  /** When tenants were found to have no room. */
  const full = new Map<string, number>();

  return (tenantId, user, member, now) => {
    if (member && now.getTime() - member.lastSeenTime.getTime() < INTERVAL_MS) return;
    if (!member && isFull(tenantId, now)) return;
    const name = `${tenantId} ${user.key}`;
    if (underWay.has(name) || underWay.size >= MAX_UNDER_WAY) return;
    underWay.add(name);
    // The look-up is shared with requests that come within moments.
    if (member) member.lastSeenTime = now;
    record(tenantId, user, now)
      .catch(onError)
      .finally(() => underWay.delete(name));
  };

  function isFull(tenantId: string, now: Date): boolean {
    const since = full.get(tenantId);
    if (since === undefined) return false;
    const passed = now.getTime() - since;
    if (passed >= 0 && passed < FULL_MS) return true;
    full.delete(tenantId);
    return false;
  }

  async function record(tenantId: string, user: TokenUser, now: Date): Promise<void> {
    const memberId = await storeMember(db, tenantId, user, now);
    if (memberId === undefined) full.set(tenantId, now.getTime());
  }
}

/** Records a user as a member. @returns its id; undefined where the tenant has no room */
export async function storeMember(
  db: Database,
  tenantId: string,
  user: TokenUser,
  now: Date,
): Promise<string | undefined> {
  const known = await update(db, tenantId, user, now);
  return known ?? tenantTransaction(db, tenantId, (tx) => add(tx, tenantId, user, now));
}

const toColumns = ({ id, name, email }: TokenUser, now: Date) => ({
  userId: id,
  name,
  email,
  lastSeenTime: now,
});

async function update(
  db: Queryable,
  tenantId: string,
  user: TokenUser,
  now: Date,
): Promise<string | undefined> {
  const row = await db
    .updateTable('members')
    .set(toColumns(user, now))
    .where('tenantId', '=', tenantId)
    .where('issuer', '=', user.issuer)
    .where('subject', '=', user.subject)
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** @returns its id, or that of the row that somebody else has added; undefined where there is no room */
async function add(tx: Queryable, tenantId: string, user: TokenUser, now: Date): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(${advisoryLockKey('members', [tenantId])}::bigint)`.execute(tx);
  const { count } = await tx
    .selectFrom('members')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenantId', '=', tenantId)
    .executeTakeFirstOrThrow();
  if (count >= MAX_MEMBERS && !(await makeRoom(tx, tenantId))) return undefined;
  const added = await tx
    .insertInto('members')
    .values({
      tenantId,
      id: uuid(),
      issuer: user.issuer,
      subject: user.subject,
      ...toColumns(user, now),
      createdTime: now,
    })
    .onConflict((conflict) => conflict.columns(['tenantId', 'issuer', 'subject']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added?.id ?? update(tx, tenantId, user, now);
}

async function makeRoom(tx: Queryable, tenantId: string): Promise<boolean> {
  const oldest = await tx
    .selectFrom('members')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('role', 'is', null)
    .orderBy('lastSeenTime')
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return false;
  await tx.deleteFrom('members').where('tenantId', '=', tenantId).where('id', '=', oldest.id).execute();
  return true;
}
