import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { tenantTransaction } from '../../../db/tenant-isolation/tenant-transaction.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { takeNumbers } from './insert-messages.js';
import { emitMessageEvents, messageEventColumns } from './message-events.js';
import { INTERRUPTED, LOST_AFTER_S } from './stream-message.js';

const IS_LOST = sql<boolean>`written_time < now() - make_interval(secs => ${sql.lit(LOST_AFTER_S)})`;
/** Messages of a step. */
const MAX_LOST = 100;

/**
 * Closes messages whose writers are lost.
 *
 * @returns whether there may be more
 */
export async function closeLostMessages(database: Database): Promise<boolean> {
  const lost = await unscoped(database, 'Messages of all tenants are closed at once.')
    .selectFrom('messages')
    .select(['tenantId', 'conversationId', 'id'])
    .where('isOpen', '=', true)
    .where(IS_LOST)
    .limit(MAX_LOST)
    .execute();
  for (const { tenantId, conversationId, id } of lost) {
    await tenantTransaction(database, tenantId, async (tx) => {
      const sequence = await takeNumbers(tx, { scope: { tenantId }, conversationId });
      const closed = await tx
        .updateTable('messages')
        .set({ isOpen: null, status: INTERRUPTED, sequence })
        .where('tenantId', '=', tenantId)
        .where('id', '=', id)
        .where('isOpen', '=', true)
        .where(IS_LOST)
        .returning(messageEventColumns)
        .executeTakeFirst();
      if (closed) await emitMessageEvents(tx, { tenantId, conversationId }, [{ ...closed, sequence }]);
    });
  }
  return lost.length === MAX_LOST;
}
