import type pg from 'pg';

interface Messages {
  tenantId: string;
  conversationId: string;
  messages: { id: string; messageFrom: string; content: string; runId: string }[];
}

/** Messages as one inserts them by hand: an array for each column. Returns the ids of those that are new. */
export async function insertMessages(
  pool: pg.Pool,
  { tenantId, conversationId, messages }: Messages,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'insert messages',
    text: `
      insert into messages (tenant_id, tenant_unit_id, conversation_id, agent_id, user_id, id, run_id, message_from,
        content, requested_time,
        sequence)
      select c.tenant_id, c.tenant_unit_id, c.id, c.agent_id, c.user_id, m.id, m.run_id, m.message_from, m.content, now(),
        0
      from conversations as c,
        unnest($3::text[], $4::text[], $5::text[], $6::text[]) as m (id, run_id, message_from, content)
      where c.tenant_id = $1 and c.id = $2
      on conflict do nothing
      returning id`,
    values: [
      tenantId,
      conversationId,
      messages.map(({ id }) => id),
      messages.map(({ runId }) => runId),
      messages.map(({ messageFrom }) => messageFrom),
      messages.map(({ content }) => content),
    ],
  });
  return rows.map(({ id }) => id);
}
