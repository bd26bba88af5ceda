import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { MessageQuery } from './message-query.js';

/** Whether the conversation of a row, which is deleted with it, is one that the query asks for. */
export function isInConversation(query: MessageQuery, id: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const { matches } = query.conversations;
  if (!matches) return sql`true`;
  return sql`exists (select from conversations where tenant_id = ${query.tenantId} and conversations.id = ${id} and ${matches})`;
}

/** Whether a message is one that the query asks for; a topic has no id, and is where nothing is asked of messages. */
export function isMessage(
  { tenantId, messages }: MessageQuery,
  id: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  const { feedback, requestedFrom, requestedBefore, minTokens, maxTokens } = messages;
  const conditions = [
    feedback !== undefined && sql<SqlBool>`asked.feedback = ${feedback}`,
    requestedFrom && sql<SqlBool>`asked.requested_time >= ${requestedFrom}`,
    requestedBefore && sql<SqlBool>`asked.requested_time < ${requestedBefore}`,
    minTokens !== undefined && sql<SqlBool>`asked.total_tokens >= ${minTokens}`,
    maxTokens !== undefined && sql<SqlBool>`asked.total_tokens <= ${maxTokens}`,
  ].filter((one) => typeof one === 'object');
  if (conditions.length === 0) return sql<SqlBool>`true`;
  return sql`exists (select from messages as asked where asked.tenant_id = ${tenantId} and asked.id = ${id} and ${sql.join(conditions, sql` and `)})`;
}
