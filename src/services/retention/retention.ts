import { type Selectable, sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { Database, Queryable, RetentionRuleTable } from '../../../db/schema.js';
import type { KeyAccess } from '../../auth/permissions.js';
import { conflict, notFound } from '../../errors/errors.js';
import { type AuditEntry, auditWrites, changedFields } from '../audit/audit.js';
import { lockLabels } from '../labels/rows.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { acquireLock } from '../shared/advisory-lock.js';
import { selectPageKeys } from '../shared/lists/page-keys.js';
import { assertWholeTenant } from '../shared/whole-tenant.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import { isExpired, toOldConversations } from './expired-conversations.js';
import {
  MAX_RETENTION_RULES,
  type NewRetentionRule,
  type RetentionPreview,
  type RetentionRule,
  type RetentionRuleChanges,
  type RetentionRuleRef,
  type RetentionScope,
} from './retention.schema.js';

export interface RetentionDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
}

export type Retention = ReturnType<typeof createRetention>;

type RuleRow = Selectable<RetentionRuleTable>;

/** Of a preview. */
const MAX_CONVERSATIONS = 10_000;
const RULES = 'Retention rules concern';

/** The rules by which conversations of a tenant are deleted. A conversation is, as soon as any rule says so. */
export function createRetention({ db, writeTransaction, clock }: RetentionDependencies) {
  return { list, create, update, remove, preview };

  /** In the order of creation. */
  async function list({ scope: { tenantId } }: RetentionScope): Promise<RetentionRule[]> {
    return selectRules(db, tenantId).execute();
  }

  async function create(input: NewRetentionRule, actor: Actor, access?: KeyAccess): Promise<RetentionRule> {
    assertWholeTenant(access, RULES);
    const { scope, ...fields } = input;
    const { tenantId } = scope;
    return writeTransaction({ scope, actor }, async (tx) => {
      await acquireLock(tx, 'retention', tenantId);
      await lockLabels(tx, { tenantId, ids: fields.exemptLabels }, ['exemptLabels']);
      if ((await selectRules(tx, tenantId).execute()).length >= MAX_RETENTION_RULES)
        throw conflict(`A tenant has at most ${MAX_RETENTION_RULES} retention rules; delete some first.`, []);
      const now = clock();
      const author = authorOf(actor);
      const row = await tx
        .insertInto('retentionRules')
        .values({
          tenantId,
          id: uuid(),
          ...fields,
          createdTime: now,
          createdBy: author,
          updatedTime: now,
          updatedBy: author,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await audit(tx, row, actor, { action: 'retention.create', after: auditedFields(row) });
      return row;
    });
  }

  async function update(
    input: RetentionRuleChanges,
    actor: Actor,
    access?: KeyAccess,
  ): Promise<RetentionRule> {
    assertWholeTenant(access, RULES);
    const { scope, ruleId, ...fields } = input;
    const { tenantId } = scope;
    return writeTransaction({ scope, actor }, async (tx) => {
      await lockLabels(tx, { tenantId, ids: fields.exemptLabels ?? [] }, ['exemptLabels']);
      const before = await lockRule(tx, input);
      const row = await tx
        .updateTable('retentionRules')
        .set({ ...fields, updatedTime: clock(), updatedBy: authorOf(actor) })
        .where('tenantId', '=', tenantId)
        .where('id', '=', ruleId)
        .returningAll()
        .executeTakeFirstOrThrow();
      const changed = changedFields(auditedFields(before), auditedFields(row));
      await audit(tx, row, actor, { action: 'retention.update', ...changed });
      return row;
    });
  }

  async function remove(input: RetentionRuleRef, actor: Actor, access?: KeyAccess): Promise<void> {
    assertWholeTenant(access, RULES);
    const { scope, ruleId } = input;
    await writeTransaction({ scope, actor }, async (tx) => {
      const before = await lockRule(tx, input);
      await tx
        .deleteFrom('retentionRules')
        .where('tenantId', '=', scope.tenantId)
        .where('id', '=', ruleId)
        .execute();
      await audit(tx, before, actor, { action: 'retention.delete', before: auditedFields(before) });
    });
  }

  /** How many conversations a rule would delete if it were there. */
  async function preview(
    { scope: { tenantId }, ...fields }: NewRetentionRule,
    access?: KeyAccess,
  ): Promise<RetentionPreview> {
    assertWholeTenant(access, RULES);
    const rule = { tenantId, ...fields };
    const now = clock();
    const old = selectPageKeys(toOldConversations(rule, now), {
      direction: 'asc',
      offset: 0,
      limit: MAX_CONVERSATIONS,
    });
    const { rows } = await sql<{ count: number; looked: number }>`
      select count(*) filter (where ${isExpired(rule, now)}) as count, count(*) as looked
      from (${old}) as old
      join conversations on conversations.tenant_id = ${tenantId} and conversations.id = old.id
    `.execute(db);
    const { count = 0, looked = 0 } = rows[0] ?? {};
    return { count, isLowerBound: looked === MAX_CONVERSATIONS };
  }
}

const selectRules = (db: Queryable, tenantId: string) =>
  db
    .selectFrom('retentionRules')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .orderBy('id')
    .limit(MAX_RETENTION_RULES);

const lockRule = (tx: Queryable, { scope: { tenantId }, ruleId }: RetentionRuleRef): Promise<RuleRow> =>
  tx
    .selectFrom('retentionRules')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', ruleId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('Retention rule', ['ruleId']));

const auditedFields = ({ agentId, statuses, exemptLabels, keepDays }: RuleRow) => ({
  agentId,
  statuses,
  exemptLabels,
  keepDays,
});

const audit = (
  tx: Queryable,
  { tenantId, id }: RuleRow,
  actor: Actor,
  what: Pick<AuditEntry, 'action' | 'before' | 'after'>,
) =>
  auditWrites(tx, tenantId, actor, [{ ...what, tenantUnitId: null, subject: { type: 'retentionRule', id } }]);
