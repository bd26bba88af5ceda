import { sql } from 'kysely';
import { forgetMessages } from '../../search/messages/note-changes.js';
import { MAX_QUERY_LENGTH } from '../evaluations/evaluations.schema.js';
import { isHeld } from './erase-names.js';
import { eraseQuestions } from './erase-questions.js';
import type { Rows, StepResult } from './place.js';

interface Deleted {
  id: string;
  conversationId: string;
  /** What a judged question has of it. */
  question: string;
}

/** Deletes what the user has written in conversations of others, with the judged questions from it. */
export async function eraseMessages(rows: Rows): Promise<StepResult> {
  const { tx, tenantId, userId, isOne } = rows;
  const isIn = isHeld(rows, 'conversation_id');
  const held = await sql<{ count: number }>`
    select count(*) as count from messages as t where ${isOne} and t.user_id = ${userId} and ${isIn}
  `.execute(tx);
  const deleted = await sql<Deleted>`
    delete from messages as t where ${isOne} and t.user_id = ${userId} and not ${isIn}
    returning t.id, t.conversation_id, left(t.content, ${sql.lit(MAX_QUERY_LENGTH)}) as question
  `.execute(tx);
  await forgetMessages(tx, tenantId, deleted.rows);
  return {
    erased: {
      messages: deleted.rows.length,
      judgedQuestions: await eraseAsked(rows, deleted.rows),
      webhookDeliveries: await eraseFromEvents(rows, deleted.rows),
    },
    held: held.rows[0]?.count ?? 0,
  };
}

/** Also those that were added from the answer to a message. */
async function eraseAsked(rows: Rows, deleted: Deleted[]): Promise<number> {
  if (deleted.length === 0) return 0;
  const [ids, conversationIds, questions] = (['id', 'conversationId', 'question'] as const).map((name) =>
    deleted.map((message) => message[name]),
  );
  return eraseQuestions(
    rows,
    sql`source_message_id = any(${ids}::text[]) or (source_conversation_id, query) in (
      select conversation_id, question from unnest(${conversationIds}::text[], ${questions}::text[]) as u (conversation_id, question))`,
  );
}

/** Takes deleted messages out of events, which may have messages of others beside them. @returns of how many */
async function eraseFromEvents(
  { tx, tenantId }: Rows,
  deleted: { id: string; conversationId: string }[],
): Promise<number> {
  if (deleted.length === 0) return 0;
  const isOfThem = sql`
    tenant_id = ${tenantId} and event_type = 'message.created'
      and subject_id = any(${deleted.map(({ conversationId }) => conversationId)}::text[])`;
  const messages = sql`payload::jsonb #> '{data,messages}'`;
  const isDeleted = sql`m ->> 'id' = any(${deleted.map(({ id }) => id)}::text[])`;
  const { numAffectedRows } = await sql`
    update webhook_deliveries set payload = jsonb_set(payload::jsonb, '{data,messages}', (
      select coalesce(jsonb_agg(m), '[]') from jsonb_array_elements(${messages}) as m where not ${isDeleted}))::text
    where ${isOfThem} and exists (select from jsonb_array_elements(${messages}) as m where ${isDeleted})
  `.execute(tx);
  await sql`delete from webhook_deliveries where ${isOfThem} and ${messages} = '[]'`.execute(tx);
  return Number(numAffectedRows);
}

/** Takes back the verdicts of the user on messages of others. */
export async function eraseFeedback(rows: Rows): Promise<StepResult> {
  const { tx, userId, isOne } = rows;
  const { numAffectedRows } = await sql`
    update messages as t set feedback = null, feedback_note = null, feedback_by = null, feedback_time = null
    where ${isOne} and t.feedback_by = ${userId} and not ${isHeld(rows, 'conversation_id')}
  `.execute(tx);
  return { erased: { feedback: Number(numAffectedRows) } };
}
