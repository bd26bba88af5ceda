import { type InsertObject, sql } from 'kysely';
import type { Queryable, Schema } from '../../../../db/schema.js';
import type { KeyAccess } from '../../../auth/permissions.js';
import { conflict, forbidden, type InputPath } from '../../../errors/errors.js';
import { noteChanges } from '../../../search/messages/note-changes.js';
import type { Actor } from '../../shared/actor.js';
import { unitsOf } from '../../shared/tenant-scope.js';
import type { WriteTransaction } from '../../shared/write-transaction.js';
import { assertStored } from '../append-messages.js';
import { assertNotGuessed, takeNumbers } from '../insert-messages.js';
import { storeConversations } from '../writes.js';
import { insertRecords } from './insert-records.js';
import { insertReviews } from './insert-reviews.js';
import { provideLabels } from './provide-labels.js';
import type { ConversationsToImport, ImportedConversations } from './transfer.schema.js';

type Conversations = ConversationsToImport['conversations'];

export interface ImportDependencies {
  writeTransaction: WriteTransaction;
  clock: () => Date;
}

/** Stores conversations that were exported, with their messages: each id of a tenant once. */
export function createConversationImport({ writeTransaction, clock }: ImportDependencies) {
  /**
   * Stores what is not stored yet, or nothing of the request. There are no events of messages, and no checks for being idle:
   * what was written long ago is no news to subscribers.
   *
   * @throws DomainError `conflict` where another conversation or message of the tenant has one of the ids; `forbidden` for
   *   a unit outside of the scope, or an id that a key of some units could guess; `invalid` for a label that the caller
   *   may not create
   */
  return async function importConversations(
    { scope, conversations }: ConversationsToImport,
    actor: Actor,
    access: KeyAccess | undefined,
  ): Promise<ImportedConversations> {
    const { tenantId } = scope;
    assertNotGuessed(access, idsOf(conversations));
    assertWithinUnits(unitsOf(scope), conversations);
    return writeTransaction({ scope, actor }, async (tx) => {
      const labels = await provideLabels(tx, { tenantId, conversations, now: clock(), access }, actor);
      const columns = conversations.map((conversation) => toColumns(tenantId, conversation, labels));
      const rows = await storeConversations(tx, columns, actor, 'conversations.import');
      const created = new Set(rows.map(({ id }) => id));
      for (const [place, conversation] of conversations.entries()) {
        // One that is there twice is compared with the first.
        if (created.delete(conversation.id) || (await lockSame(tx, tenantId, conversation))) continue;
        throw conflict(OTHER_CONVERSATION, ['conversations', place, 'id']);
      }
      const newIds = await insertRecords(tx, tenantId, conversations);
      for (const [place, { id: conversationId, messages }] of conversations.entries()) {
        if ((newIds.get(conversationId)?.size ?? 0) === messages.length) continue;
        const path = ['conversations', place, 'messages'];
        await assertStored(tx, { scope: { tenantId }, conversationId, messages, newIds: [], path });
      }
      for (const { id, messages } of conversations)
        await numberRecords(tx, tenantId, { id, messages, newIds });
      const isNew = new Set(rows.map(({ id }) => id));
      const grown = [...newIds.keys()].filter((id) => !isNew.has(id));
      await noteChanges(tx, tenantId, grown, { hasEarlier: true });
      await insertReviews(tx, tenantId, conversations, actor);
      const counts = [...newIds.values()].map(({ size }) => size);
      return { conversations: rows.length, messages: counts.reduce((sum, size) => sum + size, 0) };
    });
  };
}

/** The ids that a request chooses, with their places in it. */
const idsOf = (conversations: Conversations): [string, InputPath][] =>
  conversations.flatMap(({ id, messages, reviews }, place): [string, InputPath][] => [
    [id, ['conversations', place, 'id']],
    ...reviews.map((review, at): [string, InputPath] => [
      review.id,
      ['conversations', place, 'reviews', at, 'id'],
    ]),
    ...messages.map((message, at): [string, InputPath] => [
      message.id,
      ['conversations', place, 'messages', at, 'id'],
    ]),
  ]);

function assertWithinUnits(units: string[] | undefined, conversations: Conversations): void {
  const strange = units ? conversations.findIndex(({ tenantUnitId }) => !units.includes(tenantUnitId)) : -1;
  if (strange !== -1) throw forbidden(OTHER_UNIT, ['conversations', strange, 'tenantUnitId']);
}

function toColumns(
  tenantId: string,
  { messages, reviews: _, ...record }: Conversations[number],
  labels: Map<string, string>,
): InsertObject<Schema, 'conversations'> {
  const labelIds = record.labels.flatMap(({ name }) => labels.get(name) ?? []);
  return {
    ...record,
    tenantId,
    labels: [...new Set(labelIds)].sort(),
    messageSequence: lastNumberOf({ ...record, messages }),
    inputs: record.inputs && JSON.stringify(record.inputs),
    extendProperties: JSON.stringify(record.extendProperties),
    createdTime: toTime(record.createdTime),
    updatedTime: toTime(record.updatedTime),
  };
}

/** Later messages get greater numbers than all of these, whatever the file says. */
const lastNumberOf = ({
  messageSequence,
  messages,
}: Pick<Conversations[number], 'messageSequence' | 'messages'>) =>
  Math.max(messageSequence, ...messages.map(({ sequence }) => sequence ?? 0));

/** In milliseconds, as the service stores all times of conversations: lists count by them. */
const toTime = (time: string) => sql<Date>`date_trunc('milliseconds', ${time}::timestamptz)`;

/**
 * Locks the stored conversation, as appends do. What changes while it goes on may be another.
 *
 * @returns whether it is the same one
 */
async function lockSame(tx: Queryable, tenantId: string, record: Conversations[number]): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('conversations')
    .set({ messageSequence: sql<number>`greatest(message_sequence, ${lastNumberOf(record)}::bigint)` })
    .where('tenantId', '=', tenantId)
    .where('id', '=', record.id)
    .where('tenantUnitId', '=', record.tenantUnitId)
    .where('agentId', '=', record.agentId)
    .where('userId', '=', record.userId)
    .where('createdTime', '=', toTime(record.createdTime))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

interface Numbering extends Pick<Conversations[number], 'id' | 'messages'> {
  newIds: Map<string, Set<string>>;
}

/** Numbers new messages that have no number, in their order: the background job would send events of them. */
async function numberRecords(
  tx: Queryable,
  tenantId: string,
  { id: conversationId, messages, newIds }: Numbering,
): Promise<void> {
  const created = newIds.get(conversationId);
  const ids = messages.flatMap(({ id, sequence }) => (sequence === null && created?.has(id) ? [id] : []));
  if (ids.length === 0) return;
  const last = await takeNumbers(tx, { scope: { tenantId }, conversationId }, ids.length);
  await sql`
    update messages as m set sequence = ${last - ids.length}::bigint + u.place
    from unnest(${ids}::text[]) with ordinality as u (id, place)
    where m.tenant_id = ${tenantId} and m.id = u.id and m.sequence is null
  `.execute(tx);
}

const OTHER_CONVERSATION = 'Another conversation of this tenant has this id.';
const OTHER_UNIT = 'This unit is outside of the scope of the import.';
