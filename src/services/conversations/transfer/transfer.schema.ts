import { z } from 'zod';
import { reviewVerdicts } from '../../../../db/enums.js';
import { color, labelName, MAX_LABELS_OF_CONVERSATION } from '../../labels/labels.schema.js';
import {
  boundedArray,
  boundedJsonRecord,
  identifier,
  nonEmptyText,
  text,
} from '../../shared/fields.schema.js';
import { requiredTenantScope } from '../../shared/tenant-scope.js';
import { conversationFilter, MAX_NOTE, MAX_REVIEWS, runStatus, topic } from '../conversations.schema.js';
import { MAX_SHORT_TEXT, MAX_TEXT, tokens } from '../messages.schema.js';

/** The version of the lines. An import refuses others. */
export const RECORD_FORMAT = 1;
export const exportFormats = ['ndjson', 'csv', 'markdown', 'html'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A time in microseconds, which keep the order of messages of the same millisecond. */
const exactTime = () =>
  z.iso
    .datetime()
    .max(40)
    .regex(/^(?!0000)/, 'must be in the year 1 or later');
const shortText = () => text(MAX_SHORT_TEXT).nullable().default(null);
const longText = () => text(MAX_TEXT).nullable().default(null);
const tokenCount = () => tokens.default(null);
const wholeNumber = (min: number, max: number) => z.int().min(min).max(max);
/** Followers of a conversation name a message by at most 15 digits. */
const MAX_SEQUENCE = 1e12;
const MAX_PARTS = 1_000_001;

const note = () => text(MAX_NOTE).nullable().default(null);

/** The columns of a conversation that exports have: all but the tenant, and times of background jobs. */
export const conversationColumns = z.object({
  id: identifier(),
  tenantUnitId: identifier(),
  topic: topic.nullable().default(null),
  agentId: identifier(),
  userId: identifier(),
  agentMode: text(MAX_SHORT_TEXT).default('chat'),
  agentType: shortText(),
  extendProperties: boundedJsonRecord().default({}),
  invokeFrom: shortText(),
  inputs: boundedJsonRecord().nullable().default(null),
  status: runStatus.nullable().default(null),
  assignmentId: identifier().nullable().default(null),
  createdTime: exactTime(),
  updatedTime: exactTime(),
  createdBy: shortText(),
  updatedBy: shortText(),
  createdByRole: shortText(),
  updatedByRole: shortText(),
  createdByName: shortText(),
  updatedByName: shortText(),
  version: wholeNumber(1, 2 ** 31 - 1).default(1),
  /** The greatest number of its messages: later ones get greater numbers. */
  messageSequence: wholeNumber(0, MAX_SEQUENCE).default(0),
});

/** A conversation as exports have it, with what other tables have of it. */
export const conversationRecord = conversationColumns.extend({
  /** By name, as another tenant has labels with other ids. */
  labels: boundedArray(z.object({ name: labelName, color }), MAX_LABELS_OF_CONVERSATION).default([]),
  /** The oldest first. */
  reviews: boundedArray(
    z.object({
      id: identifier(),
      verdict: z.enum(reviewVerdicts),
      note: note(),
      reviewedTime: exactTime(),
      reviewedBy: shortText(),
    }),
    MAX_REVIEWS,
  ).default([]),
});
export type ConversationRecord = z.output<typeof conversationRecord>;

/** A message likewise; conversation, tenant and unit are those of its conversation. */
export const messageRecord = z
  .object({
    id: identifier(),
    agentId: identifier(),
    userId: identifier(),
    runId: identifier(),
    messageFrom: nonEmptyText(MAX_SHORT_TEXT),
    content: text(MAX_TEXT),
    requestedTime: exactTime(),
    inputTokens: tokenCount(),
    answerTokens: tokenCount(),
    totalTokens: tokenCount(),
    feedback: longText(),
    feedbackNote: note(),
    feedbackBy: shortText(),
    feedbackTime: exactTime().nullable().default(null),
    metadata: boundedJsonRecord().nullable().default(null),
    type: shortText(),
    userType: shortText(),
    status: shortText(),
    eventTrace: longText(),
    createdBy: shortText(),
    updatedBy: shortText(),
    createdByRole: shortText(),
    updatedByRole: shortText(),
    /** Its number in the conversation. Null: it gets the next one; 0: it was stored before there were numbers. */
    sequence: wholeNumber(0, MAX_SEQUENCE).nullable().default(null),
    /** Of messages in parts: whether more may come, and how many came. */
    isOpen: z.literal(true).nullable().default(null),
    writtenParts: wholeNumber(1, MAX_PARTS).nullable().default(null),
  })
  .refine(({ isOpen, writtenParts }) => !isOpen || writtenParts !== null, {
    path: ['writtenParts'],
    message: 'belongs to an open message',
  });
export type MessageRecord = z.output<typeof messageRecord>;

/** Where an export goes on: after a conversation, or after a message of it. */
const exportPosition = z
  .object({
    conversationId: identifier(),
    createdTime: exactTime(),
    message: z.object({ id: identifier(), requestedTime: exactTime() }).optional(),
  })
  .meta({ description: '`next` of the page before.' });
export type ExportPosition = z.output<typeof exportPosition>;

const { page: _page, pageSize: _pageSize, order: _order, ...filterFields } = conversationFilter.shape;

export const conversationExport = z.object({
  ...filterFields,
  scope: requiredTenantScope,
  format: z.enum(exportFormats).default('ndjson'),
  /** This conversation alone. */
  conversationId: identifier().optional(),
  /** The beginning where absent. */
  after: exportPosition.optional(),
});
export type ConversationExport = z.output<typeof conversationExport>;

export const exportedPage = z.object({
  /** To be written behind the text of the page before. */
  text: z.string(),
  /** Null with the last page. */
  next: exportPosition.nullable(),
  /** Conversations that begin in this page, and its messages. */
  conversations: z.int(),
  messages: z.int(),
});
export type ExportedPage = z.output<typeof exportedPage>;

/** Most messages of a conversation, and conversations, in a request. */
export const MAX_IMPORTED_MESSAGES = 500;
export const MAX_IMPORTED_CONVERSATIONS = 100;

export const conversationsToImport = z.object({
  scope: requiredTenantScope,
  conversations: boundedArray(
    conversationRecord.extend({ messages: boundedArray(messageRecord, MAX_IMPORTED_MESSAGES) }),
    MAX_IMPORTED_CONVERSATIONS,
    1,
  ),
});
export type ConversationsToImport = z.output<typeof conversationsToImport>;

/** What was not there before. */
export const importedConversations = z.object({ conversations: z.int(), messages: z.int() });
export type ImportedConversations = z.output<typeof importedConversations>;
