import type { Selectable } from 'kysely';
import type { MemberTable, Queryable } from '../../../db/schema.js';
import { conflict } from '../../errors/errors.js';
import { acquireLock } from '../shared/advisory-lock.js';

export type MemberRow = Selectable<MemberTable>;

/** Serializes what changes the roles of a tenant, until the end of the transaction. */
export const lockMembers = (tx: Queryable, tenantId: string): Promise<void> =>
  acquireLock(tx, 'members', tenantId);

/** An admin of the whole tenant. Who is one by the claims of a token alone may cease to be at any time. */
export const isAdmin = ({ role, tenantUnitIds }: Pick<MemberRow, 'role' | 'tenantUnitIds'>): boolean =>
  role === 'admin' && tenantUnitIds === null;

/**
 * Called with the members locked, before these cease to be admins.
 *
 * @throws DomainError `conflict` where no other admin would be left
 */
export async function assertOtherAdmins(
  tx: Queryable,
  tenantId: string,
  leaving: readonly MemberRow[],
  path: (string | number)[],
): Promise<void> {
  const admins = leaving.filter(isAdmin);
  if (admins.length === 0) return;
  const { count } = await tx
    .selectFrom('members')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenantId', '=', tenantId)
    .where('role', '=', 'admin')
    .where('tenantUnitIds', 'is', null)
    .executeTakeFirstOrThrow();
  if (count > admins.length) return;
  throw conflict(
    'This is the last admin of the tenant. Give another member the role admin, for all units, and try again.',
    path,
  );
}
