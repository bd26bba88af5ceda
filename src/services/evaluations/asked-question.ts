import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import { invalid, notFound } from '../../errors/errors.js';
import { type TenantUnitRef, withinTenant } from '../shared/tenant-scope.js';
import { MAX_QUERY_LENGTH, type QuestionSource } from './evaluations.schema.js';

/** Who asks, in messages. */
const USER = 'user';

/**
 * Reads what the user had asked when a message was written: the latest message of the user up to it. A longer one is cut.
 *
 * @throws DomainError `not_found` for the message; `invalid` where the user had written nothing
 */
export async function readAskedQuestion(
  tx: Queryable,
  scope: TenantUnitRef,
  { conversationId, messageId }: QuestionSource,
): Promise<string> {
  const ofConversation = tx
    .selectFrom('messages')
    .where(withinTenant(scope))
    .where('conversationId', '=', conversationId);
  const { time } = await ofConversation
    // As text, which has the microseconds.
    .select(sql<string>`requested_time::text`.as('time'))
    .where('id', '=', messageId)
    .executeTakeFirstOrThrow(() => notFound('Message', ['messageId']));
  const asked = await ofConversation
    .select(sql<string>`left(content, ${sql.lit(MAX_QUERY_LENGTH)})`.as('text'))
    .where('messageFrom', '=', USER)
    .where('content', '<>', '')
    .where(sql<boolean>`(requested_time, id) <= (${time}::timestamptz, ${messageId})`)
    .orderBy('requestedTime', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!asked) throw invalid('has no message of the user before it', ['messageId']);
  return asked.text;
}
