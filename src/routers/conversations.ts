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
  newConversation,
  statusChange,
  statusHistoryFilter,
} from '../services/conversations/conversations.schema.js';
import { pageSchema } from '../services/shared/pagination.js';
import { tenantProcedure } from './procedure.js';

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
    .output(conversation)
    .mutation(({ ctx, input }) => ctx.services.conversations.update(input, ctx.actor)),

  setStatus: tenantProcedure('conversations:write', conversationStatusChange)
    .output(conversation)
    .mutation(({ ctx, input }) => ctx.services.conversations.setStatus(input, ctx.actor)),

  delete: tenantProcedure('conversations:write', conversationRemoval)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.conversations.remove(input, ctx.actor)),
};
