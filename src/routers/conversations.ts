import { z } from 'zod';
import {
  conversation,
  conversationChanges,
  conversationFilter,
  conversationListItem,
  conversationRef,
  conversationStatusChange,
  newConversation,
} from '../services/conversations.schema.js';
import { pageOf } from '../services/paging.js';
import { procedure, router } from './trpc.js';

export const conversations = router({
  list: procedure
    .input(conversationFilter)
    .output(pageOf(conversationListItem))
    .query(({ ctx, input }) => ctx.services.conversations.list(input)),

  get: procedure
    .input(conversationRef)
    .output(conversation)
    .query(({ ctx, input }) => ctx.services.conversations.get(input)),

  create: procedure
    .input(newConversation)
    .output(conversation)
    .mutation(({ ctx, input }) => ctx.services.conversations.create(input, ctx.actor)),

  update: procedure
    .input(conversationChanges)
    .output(conversation)
    .mutation(({ ctx, input }) => ctx.services.conversations.update(input, ctx.actor)),

  setStatus: procedure
    .input(conversationStatusChange)
    .output(conversation)
    .mutation(({ ctx, input }) => ctx.services.conversations.setStatus(input, ctx.actor)),

  delete: procedure
    .input(conversationRef)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.conversations.remove(input)),
});
