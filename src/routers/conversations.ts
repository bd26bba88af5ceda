import { z } from 'zod';
import { forbidden } from '../errors/errors.js';
import { bulkStep, conversationBulk } from '../services/conversations/bulk.schema.js';
import {
  conversation,
  conversationChanges,
  conversationFacets,
  conversationFacetsFilter,
  conversationFilter,
  conversationLabelsChange,
  conversationListItem,
  conversationRef,
  conversationRemoval,
  conversationStatusChange,
  conversationTexts,
  legalHoldChange,
  newConversation,
  newReview,
  queuedForReview,
  review,
  reviewFilter,
  reviewQueuePlace,
  statusChange,
  statusHistoryFilter,
  writtenConversation,
} from '../services/conversations/conversations.schema.js';
import {
  conversationExport,
  conversationsToImport,
  exportedPage,
  importedConversations,
} from '../services/conversations/transfer/transfer.schema.js';
import { pageSchema } from '../services/shared/pagination.js';
import { tenantProcedure } from './procedure.js';
import { denialOf } from './trpc.js';
import { mayRead, withoutUnread } from './without-unread.js';

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

  /** A verdict on the conversation, whose status becomes `reviewed`. */
  review: tenantProcedure('conversations:write', newReview)
    .output(writtenConversation)
    .mutation(async ({ ctx, input }) =>
      withoutUnread(await ctx.services.conversations.review(input, ctx.actor), { ctx, input }, TEXTS),
    ),

  reviews: tenantProcedure('conversations:read', reviewFilter)
    .output(pageSchema(review))
    .query(({ ctx, input }) => ctx.services.conversations.reviews(input)),

  nextForReview: tenantProcedure('conversations:read', reviewQueuePlace)
    .output(queuedForReview)
    .query(({ ctx, input }) => ctx.services.conversations.nextForReview(input)),
  setLabels: tenantProcedure('conversations:write', conversationLabelsChange)
    .output(writtenConversation)
    .mutation(async ({ ctx, input }) =>
      withoutUnread(await ctx.services.conversations.setLabels(input, ctx.actor), { ctx, input }, TEXTS),
    ),

  /** While it is under a legal hold, nothing deletes a conversation. */
  setLegalHold: tenantProcedure('retention:write', legalHoldChange)
    .output(writtenConversation)
    .mutation(async ({ ctx, input }) =>
      withoutUnread(await ctx.services.conversations.setLegalHold(input, ctx.actor), { ctx, input }, TEXTS),
    ),

  /** A step of a change of all conversations that a filter matches. The answer tells which these are. */
  bulk: tenantProcedure('conversations:write', conversationBulk)
    .output(bulkStep)
    .mutation(({ ctx, input }) => {
      if (!mayRead(ctx, 'conversations:read'))
        throw forbidden('This API key may not do this: it also needs the scope conversations:read.');
      return ctx.services.conversations.bulk(input, ctx.actor);
    }),

  delete: tenantProcedure('conversations:write', conversationRemoval)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.conversations.remove(input, ctx.actor)),

  /** A part of a file of conversations; the next one begins at its `next`. */
  export: tenantProcedure('conversations:read', conversationExport)
    .output(exportedPage)
    .query(({ ctx, input }) => ctx.services.transfers.exportPage(input)),

  /** Stores conversations of an export, with their messages; so it also takes the permission to write these. */
  import: tenantProcedure('conversations:write', conversationsToImport)
    .output(importedConversations)
    .mutation(({ ctx, input }) => {
      const denial = denialOf(ctx, { permissions: ['messages:write'] });
      if (denial) throw denial;
      return ctx.services.transfers.import(input, ctx.actor, ctx.access);
    }),
};
