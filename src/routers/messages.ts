import { tracked } from '@trpc/server';
import type { Messages } from '../services/conversations/messages.js';
import {
  appendedMessages,
  givenFeedback,
  message,
  messageFeedback,
  messageFilter,
  messageFollow,
  messagePart,
  messagesToAppend,
  writtenMessage,
} from '../services/conversations/messages.schema.js';
import { foundMessages, messageSearch } from '../services/conversations/search-messages.schema.js';
import { pageSchema } from '../services/shared/pagination.js';
import { tenantProcedure } from './procedure.js';
import { toSubscription } from './to-subscription.js';

export const messages = {
  list: tenantProcedure('conversations:read', messageFilter)
    .output(pageSchema(message))
    .query(({ ctx, input }) => ctx.services.messages.list(input)),

  /** Finds messages and topics of all conversations by their words. */
  search: tenantProcedure('conversations:read', messageSearch)
    .output(foundMessages)
    .query(({ ctx, input }) => ctx.services.messages.search(input)),

  /** Stores messages once, with their conversation if it is new. */
  append: tenantProcedure('messages:write', messagesToAppend)
    .output(appendedMessages)
    .mutation(({ ctx, input }) => ctx.services.messages.append(input, ctx.actor, ctx.access)),

  /** Stores a message part by part, while a model writes it. */
  stream: tenantProcedure('messages:write', messagePart)
    .output(writtenMessage)
    .mutation(({ ctx, input }) => ctx.services.messages.stream(input, ctx.actor, ctx.access)),

  /** Whoever administers conversations may judge, and programs that could write the feedback with the message. */
  setFeedback: tenantProcedure(['conversations:write', 'messages:write'], messageFeedback)
    .output(givenFeedback)
    .mutation(({ ctx, input }) => ctx.services.messages.setFeedback(input, ctx.actor)),

  /** Messages of a conversation as they are stored. */
  follow: tenantProcedure('conversations:read', messageFollow).subscription(async ({ ctx, input, signal }) =>
    toSubscription(trackMessages(await ctx.services.messages.follow(input, signal))),
  ),
};

/** The id of an event is the number of the last message up to it, after which a client goes on. */
async function* trackMessages(events: Awaited<ReturnType<Messages['follow']>>) {
  for await (const { sequence, ...event } of events) yield tracked(String(sequence), event);
}
