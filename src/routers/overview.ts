import {
  attention,
  conversationsOverview,
  conversationsRequest,
  limitsInUse,
  overview as overviewParts,
  overviewRequest,
  queue,
  rateRequest,
  rates,
  usage,
} from '../services/overview/overview.schema.js';
import { anyKeyProcedure, anyKeyTenantProcedure, tenantProcedure } from './procedure.js';

/** What a tenant has, what happens to it, and what failed. */
export const overview = {
  get: anyKeyTenantProcedure(overviewRequest)
    .output(overviewParts)
    .query(({ ctx, input }) => ctx.services.overview.get(input, ctx.access)),

  /** What somebody should look at: what failed, waits, is behind or expires. */
  attention: anyKeyTenantProcedure(overviewRequest)
    .output(attention)
    .query(({ ctx, input }) => ctx.services.overview.attention(input, ctx.access)),

  /** What the tenant uses of its quotas. */
  usage: tenantProcedure('documents:read', overviewRequest)
    .output(usage)
    .query(({ ctx, input }) => ctx.services.overview.usage(input)),

  /** What was processed and searched, over time. */
  rates: tenantProcedure(['documents:read', 'search'], rateRequest)
    .output(rates)
    .query(({ ctx, input }) => ctx.services.overview.rates(input)),

  /** Conversations by day and agent, and their statuses now. */
  conversations: tenantProcedure('conversations:read', conversationsRequest)
    .output(conversationsOverview)
    .query(({ ctx, input }) => ctx.services.overview.conversations(input)),

  /** Documents that wait to be processed. */
  queue: tenantProcedure('documents:read', overviewRequest)
    .output(queue)
    .query(({ ctx, input }) => ctx.services.overview.queue(input)),

  /** What is left of the caller's rate limits, of which this takes nothing but its own request. */
  limits: anyKeyProcedure
    .output(limitsInUse)
    .query(({ ctx }) => ctx.readLimits?.() ?? { rates: [], streams: [] }),
};
