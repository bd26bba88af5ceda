import { z } from 'zod';
import { type Api, identifier, jsonRecord, runStatus } from '../routers/index.js';
import type { AllFields, Exact } from './exhaustive-mapping.js';
import { pageV2 } from './pagination.schema.js';

/** A write may leave out what the caller may not read. */
type Conversation = Awaited<ReturnType<Api['conversations']['update']>>;
type ConversationListItem = Awaited<ReturnType<Api['conversations']['list']>>['items'][number];
type Message = Awaited<ReturnType<Api['messages']['list']>>['items'][number];

export const RunStatus = runStatus.meta({ id: 'RunStatus' });

const text = z.string().nullish();
const dateTime = z.iso.datetime().nullish();

export const Conversation = z
  .object({
    id: z.string(),
    topic: text,
    agent_id: z.string(),
    tenant_id: z.string(),
    tenant_unit_id: z.string(),
    user_id: z.string(),
    agent_mode: z.string(),
    extend_properties: jsonRecord().optional(),
    invoke_from: text,
    inputs: jsonRecord().nullish(),
    status: RunStatus.nullish(),
    assignment_id: text,
    created_time: dateTime,
    updated_time: dateTime,
    created_by: text,
    updated_by: text,
    created_by_role: text,
    updated_by_role: text,
    created_by_name: text,
    updated_by_name: text,
    agent_type: text,
  })
  .meta({ id: 'Conversation' });

export const ConversationListItem = Conversation.extend({ message_count: z.int() }).meta({
  id: 'ConversationListItem',
});

const tokens = z.number().nullish();

export const Message = z
  .object({
    id: z.string(),
    tenant_id: z.string(),
    tenant_unit_id: z.string(),
    agent_id: z.string(),
    user_id: z.string(),
    conversation_id: z.string(),
    run_id: z.string(),
    message_from: z.string(),
    content: z.string(),
    requested_time: z.iso.datetime(),
    input_tokens: tokens,
    answer_tokens: tokens,
    total_tokens: tokens,
    feedback: text,
    metadata: jsonRecord().nullish(),
    type: text,
    user_type: text,
    status: text,
    event_trace: text,
    created_by: text,
    updated_by: text,
    created_by_role: text,
    updated_by_role: text,
  })
  .meta({ id: 'Message' });

export const ConversationPage = pageV2(ConversationListItem, 'ConversationPage');
export const MessagePage = pageV2(Message, 'MessagePage');

/** Optional tenant scope in a query. */
export const tenantQuery = {
  tenant_id: identifier().nullish().describe('Only what belongs to this tenant'),
  tenant_unit_id: identifier().nullish().describe('Only what belongs to this tenant unit'),
};

/** Likewise, of what is created: as in the other calls, not in the body. */
export const ownerQuery = {
  tenant_id: identifier().nullish().describe('Tenant of the conversation; default: `DEFAULT_TENANT_ID`'),
  tenant_unit_id: identifier()
    .nullish()
    .describe('Tenant unit of the conversation; default: `DEFAULT_TENANT_UNIT_ID`'),
};

interface TenantQuery {
  tenant_id?: string | null | undefined;
  tenant_unit_id?: string | null | undefined;
}

/** What is left of a query once its other fields are taken. */
export const toTenantScope = <Q extends TenantQuery>(query: Q & Exact<Q, TenantQuery>) => ({
  ...(query.tenant_id != null && { tenantId: query.tenant_id }),
  ...(query.tenant_unit_id != null && { tenantUnitId: query.tenant_unit_id }),
});

export const toConversation = (row: Conversation): AllFields<z.input<typeof Conversation>> => ({
  id: row.id,
  topic: row.topic,
  agent_id: row.agentId,
  tenant_id: row.tenantId,
  tenant_unit_id: row.tenantUnitId,
  user_id: row.userId,
  agent_mode: row.agentMode,
  extend_properties: row.extendProperties,
  invoke_from: row.invokeFrom,
  inputs: row.inputs,
  status: row.status,
  assignment_id: row.assignmentId,
  created_time: row.createdTime.toISOString(),
  updated_time: row.updatedTime.toISOString(),
  created_by: row.createdBy,
  updated_by: row.updatedBy,
  created_by_role: row.createdByRole,
  updated_by_role: row.updatedByRole,
  created_by_name: row.createdByName,
  updated_by_name: row.updatedByName,
  agent_type: row.agentType,
});

export const toConversationListItem = (
  row: ConversationListItem,
): AllFields<z.input<typeof ConversationListItem>> => ({
  ...toConversation(row),
  message_count: row.messageCount,
});

export const toMessage = (row: Message): AllFields<z.input<typeof Message>> => ({
  id: row.id,
  tenant_id: row.tenantId,
  tenant_unit_id: row.tenantUnitId,
  agent_id: row.agentId,
  user_id: row.userId,
  conversation_id: row.conversationId,
  run_id: row.runId,
  message_from: row.messageFrom,
  content: row.content,
  requested_time: row.requestedTime.toISOString(),
  input_tokens: row.inputTokens,
  answer_tokens: row.answerTokens,
  total_tokens: row.totalTokens,
  feedback: row.feedback,
  metadata: row.metadata,
  type: row.type,
  user_type: row.userType,
  status: row.status,
  event_trace: row.eventTrace,
  created_by: row.createdBy,
  updated_by: row.updatedBy,
  created_by_role: row.createdByRole,
  updated_by_role: row.updatedByRole,
});
