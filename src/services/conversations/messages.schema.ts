import { z } from 'zod';
import { feedbackVerdicts } from '../../../db/enums.js';
import {
  boundedArray,
  boundedJsonRecord,
  identifier,
  jsonRecord,
  nonEmptyText,
  nullableText,
  text,
  timestamp,
} from '../shared/fields.schema.js';
import { pageParameters } from '../shared/pagination.js';
import { tenantScope } from '../shared/tenant-scope.js';
import { conversationRef, MAX_NOTE, newConversation, runStatus } from './conversations.schema.js';

export const message = z.object({
  id: z.string(),
  tenantId: z.string(),
  tenantUnitId: z.string(),
  agentId: z.string(),
  userId: z.string(),
  conversationId: z.string(),
  runId: z.string(),
  messageFrom: z.string(),
  content: z.string(),
  requestedTime: z.date(),
  inputTokens: z.number().nullable(),
  answerTokens: z.number().nullable(),
  totalTokens: z.number().nullable(),
  /** `up`, `down`, or what a runtime has written. */
  feedback: nullableText,
  feedbackNote: nullableText,
  feedbackBy: nullableText,
  feedbackTime: z.date().nullable(),
  metadata: jsonRecord().nullable(),
  type: nullableText,
  userType: nullableText,
  status: nullableText,
  eventTrace: nullableText,
  createdBy: nullableText,
  updatedBy: nullableText,
  createdByRole: nullableText,
  updatedByRole: nullableText,
});
export type Message = z.output<typeof message>;

export const messageFilter = conversationRef.extend({
  ...pageParameters(20),
  order: z.enum(['recent', 'oldest']).default('oldest'),
  /** A message of the conversation: the page that it is on, whatever `page` says. */
  around: identifier().optional(),
});
export type MessageFilter = z.output<typeof messageFilter>;

export const MAX_TEXT = 2 ** 20;
export const MAX_SHORT_TEXT = 1_000;
const MAX_MESSAGES = 100;

export const tokens = z.number().min(0).max(Number.MAX_SAFE_INTEGER).nullable();

export const newMessage = z.object({
  /** Unique in the tenant. A message that is stored already is not stored again. */
  id: identifier(),
  /** Who wrote it, such as `user` or `agent`. */
  messageFrom: nonEmptyText(MAX_SHORT_TEXT),
  content: text(MAX_TEXT),
  /** Groups the messages of one run of the agent; the id where none is given. */
  runId: identifier().optional(),
  /** Puts messages in order; those of the same time stay in the order of the request. Now where none is given. */
  requestedTime: timestamp().optional(),
  /** The conversation's where none is given, like `userId`. */
  agentId: identifier().optional(),
  userId: identifier().optional(),
  inputTokens: tokens.default(0),
  answerTokens: tokens.default(0),
  /** The sum of both where none is given. */
  totalTokens: tokens.optional(),
  feedback: text(MAX_TEXT).nullable().default(null),
  metadata: boundedJsonRecord().nullable().default(null),
  type: text(MAX_SHORT_TEXT).nullable().default(null),
  userType: text(MAX_SHORT_TEXT).nullable().default(null),
  status: text(MAX_SHORT_TEXT).nullable().default(null),
  eventTrace: text(MAX_TEXT).nullable().default(null),
});
export type NewMessage = z.output<typeof newMessage>;

export const messagesToAppend = z
  .object({
    scope: tenantScope.default({}),
    conversationId: identifier().optional(),
    /** Creates the conversation if there is none with this id, or a new one where no id is given. */
    conversation: newConversation
      .omit({ scope: true })
      .extend({ userId: identifier().optional() })
      .optional(),
    messages: boundedArray(newMessage, MAX_MESSAGES, 1),
    /** The status of the conversation from now on; set only together with a message that was not stored before. */
    status: runStatus.optional(),
  })
  .refine(({ conversationId, conversation }) => conversationId !== undefined || conversation !== undefined, {
    path: ['conversationId'],
    message: 'name a conversation, or describe a new one in conversation',
  })
  .superRefine(({ messages }, context) => {
    const first = new Map<string, number>();
    for (const [place, { id }] of messages.entries()) {
      if (first.has(id)) {
        const message = `is the id of message ${first.get(id)} of this request`;
        context.addIssue({ code: 'custom', path: ['messages', place, 'id'], message });
      } else first.set(id, place);
    }
  });
export type MessagesToAppend = z.output<typeof messagesToAppend>;

export const appendedMessages = z.object({
  conversationId: z.string(),
  /** Whether this call created the conversation. */
  isNewConversation: z.boolean(),
  /** The messages that this call stored, in the order of the request; the others had been stored before. */
  newIds: z.array(z.string()),
});
export type AppendedMessages = z.output<typeof appendedMessages>;

/** What a message has from its first part on. */
const opening = newMessage.pick({
  messageFrom: true,
  runId: true,
  requestedTime: true,
  agentId: true,
  userId: true,
  type: true,
  userType: true,
});

/** What it has once it is closed. */
const closing = newMessage.pick({
  inputTokens: true,
  answerTokens: true,
  totalTokens: true,
  metadata: true,
  status: true,
  eventTrace: true,
});

export const messagePart = conversationRef
  .extend({
    messageId: identifier(),
    /** The first is 0, and describes the message; each is one more than the one before. A repeated part is not stored again. */
    part: z.int().min(0).max(1_000_000),
    text: text(MAX_TEXT),
    message: opening.optional(),
    /** With the last part. */
    close: closing.optional(),
  })
  .refine(({ part, message }) => (part === 0) === (message !== undefined), {
    path: ['message'],
    message: 'belongs to part 0, and to no other',
  });
export type MessagePart = z.output<typeof messagePart>;

export const writtenMessage = z.object({
  messageId: z.string(),
  /** The parts that are stored, which is the number of the next one. */
  parts: z.int(),
  /** Whether more parts may come. */
  isOpen: z.boolean(),
});
export type WrittenMessage = z.output<typeof writtenMessage>;

export const messageFeedback = conversationRef
  .extend({
    messageId: identifier(),
    /** Null takes it back. */
    feedback: z.enum(feedbackVerdicts).nullable(),
    note: text(MAX_NOTE).nullable().default(null),
  })
  .refine(({ feedback, note }) => feedback !== null || note === null, {
    path: ['note'],
    message: 'belongs to a verdict',
  });
export type MessageFeedback = z.output<typeof messageFeedback>;

export const givenFeedback = message
  .pick({ feedbackNote: true, feedbackBy: true, feedbackTime: true })
  .extend({ messageId: z.string(), feedback: z.enum(feedbackVerdicts).nullable() });
export type GivenFeedback = z.output<typeof givenFeedback>;

export const messageFollow = conversationRef.extend({
  /** Begins with so many of the newest messages. */
  last: z.int().min(0).max(MAX_MESSAGES).default(20),
  /** Goes on after the event with this id, instead. Clients of server-sent events send it when they connect again. */
  lastEventId: z.string().max(15).regex(/^\d+$/, 'is not the id of an event').nullish(),
});
export type MessageFollow = z.output<typeof messageFollow>;

export interface FollowedMessages {
  /** Messages that are new, closed or judged, in the order in which they were stored, each as a whole. */
  messages: Message[];
  /** What messages that are being written have got besides. */
  texts: { messageId: string; text: string }[];
}
