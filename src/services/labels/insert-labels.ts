import { v7 as uuid } from 'uuid';
import type { Queryable } from '../../../db/schema.js';
import { conflict, type InputPath } from '../../errors/errors.js';
import { type AuditEntry, auditWrites } from '../audit/audit.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { acquireLock } from '../shared/advisory-lock.js';
import { MAX_LABELS } from './labels.schema.js';
import { type LabelRow, selectLabels } from './rows.js';

interface LabelInsertion {
  tenantId: string;
  name: string;
  color: string;
  /** The labels that the tenant has, which are locked. None has the name. */
  others: readonly LabelRow[];
  now: Date;
}

/**
 * Inserts a label, audited.
 *
 * @param path of the label in the input
 * @throws DomainError `conflict` where the tenant has too many
 */
export async function insertLabel(
  tx: Queryable,
  { tenantId, name, color, others, now }: LabelInsertion,
  actor: Actor,
  path: InputPath = [],
): Promise<LabelRow> {
  if (others.length >= MAX_LABELS)
    throw conflict(`A tenant has at most ${MAX_LABELS} labels; delete some first.`, path);
  const author = authorOf(actor);
  const row = await tx
    .insertInto('labels')
    .values({
      tenantId,
      id: uuid(),
      name,
      color,
      createdTime: now,
      createdBy: author,
      updatedTime: now,
      updatedBy: author,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await auditLabel(tx, row, actor, { action: 'labels.create', after: auditedFields(row) });
  return row;
}

/** Reads the labels of a tenant, which nothing else changes until the end of the transaction. */
export async function lockLabelsOfTenant(tx: Queryable, tenantId: string): Promise<LabelRow[]> {
  await acquireLock(tx, 'labels', tenantId);
  return selectLabels(tx, tenantId).execute();
}

export const auditedFields = ({ name, color }: LabelRow) => ({ name, color });

/** Audits a change of a label. */
export const auditLabel = (
  tx: Queryable,
  { tenantId, id }: LabelRow,
  actor: Actor,
  what: Pick<AuditEntry, 'action' | 'before' | 'after'>,
) => auditWrites(tx, tenantId, actor, [{ ...what, tenantUnitId: null, subject: { type: 'label', id } }]);
