import { z } from 'zod';
import {
  boundedJsonRecord,
  conversationFilter,
  filterValue,
  identifier,
  messageFilter,
  newConversationDefaults,
  topic,
} from '../routers/index.js';
import {
  Conversation,
  ConversationPage,
  MessagePage,
  ownerQuery,
  RunStatus,
  tenantQuery,
  toConversation,
  toConversationListItem,
  toMessage,
  toTenantScope,
} from './conversations.schema.js';
import { endpoint, router } from './endpoint.js';
import { etagHeader, ifMatchHeader } from './etag.js';
import { listParameters } from './list-parameters.js';
import * as examples from './openapi-examples.js';
import { pageParameters, toPageV2 } from './pagination.schema.js';

const PATH = '/admin/api/v2/conversations';
const ONE = `${PATH}/{conversation_id}` as const;
const tags = ['Conversations'];
const one = { tags, responseHeaders: etagHeader };
const changed = { ...one, versioned: true, requestHeaders: ifMatchHeader };

const path = z.object({ conversation_id: identifier() });
const query = z.object(tenantQuery);
const conversationsPage = pageParameters(conversationFilter);
const messagesPage = pageParameters(messageFilter);

const NewConversation = z
  .object({
    topic: topic.nullish().describe(`\`${newConversationDefaults.topic}\` if absent or null`),
    status: RunStatus.nullish().describe(`\`${newConversationDefaults.status}\` if absent or null`),
    agent_id: z.guid().nullish(),
    inputs: boundedJsonRecord().nullish(),
    assignment_id: identifier()
      .nullish()
      .describe('Takes precedence over the query parameter of the same name'),
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
        page_num: conversationsPage.page,
        page_size: conversationsPage.pageSize,
        order: conversationFilter.shape.order.describe('By time of creation'),
        status: filterValue().optional().describe('A status; together with `statuses`, any of them'),
        statuses: listParameters().optional().describe('Statuses, any of them'),
        ...tenantQuery,
      }),
    },
    ConversationPage,
  ).query(async ({ ctx, input: { query } }) => {
    const { page_num, page_size, order, assignment_id, agent_id, status, statuses = [], ...scope } = query;
    const anyOf = status === undefined ? statuses : [...statuses, status];
    const result = await ctx.api.conversations.list({
      scope: toTenantScope(scope),
      page: page_num,
      pageSize: page_size,
      order,
      assignmentId: assignment_id,
      agentId: agent_id,
      ...(anyOf.length > 0 && { statuses: anyOf }),
    });
    return toPageV2(result, toConversationListItem);
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
    {
      path,
      query: z.object({ page: messagesPage.page, page_size: messagesPage.pageSize, ...tenantQuery }),
    },
    MessagePage,
  ).query(async ({ ctx, input: { path, query } }) => {
    const { page, page_size, ...scope } = query;
    const result = await ctx.api.messages.list({
      scope: toTenantScope(scope),
      conversationId: path.conversation_id,
      page,
      pageSize: page_size,
    });
    return toPageV2(result, toMessage);
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
    { query: z.object({ assignment_id: identifier().optional(), ...ownerQuery }), body: NewConversation },
    Conversation,
  ).mutation(async ({ ctx, input: { query, body } }) => {
    const { assignment_id: assignmentOfQuery, ...scope } = query;
    const { topic, status, agent_id, assignment_id, ...fields } = body;
    const created = await ctx.api.conversations.create({
      ...fields,
      scope: toTenantScope(scope),
      topic: topic ?? undefined,
      status: status ?? undefined,
      agentId: agent_id ?? undefined,
      assignmentId: assignment_id ?? assignmentOfQuery,
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
      ...body,
      scope: toTenantScope(query),
      conversationId: path.conversation_id,
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
      ...body,
      scope: toTenantScope(query),
      conversationId: path.conversation_id,
      expectedVersion: ctx.expectedVersion,
    });
    ctx.setETag(conversation.version);
    return toConversation(conversation);
  }),
});
