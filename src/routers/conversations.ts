import { z } from 'zod';
import {
  conversation,
  conversationChanges,
  conversationFacets,
  conversationFacetsFilter,
  conversationFilter,
  conversationListItem,
  conversationRef,
  conversationRemoval,
  conversationStatusChange,
  conversationTexts,
  newConversation,
  statusChange,
  statusHistoryFilter,
  writtenConversation,
} from '../services/conversations/conversations.schema.js';
import { pageSchema } from '../services/shared/pagination.js';
import { tenantProcedure } from './procedure.js';
import { withoutUnread } from './without-unread.js';

const TEXTS = { permission: 'conversations:read', texts: conversationTexts } as const;

export const conversations = {
  list: tenantProcedure('conversations:read', conversationFilter)
    .output(pageSchema(conversationListItem))
    .query(({ ctx, input }) => ctx.services.conversations.list(input)),

  get: tenantProcedure('conversations:read', conversationRef)
    .output(conversation)
    .query(({ ctx, input }) => ctx.services.conversations.get(input)),

  /** The agents and assignments of the latest conversations. */
  facets: tenantProcedure('conversations:read', conversationFacetsFilter)
    .output(conversationFacets)
    .query(({ ctx, input }) => ctx.services.conversations.facets(input)),

  statusHistory: tenantProcedure('conversations:read', statusHistoryFilter)
    .output(pageSchema(statusChange))
    .query(({ ctx, input }) => ctx.services.conversations.statusHistory(input)),

  create: tenantProcedure('conversations:write', newConversation, { requiresSingleUnit: true })
    .output(conversation)
    .mutation(({ ctx, input }) => ctx.services.conversations.create(input, ctx.actor)),

  update: tenantProcedure('conversations:write', conversationChanges)
    .output(writtenConversation)
    .mutation(async ({ ctx, input }) =>
      withoutUnread(await ctx.services.conversations.update(input, ctx.actor), { ctx, input }, TEXTS),
    ),

  setStatus: tenantProcedure('conversations:write', conversationStatusChange)
    .output(writtenConversation)
    .mutation(async ({ ctx, input }) =>
      withoutUnread(await ctx.services.conversations.setStatus(input, ctx.actor), { ctx, input }, TEXTS),
    ),

  delete: tenantProcedure('conversations:write', conversationRemoval)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.conversations.remove(input, ctx.actor)),
};
