import type { Selectable } from 'kysely';
import type { RunStatus } from '../../../db/enums.js';
import { insertBatches } from '../../../db/insert-batches.js';
import type { ConversationTable, Queryable } from '../../../db/schema.js';
import { type AuditEntry, auditWrites, changedFields } from '../audit/audit.js';
import { type Actor, authorOf } from '../shared/actor.js';

export type ConversationRow = Selectable<ConversationTable>;

/** What is recorded of a conversation when it changes: no column that may be large but its topic. */
export const recordedColumns = [
  'tenantId',
  'tenantUnitId',
  'id',
  'topic',
  'status',
  'agentId',
  'assignmentId',
  'labels',
  'createdTime',
  'updatedTime',
  'updatedBy',
  'version',
  'legalHoldTime',
] as const;
export type RecordedConversation = Pick<ConversationRow, (typeof recordedColumns)[number]>;

/** The audited fields of a conversation. */
export const auditedFields = ({ topic, status, agentId, assignmentId, labels }: RecordedConversation) => ({
  topic,
  status,
  agentId,
  assignmentId,
  ...(labels.length > 0 && { labels }),
});

export const auditedChanges = (before: RecordedConversation, after: RecordedConversation) =>
  changedFields(
    { ...auditedFields(before), labels: before.labels },
    { ...auditedFields(after), labels: after.labels },
  );

/** Audits a change of a conversation. */
export const auditConversation = (
  tx: Queryable,
  { tenantId, tenantUnitId, id }: ConversationRow,
  actor: Actor,
  what: Pick<AuditEntry, 'action' | 'before' | 'after'>,
) => auditWrites(tx, tenantId, actor, [{ ...what, tenantUnitId, subject: { type: 'conversation', id } }]);

/** Adds to the history of the status of conversations. */
export async function insertStatusChanges(
  tx: Queryable,
  changes: { row: RecordedConversation; fromStatus: RunStatus | null }[],
  actor: Actor,
): Promise<void> {
  const rows = changes.map(({ row, fromStatus }) => ({
    tenantId: row.tenantId,
    tenantUnitId: row.tenantUnitId,
    conversationId: row.id,
    fromStatus,
    toStatus: row.status,
    changedTime: row.updatedTime,
    changedBy: authorOf(actor),
  }));
  for (const batch of insertBatches(rows))
    await tx.insertInto('conversationStatusChanges').values(batch).execute();
}
