import { sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';
import { tenantTransaction } from '../../../db/tenant-isolation/tenant-transaction.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import type { LabelRow } from './rows.js';

/** Conversations of a step, and labels that get one. */
const MAX_CONVERSATIONS = 500;
const MAX_DELETED = 20;

/**
 * Removes deleted labels from conversations, of each label from some.
 *
 * @returns whether there are more
 */
export async function removeDeletedLabels(database: Database): Promise<boolean> {
  const deleted = await unscoped(database, 'Deleted labels of all tenants are removed at once.')
    .selectFrom('labels')
    .select(['tenantId', 'id'])
    .where('deletedTime', 'is not', null)
    .limit(MAX_DELETED)
    .execute();
  for (const label of deleted)
    await tenantTransaction(database, label.tenantId, (tx) => removeFromConversations(tx, label));
  return deleted.length > 0;
}

/** Removes a deleted label from its oldest conversations, and its row if no other conversation has it. */
export async function removeFromConversations(
  tx: Queryable,
  { tenantId, id }: Pick<LabelRow, 'tenantId' | 'id'>,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select c.id from conversations as c
    where c.tenant_id = ${tenantId} and c.id in (
      select m.conversation_id from conversation_labels as m
      where m.tenant_id = ${tenantId} and m.label_id = ${id}
      order by m.created_time, m.conversation_id limit ${sql.lit(MAX_CONVERSATIONS)})
    order by c.created_time, c.id for no key update
  `.execute(tx);
  const conversationIds = rows.map((row) => row.id);
  await sql`
    update conversations as c set labels = array_remove(c.labels, ${id}), version = c.version + 1
    where c.tenant_id = ${tenantId} and c.id = any(${conversationIds}::text[])
  `.execute(tx);
  await sql`
    delete from conversation_labels as m
    where m.tenant_id = ${tenantId} and m.label_id = ${id} and m.conversation_id = any(${conversationIds}::text[])
  `.execute(tx);
  await sql`
    delete from labels as l
    where l.tenant_id = ${tenantId} and l.id = ${id} and not exists (
      select from conversation_labels as m where m.tenant_id = ${tenantId} and m.label_id = ${id})
  `.execute(tx);
}
