import { z } from 'zod';
import { boundedJsonRecord, filterValue, identifier, topic } from '../routers/index.js';
import {
  Conversation,
  ConversationPage,
  MessagePage,
  page,
  pageSize,
  RunStatus,
  tenantQuery,
  toConversation,
  toConversationListItem,
  toMessage,
  toPage,
  toTenantScope,
} from './conversations.schema.js';
import { endpoint, router } from './endpoint.js';
import { etagHeader, ifMatchHeader } from './etag.js';
import { listParameters } from './list-parameters.js';
import * as examples from './openapi-examples.js';

const PATH = '/admin/api/v2/conversations';
const ONE = `${PATH}/{conversation_id}` as const;
const tags = ['Conversations'];
const one = { tags, responseHeaders: etagHeader };
const changed = { ...one, versioned: true, requestHeaders: ifMatchHeader };

const path = z.object({ conversation_id: identifier() });
const query = z.object(tenantQuery);

const NewConversation = z
  .object({
    topic: topic.nullish().describe('`New Conversation` where absent or null'),
    status: RunStatus.nullish().describe('`running` where absent or null'),
    agent_id: z.guid().nullish(),
    inputs: boundedJsonRecord().nullish(),
    assignment_id: identifier().nullish().describe('Wins over the query parameter of the same name'),
  })
  .meta({ id: 'NewConversation' });

export const conversations = router({
  list: endpoint(
    {
      method: 'GET',
      path: PATH,
      tags,
      summary: 'List conversations',
      example: { query: { tenant_id: 'demo', statuses: ['running'] }, response: examples.conversationPage },
    },
    {
      query: z.object({
        assignment_id: filterValue().optional(),
        agent_id: filterValue().optional(),
        page_num: page,
        page_size: pageSize(20),
        order: z.enum(['recent', 'oldest']).default('recent').describe('By time of creation'),
        status: filterValue().optional().describe('A status; together with `statuses`, any of them'),
        statuses: listParameters().optional().describe('Statuses, any of them'),
        ...tenantQuery,
      }),
    },
    ConversationPage,
  ).query(async ({ ctx, input: { query } }) => {
    const statuses = [...(query.statuses ?? []), ...(query.status === undefined ? [] : [query.status])];
    const result = await ctx.api.conversations.list({
      scope: toTenantScope(query),
      page: query.page_num,
      pageSize: query.page_size,
      order: query.order,
      assignmentId: query.assignment_id,
      agentId: query.agent_id,
      ...(statuses.length > 0 && { statuses }),
    });
    return toPage(result, toConversationListItem);
  }),

  messages: endpoint(
    {
      method: 'GET',
      path: `${ONE}/messages`,
      tags,
      summary: "List a conversation's messages, oldest first",
      errors: [404],
      example: { response: examples.messagePage },
    },
    { path, query: z.object({ page, page_size: pageSize(20), ...tenantQuery }) },
    MessagePage,
  ).query(async ({ ctx, input: { path, query } }) => {
    const result = await ctx.api.messages.list({
      scope: toTenantScope(query),
      conversationId: path.conversation_id,
      page: query.page,
      pageSize: query.page_size,
    });
    return toPage(result, toMessage);
  }),

  create: endpoint(
    {
      method: 'POST',
      path: PATH,
      ...one,
      summary: 'Create a conversation',
      status: 201,
      optionalBody: true,
      example: { body: { topic: 'Refund for order 1042' }, response: examples.conversation },
    },
    { query: z.object({ assignment_id: identifier().optional(), ...tenantQuery }), body: NewConversation },
    Conversation,
  ).mutation(async ({ ctx, input: { query, body } }) => {
    const created = await ctx.api.conversations.create({
      scope: toTenantScope(query),
      topic: body.topic ?? undefined,
      status: body.status ?? undefined,
      agentId: body.agent_id ?? undefined,
      inputs: body.inputs,
      assignmentId: body.assignment_id ?? query.assignment_id,
    });
    ctx.setETag(created.version);
    return toConversation(created);
  }),

  get: endpoint(
    {
      method: 'GET',
      path: ONE,
      ...one,
      summary: 'Fetch a conversation',
      errors: [404],
      example: { response: examples.conversation },
    },
    { path, query },
    Conversation,
  ).query(async ({ ctx, input: { path, query } }) => {
    const ref = { scope: toTenantScope(query), conversationId: path.conversation_id };
    const conversation = await ctx.api.conversations.get(ref);
    ctx.setETag(conversation.version);
    return toConversation(conversation);
  }),

  update: endpoint(
    {
      method: 'PATCH',
      path: ONE,
      ...changed,
      summary: 'Rename a conversation',
      errors: [404, 412],
      example: { body: { topic: 'Refund, settled' }, response: examples.conversation },
    },
    {
      path,
      query,
      body: z.object({ topic: topic.optional() }).meta({ id: 'ConversationChanges' }),
    },
    Conversation,
  ).mutation(async ({ ctx, input: { path, query, body } }) => {
    const conversation = await ctx.api.conversations.update({
      scope: toTenantScope(query),
      conversationId: path.conversation_id,
      topic: body.topic,
      expectedVersion: ctx.expectedVersion,
    });
    ctx.setETag(conversation.version);
    return toConversation(conversation);
  }),

  delete: endpoint(
    {
      method: 'DELETE',
      path: ONE,
      tags,
      versioned: true,
      requestHeaders: ifMatchHeader,
      summary: 'Delete a conversation and its messages',
      status: 204,
      errors: [404, 412],
      undocumentedQuery: true,
      example: {},
    },
    { path, query },
    z.void(),
  ).mutation(({ ctx, input: { path, query } }) =>
    ctx.api.conversations.delete({
      scope: toTenantScope(query),
      conversationId: path.conversation_id,
      expectedVersion: ctx.expectedVersion,
    }),
  ),

  setStatus: endpoint(
    {
      method: 'PATCH',
      path: `${ONE}/status`,
      ...changed,
      summary: "Set a conversation's status",
      errors: [404, 412],
      example: { body: { status: 'succeeded' }, response: examples.conversation },
    },
    {
      path,
      query,
      body: z.object({ status: RunStatus.nullable() }).meta({ id: 'ConversationStatusChange' }),
    },
    Conversation,
  ).mutation(async ({ ctx, input: { path, query, body } }) => {
    const conversation = await ctx.api.conversations.setStatus({
      scope: toTenantScope(query),
      conversationId: path.conversation_id,
      status: body.status,
      expectedVersion: ctx.expectedVersion,
    });
    ctx.setETag(conversation.version);
    return toConversation(conversation);
  }),
});
