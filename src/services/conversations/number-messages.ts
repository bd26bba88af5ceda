import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { tenantTransaction } from '../../../db/tenant-isolation/tenant-transaction.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { noteChanges } from '../../search/messages/note-changes.js';
import { emitMessageEvents, type StoredMessage } from './message-events.js';

/** Conversations of a step, and messages of one conversation in it. */
const MAX_CONVERSATIONS = 100;
const MAX_MESSAGES = 1_000;

interface Unnumbered {
  tenantId: string;
  conversationId: string;
}

/**
 * Numbers messages that an agent runtime has inserted into the table, so that followers see them.
 *
 * @returns whether there may be more
 */
export async function numberMessages(database: Database): Promise<boolean> {
  const db = unscoped(database, 'Messages of all tenants are numbered at once.');
  const { rows } = await sql<Unnumbered>`
    select distinct tenant_id, conversation_id
    from (select tenant_id, conversation_id from messages where sequence is null limit ${sql.lit(MAX_MESSAGES)}) as found
    limit ${sql.lit(MAX_CONVERSATIONS)}
  `.execute(db);
  for (const one of rows) await numberMessagesOf(database, one);
  return rows.length > 0;
}

/** Takes the numbers with the conversation locked, as an append does. */
async function numberMessagesOf(db: Database, { tenantId, conversationId }: Unnumbered): Promise<void> {
  await tenantTransaction(db, tenantId, async (tx) => {
    const conversation = await tx
      .selectFrom('conversations')
      .select('messageSequence')
      .where('tenantId', '=', tenantId)
      .where('id', '=', conversationId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!conversation) return;
    const { messageSequence } = conversation;
    const { rows } = await sql<StoredMessage>`
      update messages as m set sequence = ${messageSequence}::bigint + u.place
      from (
        select id, row_number() over (order by requested_time, id) as place from messages
        where tenant_id = ${tenantId} and conversation_id = ${conversationId} and sequence is null
        order by requested_time, id limit ${sql.lit(MAX_MESSAGES)}
      ) as u
      where m.tenant_id = ${tenantId} and m.id = u.id
      -- Texts that no schema has limited.
      returning m.tenant_unit_id, m.id, left(m.run_id, 1000) as run_id, left(m.message_from, 1000) as message_from,
        left(m.status, 1000) as status, m.sequence
    `.execute(tx);
    await tx
      .updateTable('conversations')
      .set({ messageSequence: messageSequence + rows.length })
      .where('tenantId', '=', tenantId)
      .where('id', '=', conversationId)
      .execute();
    await noteChanges(tx, tenantId, [conversationId]);
    rows.sort((a, b) => a.sequence - b.sequence);
    await emitMessageEvents(tx, { tenantId, conversationId }, rows);
  });
}
