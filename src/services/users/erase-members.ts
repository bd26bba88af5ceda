import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import { assertOtherAdmins, lockMembers, type MemberRow } from '../members/admins.js';
import { eraseNames } from './erase-names.js';
import type { Rows, StepResult } from './place.js';

/** Forgets the user as a member, and who gave roles. What a token makes a member of again, another erasure has to take. */
export async function eraseMembers(rows: Rows): Promise<StepResult> {
  const { tx, userId, isOne } = rows;
  const { numAffectedRows } = await sql`
    delete from members as t where ${isOne} and t.user_id = ${userId}
  `.execute(tx);
  const names = await eraseNames(rows, 'members', { columns: ['updated_by'] });
  return { erased: { names: Number(numAffectedRows) + (names.erased.names ?? 0) } };
}

/**
 * Removes the user from the members at once, so that nobody else ceases to be an admin meanwhile.
 *
 * @throws DomainError `conflict` for the last admin
 */
export async function removeMembers(tx: Queryable, tenantId: string, userId: string): Promise<void> {
  await lockMembers(tx, tenantId);
  const rows: MemberRow[] = await tx
    .selectFrom('members')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute();
  await assertOtherAdmins(tx, tenantId, rows, ['userId']);
  await tx.deleteFrom('members').where('tenantId', '=', tenantId).where('userId', '=', userId).execute();
}
