import type { InsertObject } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { Queryable, Schema } from '../../../db/schema.js';
import { writeLabels } from '../../derived-data/write-labels.js';
import { notFound } from '../../errors/errors.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { assertExpectedVersion } from '../shared/expected-version.js';
import { resolveTenant, type TenantUnitRef, withinTenant } from '../shared/tenant-scope.js';
import type { ConversationRow } from './audit.js';
import type {
  ConversationRemoval,
  ConversationStatusChange,
  NewConversation,
} from './conversations.schema.js';
import { recordCreations, recordStatuses } from './record-changes.js';

const ANONYMOUS = 'anonymous';

export const conversationNotFound = () => notFound('Conversation', ['conversationId']);

interface Insertion extends Omit<NewConversation, 'scope'> {
  place: TenantUnitRef;
  id?: string | undefined;
  userId?: string | undefined;
  now: Date;
}

/**
 * Inserts a conversation, counted, audited, with its event, and to be found.
 *
 * @returns undefined where the tenant has one with this id
 */
export async function insertConversation(
  tx: Queryable,
  { place, now, id = uuid(), userId, ...input }: Insertion,
  actor: Actor,
): Promise<ConversationRow | undefined> {
  const columns = {
    tenantId: place.tenantId,
    tenantUnitId: place.tenantUnitId,
    id,
    topic: input.topic,
    status: input.status,
    agentId: input.agentId,
    agentMode: 'chat', // Unspecified: the create request has no field for it.
    userId: userId ?? actor.userId ?? ANONYMOUS,
    inputs: input.inputs && JSON.stringify(input.inputs),
    assignmentId: input.assignmentId,
    createdTime: now,
    updatedTime: now,
    createdBy: authorOf(actor),
    updatedBy: authorOf(actor),
  };
  const [row] = await storeConversations(tx, [columns], actor, 'conversations.create');
  return row;
}

/**
 * Inserts the conversations that the tenant does not have, with all their columns; counted, audited and with their events.
 *
 * @returns what was inserted
 */
export async function storeConversations(
  tx: Queryable,
  columns: InsertObject<Schema, 'conversations'>[],
  actor: Actor,
  action: string,
): Promise<ConversationRow[]> {
  const rows = await tx
    .insertInto('conversations')
    .values(columns)
    .onConflict((taken) => taken.columns(['tenantId', 'id']).doNothing())
    .returningAll()
    .execute();
  await writeLabels(
    tx,
    rows.filter(({ labels }) => labels.length > 0),
    { remove: [] },
  );
  await recordCreations(tx, rows, { actor, action });
  return rows;
}

/** Selects a conversation for update, at the expected version. Messages can be added to it meanwhile. */
export async function lockConversation(
  tx: Queryable,
  { scope, conversationId, expectedVersion }: ConversationRemoval,
): Promise<ConversationRow> {
  const located = await resolveTenant(tx, 'conversations', { scope, id: conversationId });
  if (!located) throw conversationNotFound();
  const row = await tx
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', conversationId)
    .where(withinTenant(located))
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(conversationNotFound);
  assertExpectedVersion(row.version, expectedVersion);
  return row;
}

interface Change {
  values: Partial<Pick<ConversationRow, 'topic' | 'status' | 'assignmentId'>>;
  now: Date;
}

/** Updates a locked conversation. */
export const updateConversation = (
  tx: Queryable,
  { tenantId, id }: ConversationRow,
  { values, now }: Change,
  actor: Actor,
): Promise<ConversationRow> =>
  tx
    .updateTable('conversations')
    .set((eb) => ({
      topic: values.topic,
      status: values.status,
      assignmentId: values.assignmentId,
      version: eb('version', '+', 1),
      updatedTime: now,
      updatedBy: authorOf(actor),
    }))
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Sets the status of a locked conversation, audited; if it is another one, also counted and with its event. */
export async function updateStatus(
  tx: Queryable,
  before: ConversationRow,
  { status, now }: Pick<ConversationStatusChange, 'status'> & { now: Date },
  actor: Actor,
): Promise<ConversationRow> {
  const row = await updateConversation(tx, before, { values: { status }, now }, actor);
  await recordStatuses(tx, [{ before, after: row }], { actor, action: 'conversations.setStatus' });
  return row;
}
