import { z } from 'zod';
import { feedbackVerdicts, reviewVerdicts, runStatuses } from '../../../db/enums.js';
import { labelDifference, MAX_LABELS_OF_CONVERSATION } from '../labels/labels.schema.js';
import { expectedVersion } from '../shared/expected-version.js';
import {
  boundedArray,
  boundedJsonRecord,
  filterValue,
  identifier,
  jsonRecord,
  nullableText,
  storedValue,
  text,
  timestamp,
} from '../shared/fields.schema.js';
import { pageParameters } from '../shared/pagination.js';
import { partialTenantUnitRef, requiredTenantScope, tenantScope } from '../shared/tenant-scope.js';

export const runStatus = z.enum(runStatuses);
export const topic = text(10_000);
/** Of a verdict, in characters. */
export const MAX_NOTE = 10_000;
/** Of a conversation. An export has all of them in one line. */
export const MAX_REVIEWS = 100;

export const conversation = z.object({
  id: z.string(),
  tenantId: z.string(),
  tenantUnitId: z.string(),
  topic: nullableText,
  agentId: z.string(),
  userId: z.string(),
  agentMode: z.string(),
  agentType: nullableText,
  extendProperties: jsonRecord(),
  invokeFrom: nullableText,
  inputs: jsonRecord().nullable(),
  status: storedValue(runStatuses).nullable(),
  assignmentId: nullableText,
  createdTime: z.date(),
  updatedTime: z.date(),
  createdBy: nullableText,
  updatedBy: nullableText,
  createdByRole: nullableText,
  updatedByRole: nullableText,
  createdByName: nullableText,
  updatedByName: nullableText,
  /** Grows with every change. */
  version: z.int(),
  /** Ids. */
  labels: z.array(z.string()),
  /** Null: under no legal hold. */
  legalHoldTime: z.date().nullable(),
  legalHoldBy: nullableText,
});
export type Conversation = z.output<typeof conversation>;

/** The stored text of a conversation, for whoever may read conversations. */
export const conversationTexts = [
  'topic',
  'agentType',
  'extendProperties',
  'invokeFrom',
  'inputs',
  'createdByRole',
  'updatedByRole',
  'createdByName',
  'updatedByName',
] as const;

/** What a write answers: without the text that the caller neither sent nor may read. */
export const writtenConversation = conversation.partial({
  topic: true,
  agentType: true,
  extendProperties: true,
  invokeFrom: true,
  inputs: true,
  createdByRole: true,
  updatedByRole: true,
  createdByName: true,
  updatedByName: true,
});

export const conversationListItem = conversation.extend({ messageCount: z.int() });
export type ConversationListItem = z.output<typeof conversationListItem>;

export const conversationRef = z.object({ scope: tenantScope.default({}), conversationId: identifier() });
export type ConversationRef = z.output<typeof conversationRef>;

/** What conversations can be narrowed by; all of it together. */
export const conversationConditions = {
  assignmentId: filterValue().optional(),
  agentId: filterValue().optional(),
  /** Any of these; an unknown value matches nothing. */
  statuses: boundedArray(filterValue()).optional(),
  userId: filterValue().optional(),
  createdFrom: timestamp().optional(),
  createdBefore: timestamp().optional(),
  /** Ids of labels, any of these. */
  labels: boundedArray(filterValue(), MAX_LABELS_OF_CONVERSATION, 1).optional(),
  /** Only conversations with a message of this feedback. */
  feedback: z.enum(feedbackVerdicts).optional(),
};

export const conversationFilter = z.object({
  scope: tenantScope.default({}),
  ...pageParameters(20),
  order: z.enum(['recent', 'oldest']).default('recent'),
  ...conversationConditions,
});
export type ConversationFilter = z.output<typeof conversationFilter>;

export const newConversationDefaults = { topic: 'New Conversation', status: 'running' } as const;

export const newConversation = z.object({
  scope: partialTenantUnitRef.default({}),
  topic: topic.default(newConversationDefaults.topic),
  status: runStatus.default(newConversationDefaults.status),
  /** The nil UUID where none is given. */
  agentId: z.guid().default('00000000-0000-0000-0000-000000000000'),
  inputs: boundedJsonRecord().nullable().default(null),
  assignmentId: identifier().nullable().default(null),
});
export type NewConversation = z.output<typeof newConversation>;

export const conversationChanges = conversationRef.extend({
  topic: topic.optional(),
  assignmentId: identifier().nullable().optional(),
  expectedVersion,
});
export type ConversationChanges = z.output<typeof conversationChanges>;

export const conversationStatusChange = conversationRef.extend({
  status: runStatus.nullable(),
  expectedVersion,
});
export type ConversationStatusChange = z.output<typeof conversationStatusChange>;

export const conversationLabelsChange = labelDifference.safeExtend({
  ...conversationRef.shape,
  expectedVersion,
});
export type ConversationLabelsChange = z.output<typeof conversationLabelsChange>;

export const legalHoldChange = conversationRef.extend({ legalHold: z.boolean(), expectedVersion });
export type LegalHoldChange = z.output<typeof legalHoldChange>;

export const conversationRemoval = conversationRef.extend({ expectedVersion });
export type ConversationRemoval = z.output<typeof conversationRemoval>;

export const statusChange = z.object({
  /** Null where the conversation was created. */
  fromStatus: storedValue(runStatuses).nullable(),
  toStatus: storedValue(runStatuses).nullable(),
  changedTime: z.date(),
  changedBy: nullableText,
});
export type StatusChange = z.output<typeof statusChange>;

export const statusHistoryFilter = conversationRef.extend(pageParameters(100));
export type StatusHistoryFilter = z.output<typeof statusHistoryFilter>;

export const conversationFacetsFilter = z.object({ scope: requiredTenantScope });
export type ConversationFacetsFilter = z.output<typeof conversationFacetsFilter>;

export const conversationFacets = z.object({
  /** At most 50, as of assignments. */
  agents: z.array(z.object({ agentId: z.string(), count: z.int() })),
  assignments: z.array(z.object({ assignmentId: z.string(), count: z.int() })),
  /** How many conversations were counted. */
  counted: z.int(),
  /** Whether there may be more: only the latest are counted. */
  truncated: z.boolean(),
});
export type ConversationFacets = z.output<typeof conversationFacets>;

export const newReview = conversationRef.extend({
  verdict: z.enum(reviewVerdicts),
  note: text(MAX_NOTE).nullable().default(null),
  expectedVersion,
});
export type NewReview = z.output<typeof newReview>;

export const review = z.object({
  id: z.string(),
  verdict: storedValue(reviewVerdicts),
  note: nullableText,
  reviewedTime: z.date(),
  reviewedBy: nullableText,
});
export type Review = z.output<typeof review>;

export const reviewFilter = conversationRef.extend(pageParameters(20));
export type ReviewFilter = z.output<typeof reviewFilter>;

export const reviewQueuePlace = z
  .object({
    scope: requiredTenantScope,
    /** The next one after this conversation, whatever its status; the oldest of all where neither is given. */
    after: identifier().optional(),
    /** The one before this conversation. */
    before: identifier().optional(),
  })
  .refine(({ after, before }) => after === undefined || before === undefined, {
    path: ['before'],
    message: 'cannot be given together with after',
  });
export type ReviewQueuePlace = z.output<typeof reviewQueuePlace>;

export const queuedForReview = z.object({
  /** Null where there is none on that side. */
  conversation: conversation.nullable(),
  /** Conversations that wait for a review. */
  waiting: z.object({
    count: z.int(),
    /** There are more, and they are being counted in the background. */
    isLowerBound: z.boolean(),
  }),
});
export type QueuedForReview = z.output<typeof queuedForReview>;
