import { sql } from 'kysely';
import { conversationListChanges } from '../../derived-data/list-changes.js';
import { writeCounts } from '../../derived-data/write-counts.js';
import { type RecordedConversation, recordedColumns } from '../conversations/audit.js';
import { deleteConversations } from '../conversations/delete-conversations.js';
import { removeTopics } from './erase-audit-events.js';
import { eraseNames } from './erase-names.js';
import { eraseQuestions } from './erase-questions.js';
import type { Rows, StepResult } from './place.js';

const NAMES = ['created_by', 'updated_by', 'created_by_name', 'updated_by_name', 'legal_hold_by'];

/** Deletes the conversations of the user, and what tells of them; and takes the user's name out of the others. */
export async function eraseConversations(rows: Rows): Promise<StepResult> {
  const { tx, tenantId } = rows;
  const own = await lockConversations(rows, 'user_id');
  const free = own.filter((row) => !row.legalHoldTime);
  const ids = free.map(({ id }) => id);
  // Without the topic, which the audit log would keep.
  const unnamed = free.map((row) => ({ ...row, topic: null }));
  await deleteConversations(tx, unnamed, { actor: { userId: undefined }, action: 'users.erase' });
  const auditEvents = ids.length > 0 ? await removeTopics(rows, ids) : 0;
  const judgedQuestions = await eraseQuestions(rows, sql`source_conversation_id = any(${ids}::text[])`);
  // Those of the deletion are still to be sent.
  const deliveries = await sql`
    delete from webhook_deliveries
    where tenant_id = ${tenantId} and subject_id = any(${ids}::text[]) and event_type <> 'conversation.deleted'
  `.execute(tx);
  const unassigned = await unassign(rows);
  const { erased } = await eraseNames(rows, 'conversations', { columns: NAMES, conversationId: 'id' });
  return {
    erased: {
      conversations: ids.length,
      judgedQuestions,
      webhookDeliveries: Number(deliveries.numAffectedRows),
      names: unassigned + (erased.names ?? 0),
      auditEvents,
    },
    held: own.length - free.length,
  };
}

/** Takes the user out of assignments, by which conversations are counted. */
async function unassign(rows: Rows): Promise<number> {
  const { tx, tenantId, userId } = rows;
  const before = (await lockConversations(rows, 'assignment_id')).filter((row) => !row.legalHoldTime);
  await sql`
    update conversations set assignment_id = null, version = version + 1
    where tenant_id = ${tenantId} and id = any(${before.map(({ id }) => id)}::text[]) and assignment_id = ${userId}
  `.execute(tx);
  const after = before.map((row) => ({ ...row, assignmentId: null }));
  await writeCounts(tx, { lists: conversationListChanges({ before, after }) });
  return before.length;
}

async function lockConversations(
  { tx, userId, isOne }: Rows,
  column: 'user_id' | 'assignment_id',
): Promise<RecordedConversation[]> {
  return tx
    .selectFrom('conversations as t')
    .select(recordedColumns)
    .where(isOne)
    .where(sql<boolean>`t.${sql.ref(column)} = ${userId}`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}
