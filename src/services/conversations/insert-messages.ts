import { sql } from 'kysely';
import { validate as isUuid } from 'uuid';
import { compileOnce } from '../../../db/compile-once.js';
import type { Queryable } from '../../../db/schema.js';
import type { KeyAccess } from '../../auth/permissions.js';
import { forbidden, type InputPath } from '../../errors/errors.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { type TenantScope, withinTenant } from '../shared/tenant-scope.js';
import type { StoredMessage } from './message-events.js';
import type { NewMessage } from './messages.schema.js';
import { conversationNotFound } from './writes.js';

/** In characters; beyond it, further messages are inserted by another statement. */
const MAX_BATCH_LENGTH = 2 ** 20;

/** A conversation, within units where the scope names some. */
export interface ConversationPlace {
  scope: TenantScope & { tenantId: string };
  conversationId: string;
}

export interface MessageInsertion extends ConversationPlace {
  messages: NewMessage[];
  now: Date;
}

/**
 * Takes the next numbers for messages of a conversation, and locks it: who sees a number sees all messages before it. Has
 * them indexed.
 *
 * @returns the last one
 * @throws DomainError `not_found` for the conversation
 */
export async function takeNumbers(
  tx: Queryable,
  { scope, conversationId }: ConversationPlace,
  count = 1,
): Promise<number> {
  const [row] = await updateSequence({ scope, conversationId, count }, tx);
  if (!row) throw conversationNotFound();
  return row.messageSequence;
}

const updateSequence = compileOnce(
  ({ scope, conversationId, count }: ConversationPlace & { count: number }, db) =>
    db
      .with('noted', (cte) =>
        cte.insertInto('messageChanges').values({ tenantId: scope.tenantId, conversationId }),
      )
      .updateTable('conversations')
      .set((eb) => ({ messageSequence: eb('messageSequence', '+', count) }))
      .where('id', '=', conversationId)
      .where(withinTenant(scope))
      .returning('messageSequence')
      .compile(),
);

/**
 * Inserts the messages that the tenant does not have. Times of a request are in milliseconds: microseconds keep the order
 * of messages of the same time, after those that are stored.
 *
 * @returns what was inserted, in the order of the messages
 * @throws DomainError `not_found` for the conversation
 */
export async function insertMessages(
  tx: Queryable,
  { scope, conversationId, messages, now }: MessageInsertion,
  actor: Actor,
): Promise<StoredMessage[]> {
  const inserted = new Map<string, StoredMessage>();
  const author = authorOf(actor);
  for (const rows of inBatches(toRows(messages, now))) {
    // Apart from the insert, as a cluster does both on the coordinator otherwise.
    const lastNumber = await takeNumbers(tx, { scope, conversationId }, rows.length);
    const stored = await insertRows(
      {
        tenantId: scope.tenantId,
        conversationId,
        author,
        numbered: lastNumber - rows.length,
        rows: JSON.stringify(withPlaces(rows)),
      },
      tx,
    );
    for (const row of stored) inserted.set(row.id, row);
  }
  return messages.flatMap(({ id }) => inserted.get(id) ?? []);
}

interface RowInsertion {
  tenantId: string;
  conversationId: string;
  author: string | null;
  /** The last number before them. */
  numbered: number;
  /** As JSON. */
  rows: string;
}

const insertRows = compileOnce(({ tenantId, conversationId, author, numbered, rows }: RowInsertion, db) =>
  sql<StoredMessage>`
    insert into messages (tenant_id, tenant_unit_id, conversation_id, agent_id, user_id, requested_time, created_by,
      updated_by, id, run_id, message_from, content, input_tokens, answer_tokens, total_tokens, feedback, metadata, type,
      user_type, status, event_trace, sequence)
    select c.tenant_id, c.tenant_unit_id, c.id, coalesce(m.agent_id, c.agent_id), coalesce(m.user_id, c.user_id),
      coalesce(
        (select max(same.requested_time) from messages as same
          where same.tenant_id = ${tenantId} and same.conversation_id = c.id
            and same.requested_time >= m.requested_time
            and same.requested_time < m.requested_time + interval '1 millisecond'),
        m.requested_time - interval '1 microsecond'
      ) + m.rank * interval '1 microsecond',
      ${author}, ${author}, m.id, m.run_id, m.message_from, m.content, m.input_tokens, m.answer_tokens, m.total_tokens,
      m.feedback, m.metadata::jsonb, m.type, m.user_type, m.status, m.event_trace,
      ${numbered}::bigint + m.place
    from conversations as c
    cross join json_to_recordset(${rows}::json) as m (
      id text, place int, rank int, requested_time timestamptz, run_id text, agent_id text, user_id text, message_from text,
      content text, input_tokens float8, answer_tokens float8, total_tokens float8, feedback text, metadata text,
      type text, user_type text, status text, event_trace text)
    where c.tenant_id = ${tenantId} and c.id = ${conversationId}
    on conflict (tenant_id, id) do nothing
    returning tenant_unit_id, id, run_id, message_from, status, sequence
  `.compile(db),
);

/** All tokens of a message, unless they are given. */
export const totalTokensOf = ({
  inputTokens,
  answerTokens,
  totalTokens = (inputTokens ?? 0) + (answerTokens ?? 0),
}: Pick<NewMessage, 'inputTokens' | 'answerTokens' | 'totalTokens'>): number | null => totalTokens;

/** A message as `json_to_recordset` reads it. */
function toRow(message: NewMessage, now: Date) {
  return {
    id: message.id,
    requested_time: message.requestedTime ?? now,
    run_id: message.runId ?? message.id,
    agent_id: message.agentId,
    user_id: message.userId,
    message_from: message.messageFrom,
    content: message.content,
    input_tokens: message.inputTokens,
    answer_tokens: message.answerTokens,
    total_tokens: totalTokensOf(message),
    feedback: message.feedback,
    metadata: message.metadata && JSON.stringify(message.metadata),
    type: message.type,
    user_type: message.userType,
    status: message.status,
    event_trace: message.eventTrace,
  };
}

type Row = ReturnType<typeof toRow>;

function* toRows(messages: NewMessage[], now: Date): Generator<Row> {
  for (const message of messages) yield toRow(message, now);
}

/** Rows with their places, and with their ranks among those of the same time, both from 1. */
function withPlaces(rows: Row[]) {
  const ranks = new Map<number, number>();
  return rows.map((row, index) => {
    const time = row.requested_time.getTime();
    const rank = (ranks.get(time) ?? 0) + 1;
    ranks.set(time, rank);
    return { ...row, place: index + 1, rank };
  });
}

type LongTexts = Pick<Row, 'content' | 'feedback' | 'metadata' | 'event_trace'> & {
  feedback_note?: string | null;
};

/** Rows in batches, of which each is written as JSON in one step of the event loop. */
export function* inBatches<R extends LongTexts>(rows: Iterable<R>): Generator<R[]> {
  let batch: R[] = [];
  let length = 0;
  for (const row of rows) {
    const texts = [row.content, row.feedback, row.feedback_note, row.metadata, row.event_trace];
    const more = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
    if (batch.length > 0 && length + more > MAX_BATCH_LENGTH) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(row);
    length += more;
  }
  yield batch;
}

/** A key of some units could learn from a conflict that a record of another unit has an id, if it could guess ids. */
export function assertNotGuessed(access: KeyAccess | undefined, ids: [id: string, path: InputPath][]): void {
  if (!access?.tenantUnitIds) return;
  for (const [id, path] of ids) if (!isUuid(id)) throw forbidden(MUST_BE_UUID, path);
}

const MUST_BE_UUID = 'This API key is for some units: it may choose only UUIDs as ids.';
export const OTHER_MESSAGE = 'Another message of this tenant has this id; use a new id for each message.';
