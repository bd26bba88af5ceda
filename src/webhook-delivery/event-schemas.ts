import { z } from 'zod';
import { documentStages, documentStatuses, runStatuses } from '../../db/enums.js';

const documentData = z.object({
  documentId: z.string(),
  externalId: z.string().nullable(),
  documentName: z.string().nullable(),
  status: z.enum(documentStatuses),
  chunkCount: z.int(),
});
const failedDocumentData = documentData.extend({
  error: z
    .object({ code: z.string(), stage: z.enum([...documentStages, 'waiting']), message: z.string() })
    .optional(),
});
const conversationData = z.object({ conversationId: z.string(), status: z.enum(runStatuses).nullable() });
const changedConversationData = conversationData.extend({ from: z.enum(runStatuses).nullable() });
const idleConversationData = conversationData.extend({ lastMessageTime: z.iso.datetime() });
const createdMessage = z.object({
  id: z.string(),
  runId: z.string(),
  messageFrom: z.string(),
  status: z.string().nullable(),
  sequence: z.int(),
});
const createdMessagesData = z.object({
  conversationId: z.string(),
  messages: z.array(createdMessage).max(100),
});

export type DocumentEventData = z.output<typeof failedDocumentData>;
export type ConversationEventData =
  | z.output<typeof conversationData>
  | z.output<typeof changedConversationData>
  | z.output<typeof idleConversationData>;
export type MessageEventData = z.output<typeof createdMessagesData>;

/** When each event is sent, and its `data` beside `tenantId` and `tenantUnitId`. */
export const eventSchemas = {
  'document.created': { when: 'A document was created.', data: documentData },
  'document.ready': {
    when: 'Processing of a document is complete, or found its source unchanged.',
    data: documentData,
  },
  'document.failed': {
    when: 'Processing of a document failed for good, or was cancelled.',
    data: failedDocumentData,
  },
  'document.deleted': { when: 'A document was deleted.', data: documentData },
  'conversation.created': { when: 'A conversation was created.', data: conversationData },
  'conversation.status_changed': {
    when: 'The status of a conversation has changed; `from` is the one before.',
    data: changedConversationData,
  },
  'conversation.idle': {
    when: 'A conversation has got no message for `CONVERSATION_IDLE_MINUTES`. Sent again after it has got new ones.',
    data: idleConversationData,
  },
  'conversation.deleted': { when: 'A conversation was deleted.', data: conversationData },
  'message.created': {
    when: 'A conversation has got messages, in the order of `sequence`. One that is written in parts is sent when it is closed.',
    data: createdMessagesData,
  },
} as const;

/** What a webhook can subscribe to. */
export type EventType = keyof typeof eventSchemas;
export const eventTypes = Object.keys(eventSchemas) as [EventType, ...EventType[]];
