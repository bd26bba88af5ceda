import { z } from 'zod';
import {
  conversation,
  conversationChanges,
  conversationFilter,
  conversationListItem,
  conversationRef,
  conversationRemoval,
  conversationStatusChange,
  newConversation,
} from '../services/conversations.schema.js';
import { pageOf } from '../services/paging.js';
import { operation } from './operation.js';

export const conversations = {
  list: operation('conversations:read', conversationFilter)
    .output(pageOf(conversationListItem))
    .query(({ ctx, input }) => ctx.services.conversations.list(input)),

  get: operation('conversations:read', conversationRef)
    .output(conversation)
    .query(({ ctx, input }) => ctx.services.conversations.get(input)),

  create: operation('conversations:write', newConversation, { places: true })
    .output(conversation)
    .mutation(({ ctx, input }) => ctx.services.conversations.create(input, ctx.actor)),

  update: operation('conversations:write', conversationChanges)
    .output(conversation)
    .mutation(({ ctx, input }) => ctx.services.conversations.update(input, ctx.actor)),

  setStatus: operation('conversations:write', conversationStatusChange)
    .output(conversation)
    .mutation(({ ctx, input }) => ctx.services.conversations.setStatus(input, ctx.actor)),

  delete: operation('conversations:write', conversationRemoval)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.conversations.remove(input, ctx.actor)),
};
