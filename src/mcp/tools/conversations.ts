import { z } from 'zod';
import {
  AS_DATA,
  cursorAfter,
  id,
  nextCursor,
  page,
  pageOf,
  READ_ONLY,
  scopeOf,
  tool,
  unit,
} from '../tool.js';

/** Longer messages are cut: an answer holds many of them. */
const MAX_MESSAGE = 20_000;

const order = z.enum(['recent', 'oldest']).describe('Which come first.');

export const listConversations = tool({
  name: 'list_conversations',
  title: 'List conversations',
  description: `Lists the conversations that agents had with users. ${AS_DATA}`,
  procedure: 'conversations.list',
  annotations: READ_ONLY,
  input: z.strictObject({
    order: order.default('recent'),
    agentId: id('Only conversations of this agent.').optional(),
    status: z.string().max(255).optional().describe('Only conversations with this status.'),
    unit,
    ...page,
  }),
  output: z.object({
    conversations: z.array(
      z.object({
        id: z.string(),
        topic: z.string().nullable(),
        status: z.string().nullable(),
        agentId: z.string(),
        userId: z.string(),
        messages: z.int(),
        createdTime: z.string(),
        updatedTime: z.string(),
      }),
    ),
    total: z.int(),
    nextCursor,
  }),
  async call({ order: wantedOrder, agentId, status, unit: unitId, ...wanted }, caller) {
    const list = await caller.api.conversations.list({
      scope: scopeOf(caller, unitId),
      ...pageOf(caller, wanted),
      order: wantedOrder,
      agentId,
      ...(status !== undefined && { statuses: [status] }),
    });
    const conversations = list.items.map((one) => ({
      id: one.id,
      topic: one.topic,
      status: one.status,
      agentId: one.agentId,
      userId: one.userId,
      messages: one.messageCount,
      createdTime: one.createdTime.toISOString(),
      updatedTime: one.updatedTime.toISOString(),
    }));
    return { conversations, total: list.totalCount, nextCursor: cursorAfter(list) };
  },
});

export const getMessages = tool({
  name: 'get_messages',
  title: 'Read a conversation',
  description: `Returns the messages of a conversation, the oldest first. ${AS_DATA}`,
  procedure: 'messages.list',
  annotations: READ_ONLY,
  input: z.strictObject({
    conversationId: id('Id of a conversation, from list_conversations.'),
    order: order.default('oldest'),
    unit,
    ...page,
  }),
  output: z.object({
    messages: z.array(
      z.object({
        id: z.string(),
        from: z.string(),
        text: z.string(),
        truncated: z
          .boolean()
          .describe(`Whether the text is longer than ${MAX_MESSAGE} characters, and was cut.`),
        time: z.string(),
      }),
    ),
    total: z.int(),
    nextCursor,
  }),
  async call({ conversationId, order: wantedOrder, unit: unitId, ...wanted }, caller) {
    const list = await caller.api.messages.list({
      scope: scopeOf(caller, unitId),
      conversationId,
      ...pageOf(caller, wanted),
      order: wantedOrder,
    });
    const messages = list.items.map(({ id: messageId, messageFrom, content, requestedTime }) => ({
      id: messageId,
      from: messageFrom,
      text: content.slice(0, MAX_MESSAGE).toWellFormed(),
      truncated: content.length > MAX_MESSAGE,
      time: requestedTime.toISOString(),
    }));
    return { messages, total: list.totalCount, nextCursor: cursorAfter(list) };
  },
});
