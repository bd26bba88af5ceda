import type { Database } from '../../../../db/schema.js';
import { conversationNotFound } from '../writes.js';
import { formats } from './formats/formats.js';
import {
  type ExportedConversation,
  type ExportedMessage,
  readConversation,
  readConversations,
  readMessages,
} from './read-export.js';
import type { ConversationExport, ExportedPage, ExportPosition } from './transfer.schema.js';

/** Exports conversations page by page: nothing is kept between them, and no statement is long. */
export function createConversationExport({ db }: { db: Database }) {
  /**
   * The next part of an export. The text of all parts, one behind the other, is the file.
   *
   * @throws DomainError `not_found` for the conversation
   */
  return async function exportPage(request: ConversationExport): Promise<ExportedPage> {
    const { after } = request;
    const { tenantId } = request.scope;
    const { rows: asked, isCut } = await readAsked(request);
    const ids = asked.map(({ id }) => id);
    const { rows: messages, isCut: isInside } = await readMessages(db, tenantId, ids, after?.message);
    const last = messages.at(-1);
    // Conversations after the last message are in the next page.
    const conversations = isInside && last ? asked.slice(0, ids.indexOf(last.conversationId) + 1) : asked;
    const end = conversations.at(-1);
    const next = isInside || isCut ? positionAfter(end, isInside ? last : undefined) : afterOne(request);
    const format = formats[request.format];
    const text = [
      after ? '' : format.start,
      ...conversations.flatMap((conversation, place) => [
        after?.message && place === 0 ? '' : format.conversation(conversation),
        ...messages
          .filter(({ conversationId }) => conversationId === conversation.id)
          .map((message) => format.message(message, conversation)),
      ]),
      next ? '' : format.end,
    ].join('');
    const begun = conversations.length - (after?.message && conversations.length > 0 ? 1 : 0);
    return { text, next, conversations: begun, messages: messages.length };
  };

  /** The rest of a conversation, or conversations from their beginning. */
  async function readAsked(request: ConversationExport) {
    const { scope, conversationId, after } = request;
    const one = after?.message ? after.conversationId : conversationId;
    if (one === undefined) return readConversations(db, request);
    const found = await readConversation(db, scope, one);
    if (!found && !after) throw conversationNotFound();
    return { rows: found ? [found] : [], isCut: false };
  }
}

function positionAfter(
  conversation: ExportedConversation | undefined,
  message: ExportedMessage | undefined,
): ExportPosition | null {
  if (!conversation) return null;
  return {
    conversationId: conversation.id,
    createdTime: conversation.createdTime,
    ...(message && { message: { id: message.id, requestedTime: message.requestedTime } }),
  };
}

/** After the rest of a conversation, there may be others. */
function afterOne({ conversationId, after }: ConversationExport): ExportPosition | null {
  if (conversationId !== undefined || !after?.message) return null;
  return { conversationId: after.conversationId, createdTime: after.createdTime };
}
