import type { Selectable } from 'kysely';
import type { RunStatus } from '../../../db/enums.js';
import type { ConversationTable, Queryable } from '../../../db/schema.js';
import { type ConversationEventData, type EventType, emitEvents } from '../../webhook-delivery/events.js';
import { type AuditEntry, auditWrites, changedFields } from '../audit/audit.js';
import { type Actor, authorOf } from '../shared/actor.js';

export type ConversationRow = Selectable<ConversationTable>;

/** The audited fields of a conversation. */
export const auditedFields = ({ topic, status, agentId, assignmentId }: ConversationRow) => ({
  topic,
  status,
  agentId,
  assignmentId,
});

export const auditedChanges = (before: ConversationRow, after: ConversationRow) =>
  changedFields(auditedFields(before), auditedFields(after));

/** Audits a change of a conversation. */
export const auditConversation = (
  tx: Queryable,
  { tenantId, tenantUnitId, id }: ConversationRow,
  actor: Actor,
  what: Pick<AuditEntry, 'action' | 'before' | 'after'>,
) => auditWrites(tx, tenantId, actor, [{ ...what, tenantUnitId, subject: { type: 'conversation', id } }]);

/** Emits a webhook event of a conversation. */
export const emitConversationEvent = (
  tx: Queryable,
  { tenantId, tenantUnitId, id }: ConversationRow,
  { type, data }: { type: EventType; data: Omit<ConversationEventData, 'conversationId'> },
) => emitEvents(tx, tenantId, [{ type, tenantUnitId, data: { conversationId: id, ...data } }]);

/** Adds to the history of a conversation's status. */
export async function insertStatusChange(
  tx: Queryable,
  row: ConversationRow,
  fromStatus: RunStatus | null,
  actor: Actor,
): Promise<void> {
  await tx
    .insertInto('conversationStatusChanges')
    .values({
      tenantId: row.tenantId,
      tenantUnitId: row.tenantUnitId,
      conversationId: row.id,
      fromStatus,
      toStatus: row.status,
      changedTime: row.updatedTime,
      changedBy: authorOf(actor),
    })
    .execute();
}
