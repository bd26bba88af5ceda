import { z } from 'zod';
import { filterText, freeObject, identifier, jsonObject, listOf, text } from './fields.schema.js';
import { paging } from './paging.js';
import { partialPlacement, scope } from './scope.js';
import { expectedVersion } from './versions.js';

export const runStatuses = [
  'submitted',
  'running',
  'succeeded',
  'failed',
  'stopped',
  'canceled',
  'input-required',
  'partial-succeeded',
  'review-requested',
  'reviewed',
  'unknown',
] as const;

export const runStatus = z.enum(runStatuses);
export const topic = text(10_000);

const nullableText = z.string().nullable();

export const conversation = z.object({
  id: z.string(),
  tenantId: z.string(),
  tenantUnitId: z.string(),
  topic: nullableText,
  agentId: z.string(),
  userId: z.string(),
  agentMode: z.string(),
  agentType: nullableText,
  extendProperties: freeObject(),
  invokeFrom: nullableText,
  inputs: freeObject().nullable(),
  status: runStatus.nullable(),
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
});
export type Conversation = z.output<typeof conversation>;

export const conversationListItem = conversation.extend({ messageCount: z.int() });
export type ConversationListItem = z.output<typeof conversationListItem>;

export const conversationRef = z.object({ scope: scope.default({}), conversationId: identifier() });
export type ConversationRef = z.output<typeof conversationRef>;

export const conversationFilter = z.object({
  scope: scope.default({}),
  ...paging(20),
  order: z.enum(['recent', 'oldest']).default('recent'),
  assignmentId: filterText().optional(),
  agentId: filterText().optional(),
  /** Any of these; an unknown value matches nothing. */
  statuses: listOf(filterText()).optional(),
});
export type ConversationFilter = z.output<typeof conversationFilter>;

export const newConversation = z.object({
  scope: partialPlacement.default({}),
  topic: topic.default('New Conversation'),
  status: runStatus.default('running'),
  /** The nil UUID where none is given. */
  agentId: z.guid().default('00000000-0000-0000-0000-000000000000'),
  inputs: jsonObject().nullable().default(null),
  assignmentId: identifier().nullable().default(null),
});
export type NewConversation = z.output<typeof newConversation>;

export const conversationChanges = conversationRef.extend({ topic: topic.optional(), expectedVersion });
export type ConversationChanges = z.output<typeof conversationChanges>;

export const conversationStatusChange = conversationRef.extend({
  status: runStatus.nullable(),
  expectedVersion,
});
export type ConversationStatusChange = z.output<typeof conversationStatusChange>;

export const conversationRemoval = conversationRef.extend({ expectedVersion });
export type ConversationRemoval = z.output<typeof conversationRemoval>;
