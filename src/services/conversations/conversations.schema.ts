import { z } from 'zod';
import { runStatuses } from '../../../db/enums.js';
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
} from '../shared/fields.schema.js';
import { pageParameters } from '../shared/pagination.js';
import { partialTenantUnitRef, requiredTenantScope, tenantScope } from '../shared/tenant-scope.js';

export const runStatus = z.enum(runStatuses);
export const topic = text(10_000);

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

export const conversationFilter = z.object({
  scope: tenantScope.default({}),
  ...pageParameters(20),
  order: z.enum(['recent', 'oldest']).default('recent'),
  assignmentId: filterValue().optional(),
  agentId: filterValue().optional(),
  /** Any of these; an unknown value matches nothing. */
  statuses: boundedArray(filterValue()).optional(),
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

export const conversationChanges = conversationRef.extend({ topic: topic.optional(), expectedVersion });
export type ConversationChanges = z.output<typeof conversationChanges>;

export const conversationStatusChange = conversationRef.extend({
  status: runStatus.nullable(),
  expectedVersion,
});
export type ConversationStatusChange = z.output<typeof conversationStatusChange>;

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
