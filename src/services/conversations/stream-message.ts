import { sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';
import type { KeyAccess } from '../../auth/permissions.js';
import { conflict, type DomainError, invalid, notFound } from '../../errors/errors.js';
import type { Actor } from '../shared/actor.js';
import { resolveTenant, withinTenant } from '../shared/tenant-scope.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import {
  assertNotGuessed,
  type ConversationPlace,
  insertMessages,
  OTHER_MESSAGE,
  takeNumbers,
  totalTokensOf,
} from './insert-messages.js';
import { emitMessageEvents, messageEventColumns } from './message-events.js';
import type { MessagePart, WrittenMessage } from './messages.schema.js';
import { conversationNotFound } from './writes.js';

export interface MessageStreamDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
}

/** In characters. */
const MAX_CONTENT = 2 ** 20;
/** The status of a message that is open. */
const STREAMING = 'streaming';

type Part = MessagePart & ConversationPlace;

/** Messages that are stored part by part, while a model writes them. */
export function createMessageStream({ db, writeTransaction, clock }: MessageStreamDependencies) {
  /**
   * Stores a part of a message: part 0 opens it, one with `close` closes it. A repeated part is not stored again.
   *
   * @throws DomainError `not_found` for the conversation or the message; `conflict` if a part before this one is missing, the
   *   message is closed, or another one has the id; `invalid` where it would become too long; `forbidden` for an id that a
   *   key of some units could guess
   */
  return async function write(
    request: MessagePart,
    actor: Actor,
    access: KeyAccess | undefined,
  ): Promise<WrittenMessage> {
    const { conversationId, messageId } = request;
    assertNotGuessed(access, [[messageId, ['messageId']]]);
    const scope = await resolveTenant(db, 'conversations', { scope: request.scope, id: conversationId });
    if (!scope) throw conversationNotFound();
    const part: Part = { ...request, scope };
    return writeTransaction({ scope, actor }, async (tx) => {
      const isStored = part.part === 0 ? await open(tx, part, actor) : await add(tx, part);
      if (isStored) return { messageId, parts: part.part + 1, isOpen: part.close === undefined };
      return describeStored(tx, part);
    });
  };

  /** @returns whether there was no message with this id */
  async function open(tx: Queryable, part: Part, actor: Actor): Promise<boolean> {
    const { scope, conversationId, messageId: id, text: content, message, close } = part;
    if (!message) throw new Error('part 0 has no message');
    const result = close ?? { ...NO_RESULT, status: STREAMING };
    const messages = [{ ...message, ...result, id, content, feedback: null }];
    const inserted = await insertMessages(tx, { scope, conversationId, messages, now: clock() }, actor);
    if (inserted.length === 0) return false;
    await tx
      .updateTable('messages')
      .set({ isOpen: close ? null : true, writtenParts: 1, writtenTime: sql<Date>`now()` })
      .where('tenantId', '=', scope.tenantId)
      .where('id', '=', id)
      .execute();
    if (close) await emitMessageEvents(tx, { tenantId: scope.tenantId, conversationId }, inserted);
    return true;
  }

  /** @returns whether this part was the next one, and had room */
  async function add(tx: Queryable, part: Part): Promise<boolean> {
    // The conversation is locked before its message, as everywhere.
    const closed = part.close && { ...closedColumns(part.close), sequence: await takeNumbers(tx, part) };
    const stored = await tx
      .updateTable('messages')
      .set({
        content: sql<string>`content || ${part.text}`,
        writtenParts: part.part + 1,
        writtenTime: sql<Date>`now()`,
        ...closed,
      })
      .where('id', '=', part.messageId)
      .where('conversationId', '=', part.conversationId)
      .where(withinTenant(part.scope))
      .where('isOpen', '=', true)
      .where('writtenParts', '=', part.part)
      .where(sql<boolean>`char_length(content) + char_length(${part.text}) <= ${sql.lit(MAX_CONTENT)}`)
      .returning(messageEventColumns)
      .executeTakeFirst();
    if (stored && closed)
      await emitMessageEvents(tx, { tenantId: part.scope.tenantId, conversationId: part.conversationId }, [
        { ...stored, sequence: closed.sequence },
      ]);
    return stored !== undefined;
  }
}

const NO_RESULT = { inputTokens: 0, answerTokens: 0, metadata: null, eventTrace: null };

const closedColumns = (close: NonNullable<Part['close']>) => ({
  ...close,
  totalTokens: totalTokensOf(close),
  metadata: close.metadata && JSON.stringify(close.metadata),
  isOpen: null,
});

/** Why a part was not stored, unless it had been before. */
async function describeStored(tx: Queryable, part: Part): Promise<WrittenMessage> {
  const { scope, conversationId, messageId } = part;
  const row = await tx
    .selectFrom('messages')
    .select(['writtenParts as parts', 'isOpen', 'status'])
    .where('id', '=', messageId)
    .where('conversationId', '=', conversationId)
    .where(withinTenant(scope))
    .executeTakeFirst();
  if (!row)
    throw part.part === 0 ? conflict(OTHER_MESSAGE, ['messageId']) : notFound('Message', ['messageId']);
  if (row.parts === null) throw conflict(OTHER_MESSAGE, ['messageId']);
  const { parts } = row;
  if (parts > part.part) return { messageId, parts, isOpen: row.isOpen ?? false };
  throw refusal(part, { parts, isOpen: row.isOpen, status: row.status });
}

function refusal(
  { part }: Part,
  { parts, isOpen, status }: { parts: number; isOpen: boolean | null; status: string | null },
): DomainError {
  if (!isOpen) return conflict(status === INTERRUPTED ? LOST : CLOSED, ['messageId']);
  if (parts < part) return conflict(`Part ${parts} is missing; send the parts in their order.`, ['part']);
  return invalid(TOO_LONG, ['text'], 'value_error.too_big');
}

/** Without a part for so long, a message is closed: its writer is lost. */
export const LOST_AFTER_S = 60;
/** The status of such a message. */
export const INTERRUPTED = 'interrupted';
const CLOSED = 'This message is closed; write a new one.';
const LOST = `This message was closed as interrupted, because no part came for ${LOST_AFTER_S} s; write a new one.`;
const TOO_LONG = 'makes the message longer than 1,048,576 characters';
