import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import { emitEvents, findSubscribedTypes, type MessageEventData } from '../../webhook-delivery/events.js';

/** What an event says of a message, and the unit that it belongs to. */
export type StoredMessage = MessageEventData['messages'][number] & { tenantUnitId: string };

/** Its columns, without the sequence, which is null until a message is numbered. */
export const messageEventColumns = ['tenantUnitId', 'id', 'runId', 'messageFrom', 'status'] as const;

interface ConversationKey {
  tenantId: string;
  conversationId: string;
}

/** Messages of one event. */
const MAX_MESSAGES = 100;

/**
 * Emits `message.created` for messages of a locked conversation, in the order of their numbers, and has it checked for being
 * idle. A tenant whose webhooks subscribe to neither pays one look-up.
 */
export async function emitMessageEvents(
  tx: Queryable,
  conversation: ConversationKey,
  stored: StoredMessage[],
): Promise<void> {
  const { tenantId, conversationId } = conversation;
  const [first] = stored;
  if (!first) return;
  const wanted = await findSubscribedTypes(tx, tenantId, ['message.created', 'conversation.idle']);
  if (wanted.has('conversation.idle')) await checkWhenIdle(tx, conversation);
  if (!wanted.has('message.created')) return;
  const { tenantUnitId } = first;
  for (let from = 0; from < stored.length; from += MAX_MESSAGES) {
    const messages = stored
      .slice(from, from + MAX_MESSAGES)
      .map(({ tenantUnitId: _same, ...message }) => message);
    await emitEvents(tx, tenantId, [
      { type: 'message.created', tenantUnitId, data: { conversationId, messages } },
    ]);
  }
}

/** The first check is due at once: only the background job knows the period, and puts it off. */
async function checkWhenIdle(tx: Queryable, { tenantId, conversationId }: ConversationKey): Promise<void> {
  const updateConversation = tx
    .updateTable('conversations')
    .where('tenantId', '=', tenantId)
    .where('id', '=', conversationId);
  const { idleCheckTime } = await updateConversation
    .set({ lastMessageTime: sql<Date>`now()` })
    .returning('idleCheckTime')
    .executeTakeFirstOrThrow();
  // Another statement, which is rare: Citus refuses now() in coalesce.
  if (!idleCheckTime) await updateConversation.set({ idleCheckTime: sql<Date>`now()` }).execute();
}
