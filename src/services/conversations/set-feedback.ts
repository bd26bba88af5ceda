import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { notFound } from '../../errors/errors.js';
import { auditWrites } from '../audit/audit.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { resolveTenant, withinTenant } from '../shared/tenant-scope.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import { takeNumbers } from './insert-messages.js';
import type { GivenFeedback, MessageFeedback } from './messages.schema.js';
import { conversationNotFound } from './writes.js';

export interface FeedbackDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
}

/** What people think of single messages. */
export function createFeedback({ db, writeTransaction, clock }: FeedbackDependencies) {
  /**
   * Sets the verdict on a message in place of any before, or takes it back. Followers get the message again.
   *
   * @throws DomainError `not_found` for the conversation or the message
   */
  return async function setFeedback(request: MessageFeedback, actor: Actor): Promise<GivenFeedback> {
    const { conversationId, messageId, feedback, note } = request;
    const scope = await resolveTenant(db, 'conversations', { scope: request.scope, id: conversationId });
    if (!scope) throw conversationNotFound();
    return writeTransaction({ scope, actor }, async (tx) => {
      const given = {
        feedback,
        feedbackNote: note,
        feedbackBy: feedback && authorOf(actor),
        feedbackTime: feedback && clock(),
      };
      const number = await takeNumbers(tx, { scope, conversationId });
      const { tenantId, tenantUnitId } = await tx
        .updateTable('messages')
        .set({
          ...given,
          // A message inserted by SQL is numbered later, as a new one.
          sequence: sql<number>`case when sequence is not null then ${number}::bigint end`,
        })
        .where('id', '=', messageId)
        .where('conversationId', '=', conversationId)
        .where(withinTenant(scope))
        .returning(['tenantId', 'tenantUnitId'])
        .executeTakeFirstOrThrow(() => notFound('Message', ['messageId']));
      await auditWrites(tx, tenantId, actor, [
        {
          action: 'messages.setFeedback',
          subject: { type: 'conversation', id: conversationId },
          tenantUnitId,
          after: { messageId, feedback },
        },
      ]);
      return { messageId, ...given };
    });
  };
}
