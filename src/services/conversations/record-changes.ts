import type { Queryable } from '../../../db/schema.js';
import { conversationListChanges } from '../../derived-data/list-changes.js';
import { writeCounts } from '../../derived-data/write-counts.js';
import { noteChanges } from '../../search/messages/note-changes.js';
import { emitEvents } from '../../webhook-delivery/events.js';
import { auditWrites } from '../audit/audit.js';
import type { Actor } from '../shared/actor.js';
import {
  auditedChanges,
  auditedFields,
  type ConversationRow,
  insertStatusChanges,
  type RecordedConversation,
} from './audit.js';

/*
 * What follows from changes of conversations of one tenant, in the transaction of the changes, whether they are of one
 * conversation or of many.
 */

export interface Change {
  before: RecordedConversation;
  after: RecordedConversation;
}

export interface Recording {
  actor: Actor;
  /** For the audit log. */
  action: string;
}

/** Audits changes, counts them in lists, and has new topics indexed. */
export async function recordChanges(
  tx: Queryable,
  changes: readonly Change[],
  { actor, action }: Recording,
): Promise<void> {
  const [first] = changes;
  if (!first) return;
  await auditWrites(
    tx,
    first.after.tenantId,
    actor,
    changes.map(({ before, after }) => ({
      ...subjectOf(after),
      action,
      ...auditedChanges(before, after),
    })),
  );
  const lists = conversationListChanges({
    before: changes.map(({ before }) => before),
    after: changes.map(({ after }) => after),
  });
  await writeCounts(tx, { lists });
  const renamed = changes.filter(({ before, after }) => before.topic !== after.topic);
  await noteChanges(
    tx,
    first.after.tenantId,
    renamed.map(({ after }) => after.id),
  );
}

/** Likewise changes of the status; those to another one are also in its history, and have an event. */
export async function recordStatuses(
  tx: Queryable,
  changes: readonly Change[],
  recording: Recording,
): Promise<void> {
  await recordChanges(tx, changes, recording);
  const different = changes.filter(({ before, after }) => before.status !== after.status);
  const [first] = different;
  if (!first) return;
  await insertStatusChanges(
    tx,
    different.map(({ before, after }) => ({ row: after, fromStatus: before.status })),
    recording.actor,
  );
  await emitEvents(
    tx,
    first.after.tenantId,
    different.map(({ before, after: { id: conversationId, tenantUnitId, status } }) => ({
      type: 'conversation.status_changed',
      tenantUnitId,
      data: { conversationId, from: before.status, status },
    })),
  );
}

/** Audits and counts what is new, with its history and events, and has it indexed. */
export async function recordCreations(
  tx: Queryable,
  rows: readonly ConversationRow[],
  { actor, action }: Recording,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  await writeCounts(tx, { lists: conversationListChanges({ after: rows }) });
  await noteChanges(
    tx,
    first.tenantId,
    rows.map(({ id }) => id),
  );
  await insertStatusChanges(
    tx,
    rows.map((row) => ({ row, fromStatus: null })),
    actor,
  );
  await auditWrites(
    tx,
    first.tenantId,
    actor,
    rows.map((row) => ({ ...subjectOf(row), action, after: auditedFields(row) })),
  );
  await emitEvents(tx, first.tenantId, eventsOf('conversation.created', rows));
}

/** Audits and counts what is deleted, with its events, and takes it out of the search index. */
export async function recordDeletions(
  tx: Queryable,
  rows: readonly RecordedConversation[],
  { actor, action }: Recording,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  await writeCounts(tx, { lists: conversationListChanges({ before: rows }) });
  await noteChanges(
    tx,
    first.tenantId,
    rows.map(({ id }) => id),
  );
  await auditWrites(
    tx,
    first.tenantId,
    actor,
    rows.map((row) => ({ ...subjectOf(row), action, before: auditedFields(row) })),
  );
  await emitEvents(tx, first.tenantId, eventsOf('conversation.deleted', rows));
}

const subjectOf = ({ tenantUnitId, id }: Pick<ConversationRow, 'tenantUnitId' | 'id'>) => ({
  tenantUnitId,
  subject: { type: 'conversation' as const, id },
});

const eventsOf = <T extends 'conversation.created' | 'conversation.deleted'>(
  type: T,
  rows: readonly RecordedConversation[],
) =>
  rows.map(({ id: conversationId, tenantUnitId, status }) => ({
    type,
    tenantUnitId,
    data: { conversationId, status },
  }));
