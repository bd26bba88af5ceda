import { sql } from 'kysely';
import type { Queryable } from '../../../../db/schema.js';
import { inBatches } from '../insert-messages.js';
import type { MessageRecord } from './transfer.schema.js';

/** The columns that a record has, and their types. */
const COLUMNS = {
  conversation_id: 'text',
  id: 'text',
  agent_id: 'text',
  user_id: 'text',
  run_id: 'text',
  message_from: 'text',
  content: 'text',
  requested_time: 'timestamptz',
  input_tokens: 'float8',
  answer_tokens: 'float8',
  total_tokens: 'float8',
  feedback: 'text',
  feedback_note: 'text',
  feedback_by: 'text',
  feedback_time: 'timestamptz',
  metadata: 'jsonb',
  type: 'text',
  user_type: 'text',
  status: 'text',
  event_trace: 'text',
  created_by: 'text',
  updated_by: 'text',
  created_by_role: 'text',
  updated_by_role: 'text',
  sequence: 'bigint',
  is_open: 'boolean',
  written_parts: 'integer',
};

const NAMES = sql.raw(Object.keys(COLUMNS).join(', '));
const VALUES = sql.raw(
  Object.entries(COLUMNS)
    .map(([name, type]) => `m.${name}::${type}`)
    .join(', '),
);
const AS_TEXT = sql.raw(
  Object.keys(COLUMNS)
    .map((name) => `${name} text`)
    .join(', '),
);

/**
 * Inserts the messages that the tenant does not have, with all that a record says. Writers of open messages have a minute
 * from now on.
 *
 * @returns the ids of what was inserted, by conversation
 */
export async function insertRecords(
  tx: Queryable,
  tenantId: string,
  conversations: { id: string; messages: MessageRecord[] }[],
): Promise<Map<string, Set<string>>> {
  const inserted = new Map<string, Set<string>>();
  const all = conversations.flatMap(({ id, messages }) => messages.map((message) => toRow(id, message)));
  for (const rows of inBatches(all)) {
    const ids = [...new Set(rows.map(({ conversation_id }) => conversation_id))];
    const result = await sql<{ id: string; conversationId: string }>`
      insert into messages (tenant_id, tenant_unit_id, written_time, ${NAMES})
      select c.tenant_id, c.tenant_unit_id, case when m.is_open::boolean then now() end, ${VALUES}
      from conversations as c
      join json_to_recordset(${JSON.stringify(rows)}::json) as m (${AS_TEXT}) on m.conversation_id = c.id
      where c.tenant_id = ${tenantId} and c.id = any(${ids})
      on conflict (tenant_id, id) do nothing
      returning id, conversation_id
    `.execute(tx);
    for (const { id, conversationId } of result.rows) {
      const known = inserted.get(conversationId) ?? new Set();
      inserted.set(conversationId, known.add(id));
    }
  }
  return inserted;
}

type Row = { [K in keyof typeof COLUMNS]: string | number | boolean | null } & {
  conversation_id: string;
  content: string;
  feedback: string | null;
  feedback_note: string | null;
  metadata: string | null;
  event_trace: string | null;
};

const toRow = (conversationId: string, message: MessageRecord): Row => ({
  conversation_id: conversationId,
  id: message.id,
  agent_id: message.agentId,
  user_id: message.userId,
  run_id: message.runId,
  message_from: message.messageFrom,
  content: message.content,
  requested_time: message.requestedTime,
  input_tokens: message.inputTokens,
  answer_tokens: message.answerTokens,
  total_tokens: message.totalTokens,
  feedback: message.feedback,
  feedback_note: message.feedbackNote,
  feedback_by: message.feedbackBy,
  feedback_time: message.feedbackTime,
  metadata: message.metadata && JSON.stringify(message.metadata),
  type: message.type,
  user_type: message.userType,
  status: message.status,
  event_trace: message.eventTrace,
  created_by: message.createdBy,
  updated_by: message.updatedBy,
  created_by_role: message.createdByRole,
  updated_by_role: message.updatedByRole,
  sequence: message.sequence,
  is_open: message.isOpen,
  written_parts: message.writtenParts,
});
