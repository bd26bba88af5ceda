import { type Selectable, sql } from 'kysely';
import type { ConversationTable, Queryable } from '../../db/schema.js';

type LabelledConversation = Pick<Selectable<ConversationTable>, 'tenantId' | 'id'>;

/**
 * Writes a row for each label of conversations of a tenant, and deletes those of labels that they have lost. The time of a
 * conversation is copied in the database: a Date has no microseconds, and pages of lists go on after exact times.
 */
export async function writeLabels(
  tx: Queryable,
  conversations: readonly LabelledConversation[],
  { remove }: { remove: readonly string[] },
): Promise<void> {
  const [first] = conversations;
  if (!first) return;
  const ids = conversations.map(({ id }) => id);
  if (remove.length > 0) {
    await sql`
      delete from conversation_labels as m
      where m.tenant_id = ${first.tenantId} and m.label_id = any(${remove}::text[])
        and m.conversation_id = any(${ids}::text[])
    `.execute(tx);
  }
  await sql`
    insert into conversation_labels (tenant_id, conversation_id, label_id, created_time)
    select c.tenant_id, c.id, l.label_id, c.created_time
    from conversations as c cross join lateral unnest(c.labels) as l (label_id)
    where c.tenant_id = ${first.tenantId} and c.id = any(${ids}::text[])
    on conflict (tenant_id, conversation_id, label_id) do nothing
  `.execute(tx);
}
