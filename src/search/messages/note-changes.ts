import type { Queryable } from '../../../db/schema.js';
import { keyOfMessage } from './message-terms.js';

/**
 * Has conversations of a tenant indexed again, in the transaction that changes their topics or messages, or deletes them.
 * New messages are noted where they get their numbers.
 *
 * @param hasEarlier they have got messages with lower numbers than those that may be indexed
 */
export async function noteChanges(
  tx: Queryable,
  tenantId: string,
  conversationIds: string[],
  { hasEarlier = false }: { hasEarlier?: boolean } = {},
): Promise<void> {
  if (conversationIds.length === 0) return;
  await tx
    .insertInto('messageChanges')
    .values(conversationIds.map((conversationId) => ({ tenantId, conversationId, hasEarlier })))
    .execute();
}

/**
 * Takes deleted messages out of the search index, whose conversations stay: their terms at once, and again when the change is
 * indexed, as they may be indexed at this moment. Segments lose their postings then, or within a day.
 */
export async function forgetMessages(
  tx: Queryable,
  tenantId: string,
  messages: { id: string; conversationId: string }[],
): Promise<void> {
  if (messages.length === 0) return;
  const changes = messages.map(({ id, conversationId }) => ({
    tenantId,
    conversationId,
    goneKey: keyOfMessage(id),
  }));
  await tx
    .deleteFrom('messageTerms')
    .where('tenantId', '=', tenantId)
    .where(
      'key',
      'in',
      changes.map(({ goneKey }) => goneKey),
    )
    .execute();
  await tx.insertInto('messageChanges').values(changes).execute();
}
