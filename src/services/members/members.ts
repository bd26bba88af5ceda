import { sql } from 'kysely';
import { memberRoles } from '../../../db/enums.js';
import type { Database, Queryable } from '../../../db/schema.js';
import { whereDefined } from '../../../db/where-defined.js';
import { keyCachesExpired } from '../../auth/key-cache.js';
import { credentialName, type KeyAccess } from '../../auth/permissions.js';
import { permissionsOfRole } from '../../auth/roles.js';
import { forbidden, notFound } from '../../errors/errors.js';
import { type AuditEntry, auditWrites, changedFields } from '../audit/audit.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { assertAtMost, offsetOf, type Page, toPage } from '../shared/pagination.js';
import { assertWholeTenant } from '../shared/whole-tenant.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import { assertOtherAdmins, isAdmin, lockMembers, type MemberRow } from './admins.js';
import type { Member, MemberFilter, MemberRef, MemberRoleChange, RolePermissions } from './members.schema.js';

const SORT_KEYS = {
  createdTime: sql`created_time`,
  name: sql`lower(coalesce(name, user_id))`,
  lastSeenTime: sql`last_seen_time`,
};

export interface MembersDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
  maxPageSize: number;
}

export type Members = ReturnType<typeof createMembers>;

const MEMBERS = 'Members concern';

/** Who has signed in by a token, and the roles that they are given. When a change resolves, every process knows of it. */
export function createMembers({ db, writeTransaction, clock, maxPageSize }: MembersDependencies) {
  return { roles, list, get, setRole, remove };

  /** What each role permits. */
  async function roles(): Promise<RolePermissions[]> {
    return memberRoles.map((role) => ({ role, permissions: [...permissionsOfRole[role]] }));
  }

  async function list(filter: MemberFilter, access?: KeyAccess): Promise<Page<Member>> {
    const { order = 'createdTime', direction = 'desc' } = filter;
    assertWholeTenant(access, MEMBERS);
    assertAtMost(maxPageSize, filter.pageSize, 'pageSize');
    const matching = db
      .selectFrom('members')
      .where('tenantId', '=', filter.scope.tenantId)
      .$call(whereDefined(filter.role, (q, role) => q.where('role', '=', role)))
      .$call(whereDefined(filter.userId, (q, id) => q.where('userId', '=', id)));
    const [{ count }, rows] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      matching
        .selectAll()
        .orderBy(SORT_KEYS[order], direction)
        .orderBy('id', direction)
        .limit(filter.pageSize)
        .offset(offsetOf(filter))
        .execute(),
    ]);
    return toPage(filter, rows.map(toMember), count);
  }

  async function get(ref: MemberRef, access?: KeyAccess): Promise<Member> {
    assertWholeTenant(access, MEMBERS);
    return toMember(await selectMember(db, ref).executeTakeFirstOrThrow(memberNotFound));
  }

  /**
   * Gives a member a role, or takes it away.
   *
   * @throws DomainError `forbidden` for a role that permits what the giver may not do, `conflict` for the last admin
   */
  async function setRole(input: MemberRoleChange, actor: Actor, access?: KeyAccess): Promise<Member> {
    assertWholeTenant(access, MEMBERS);
    const { scope, role, tenantUnitIds, datasetIds } = input;
    const { tenantId } = scope;
    const lacking =
      access && role && permissionsOfRole[role].find((one) => !access.permissions.includes(one));
    if (lacking)
      throw forbidden(
        `${credentialName(access)} may not give the role ${role}: it lacks the scope ${lacking} itself.`,
        ['role'],
      );
    const changed = await writeTransaction({ scope, actor }, async (tx) => {
      await lockMembers(tx, tenantId);
      const before = await lockMember(tx, input);
      if (!isAdmin({ role, tenantUnitIds })) await assertOtherAdmins(tx, tenantId, [before], ['role']);
      const row = await tx
        .updateTable('members')
        .set({ role, tenantUnitIds, datasetIds, updatedTime: clock(), updatedBy: authorOf(actor) })
        .where('tenantId', '=', tenantId)
        .where('id', '=', before.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      const changes = changedFields(roleOf(before), roleOf(row));
      await audit(tx, row, actor, {
        action: 'members.setRole',
        before: changes.before,
        after: { ...personOf(row), ...changes.after },
      });
      return toMember(row);
    });
    await keyCachesExpired();
    return changed;
  }

  /**
   * Forgets a member with its role. Who signs in again is a new one, without a role.
   *
   * @throws DomainError `conflict` for the last admin
   */
  async function remove(input: MemberRef, actor: Actor, access?: KeyAccess): Promise<void> {
    assertWholeTenant(access, MEMBERS);
    const { tenantId } = input.scope;
    await writeTransaction({ scope: input.scope, actor }, async (tx) => {
      await lockMembers(tx, tenantId);
      const before = await lockMember(tx, input);
      await assertOtherAdmins(tx, tenantId, [before], ['memberId']);
      await tx.deleteFrom('members').where('tenantId', '=', tenantId).where('id', '=', before.id).execute();
      await audit(tx, before, actor, {
        action: 'members.remove',
        before: { ...personOf(before), ...roleOf(before) },
      });
    });
    await keyCachesExpired();
  }
}

const selectMember = (db: Queryable, { scope: { tenantId }, memberId }: MemberRef) =>
  db.selectFrom('members').selectAll().where('tenantId', '=', tenantId).where('id', '=', memberId);

const lockMember = (tx: Queryable, ref: MemberRef): Promise<MemberRow> =>
  selectMember(tx, ref).forUpdate().executeTakeFirstOrThrow(memberNotFound);

const toMember = ({ tenantId: _, ...row }: MemberRow): Member => row;

const roleOf = ({ role, tenantUnitIds, datasetIds }: MemberRow) => ({ role, tenantUnitIds, datasetIds });

/** Whom the audit log names: an erasure takes it out again. */
const personOf = ({ issuer, subject, userId, name }: MemberRow) => ({ issuer, subject, userId, name });

const audit = (
  tx: Queryable,
  { tenantId, id }: MemberRow,
  actor: Actor,
  what: Pick<AuditEntry, 'action' | 'before' | 'after'>,
) => auditWrites(tx, tenantId, actor, [{ ...what, tenantUnitId: null, subject: { type: 'member', id } }]);

const memberNotFound = () => notFound('Member', ['memberId']);
