import { type RawBuilder, sql } from 'kysely';

/*
 * Messages get their numbers in the order of commits, so all up to the greatest one that is indexed are, but for those that
 * an import has brought with lower numbers. Messages that were stored before there were numbers have 0, and are indexed in
 * the order of their ids.
 */

/** The last message of a conversation that is indexed. */
export const newestIndexed = (tenantId: string, conversationId: RawBuilder<unknown>) => sql`
  select sequence, message_id from message_terms
  where tenant_id = ${tenantId} and conversation_id = ${conversationId} and sequence >= 0
  order by sequence desc, message_id desc limit 1`;

/** The messages after `indexed`, and where there may be some, those before it that are not indexed; none that is still being written. */
export const messagesAfter = (
  tenantId: string,
  conversationId: RawBuilder<unknown>,
  hasEarlier: RawBuilder<unknown>,
) => sql`
  select id, sequence, content, requested_time from messages
  where tenant_id = ${tenantId} and conversation_id = ${conversationId} and is_open is not true
    and sequence > 0 and sequence > coalesce(indexed.sequence, 0)
  union all
  select id, sequence, content, requested_time from messages
  where tenant_id = ${tenantId} and conversation_id = ${conversationId} and is_open is not true
    and sequence = 0 and coalesce(indexed.sequence, 0) = 0 and id > coalesce(indexed.message_id, '')
  union all
  select id, sequence, content, requested_time from messages
  where ${hasEarlier} and tenant_id = ${tenantId} and conversation_id = ${conversationId} and is_open is not true
    and (sequence < indexed.sequence or (sequence = 0 and indexed.sequence = 0 and id < indexed.message_id))
    and not exists (
      select from message_terms
      where tenant_id = ${tenantId} and conversation_id = ${conversationId} and message_id = messages.id)`;
