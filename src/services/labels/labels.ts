import { sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';
import type { KeyAccess } from '../../auth/permissions.js';
import { conflict } from '../../errors/errors.js';
import { changedFields } from '../audit/audit.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { assertWholeTenant } from '../shared/whole-tenant.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import { auditedFields, auditLabel, insertLabel, lockLabelsOfTenant } from './insert-labels.js';
import type { Label, LabelChanges, LabelFilter, LabelRef, NewLabel } from './labels.schema.js';
import { removeFromConversations } from './remove-deleted-labels.js';
import { type LabelRow, labelNotFound, selectLabels } from './rows.js';

export interface LabelsDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
}

export type Labels = ReturnType<typeof createLabels>;

/**
 * The labels of a tenant. All of its units have the same ones: keys that are restricted to units list them and put them on
 * their conversations, but only a key of the whole tenant changes them.
 */
export function createLabels({ db, writeTransaction, clock }: LabelsDependencies) {
  return { list, create, update, remove };

  /** By name. */
  async function list({ scope: { tenantId } }: LabelFilter): Promise<Label[]> {
    return selectLabels(db, tenantId).execute();
  }

  async function create(input: NewLabel, actor: Actor, access?: KeyAccess): Promise<Label> {
    assertWholeTenant(access, LABELS);
    const { scope, name, color } = input;
    return writeTransaction({ scope, actor }, async (tx) => {
      const others = await lockLabelsOfTenant(tx, scope.tenantId);
      assertNameIsFree(others, name);
      return insertLabel(tx, { tenantId: scope.tenantId, name, color, others, now: clock() }, actor);
    });
  }

  async function update(input: LabelChanges, actor: Actor, access?: KeyAccess): Promise<Label> {
    assertWholeTenant(access, LABELS);
    const { scope, labelId, name, color } = input;
    return writeTransaction({ scope, actor }, async (tx) => {
      const others = await lockLabelsOfTenant(tx, scope.tenantId);
      const before = find(others, labelId);
      if (name !== undefined && name !== before.name) assertNameIsFree(others, name);
      const row = await tx
        .updateTable('labels')
        .set({ name, color, updatedTime: clock(), updatedBy: authorOf(actor) })
        .where('tenantId', '=', scope.tenantId)
        .where('id', '=', labelId)
        .returningAll()
        .executeTakeFirstOrThrow();
      const changed = changedFields(auditedFields(before), auditedFields(row));
      await auditLabel(tx, row, actor, { action: 'labels.update', ...changed });
      return row;
    });
  }

  /** Also removes it from its conversations; where it has many, from most of them in the background. */
  async function remove({ scope, labelId }: LabelRef, actor: Actor, access?: KeyAccess): Promise<void> {
    assertWholeTenant(access, LABELS);
    const { tenantId } = scope;
    await writeTransaction({ scope, actor }, async (tx) => {
      const before = find(await lockLabelsOfTenant(tx, tenantId), labelId);
      await assertExemptsNothing(tx, before);
      await tx
        .updateTable('labels')
        .set({ deletedTime: clock() })
        .where('tenantId', '=', tenantId)
        .where('id', '=', labelId)
        .execute();
      await removeFromConversations(tx, before);
      await auditLabel(tx, before, actor, { action: 'labels.delete', before: auditedFields(before) });
    });
  }
}

function find(labels: LabelRow[], labelId: string): LabelRow {
  const found = labels.find(({ id }) => id === labelId);
  if (!found) throw labelNotFound(['labelId']);
  return found;
}

/** Without the label, the rule would delete what it keeps. */
async function assertExemptsNothing(tx: Queryable, { tenantId, id }: LabelRow): Promise<void> {
  const rule = await tx
    .selectFrom('retentionRules')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where(sql<boolean>`${id} = any(exempt_labels)`)
    .limit(1)
    .executeTakeFirst();
  if (rule)
    throw conflict('A retention rule exempts conversations with this label; change the rule first.', []);
}

function assertNameIsFree(labels: LabelRow[], name: string): void {
  if (labels.some((label) => label.name === name)) throw conflict('Another label has this name.', ['name']);
}

/** Changing a label changes conversations of all units. */
const LABELS = 'Labels belong to';
