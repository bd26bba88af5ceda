import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import { writeLabels } from '../../derived-data/write-labels.js';
import { conflict } from '../../errors/errors.js';
import { type LabelDifference, MAX_LABELS_OF_CONVERSATION } from '../labels/labels.schema.js';
import { lockLabels } from '../labels/rows.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { resolveTenant, withinTenant } from '../shared/tenant-scope.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import type { RecordedConversation } from './audit.js';
import type { Conversation, ConversationLabelsChange } from './conversations.schema.js';
import { type Change, recordChanges } from './record-changes.js';
import { conversationNotFound, lockConversation } from './writes.js';

export interface LabelsChangeDependencies {
  writeTransaction: WriteTransaction;
  clock: () => Date;
}

/** Adds labels to a conversation and removes others. */
export function createLabelsChange({ writeTransaction, clock }: LabelsChangeDependencies) {
  /**
   * Does nothing where the conversation has the first and not the others.
   *
   * @throws DomainError `conflict` where it would have too many
   */
  return async (input: ConversationLabelsChange, actor: Actor): Promise<Conversation> => {
    const { add, remove, ...ref } = input;
    return writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const scope = await resolveTenant(tx, 'conversations', {
        scope: input.scope,
        id: input.conversationId,
      });
      if (!scope) throw conversationNotFound();
      // Locked after the labels; but whether there is one is said before what is wrong with them.
      await tx
        .selectFrom('conversations')
        .select('id')
        .where('id', '=', ref.conversationId)
        .where(withinTenant(scope))
        .executeTakeFirstOrThrow(conversationNotFound);
      await lockLabels(tx, { tenantId: scope.tenantId, ids: add }, ['add']);
      const before = await lockConversation(tx, { ...ref, scope });
      const difference = { add, remove };
      if (hasTooMany(before, difference))
        throw conflict(`A conversation has at most ${MAX_LABELS_OF_CONVERSATION} labels.`, ['add']);
      const [change] = await changeLabels(tx, [before], difference, { now: clock(), actor });
      if (!change) return before;
      await recordChanges(tx, [change], { actor, action: 'conversations.setLabels' });
      return { ...before, ...change.after };
    });
  };
}

/** Whether a conversation would have more labels than one may have. */
export const hasTooMany = ({ labels }: RecordedConversation, difference: LabelDifference): boolean =>
  changed(labels, difference).length > MAX_LABELS_OF_CONVERSATION;

/**
 * Changes the labels of locked conversations of a tenant.
 *
 * @returns those whose labels are others now
 */
export async function changeLabels(
  tx: Queryable,
  rows: readonly RecordedConversation[],
  difference: LabelDifference,
  { now, actor }: { now: Date; actor: Actor },
): Promise<Change[]> {
  const changes = rows.flatMap((before) => {
    const labels = changed(before.labels, difference);
    if (labels.length === before.labels.length && labels.every((id) => before.labels.includes(id))) return [];
    const after = {
      ...before,
      labels,
      version: before.version + 1,
      updatedTime: now,
      updatedBy: authorOf(actor),
    };
    return [{ before, after }];
  });
  const [first] = changes;
  if (!first) return [];
  const values = changes.map(({ after: { id, labels } }) => ({ id, labels }));
  await sql`
    update conversations as c
    set labels = u.labels, version = c.version + 1, updated_time = ${now}, updated_by = ${authorOf(actor)}
    from json_to_recordset(${JSON.stringify(values)}::json) as u (id text, labels text[])
    where c.tenant_id = ${first.after.tenantId} and c.id = u.id
  `.execute(tx);
  const relabelled = changes.map(({ after }) => after);
  await writeLabels(tx, relabelled, difference);
  return changes;
}

/** In the order in which the labels were created, by their ids. */
const changed = (labels: readonly string[], { add, remove }: LabelDifference): string[] =>
  [...new Set([...labels, ...add])].filter((id) => !remove.includes(id)).sort();
