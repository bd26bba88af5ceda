import { z } from 'zod';
import {
  newRetentionRule,
  retentionPreview,
  retentionRule,
  retentionRuleChanges,
  retentionRuleRef,
  retentionScope,
} from '../services/retention/retention.schema.js';
import { tenantProcedure } from './procedure.js';

export const retention = {
  list: tenantProcedure('retention:read', retentionScope)
    .output(z.array(retentionRule))
    .query(({ ctx, input }) => ctx.services.retention.list(input)),

  /** Conversations that a rule would delete now. */
  preview: tenantProcedure('retention:read', newRetentionRule)
    .output(retentionPreview)
    .query(({ ctx, input }) => ctx.services.retention.preview(input, ctx.access)),

  create: tenantProcedure('retention:write', newRetentionRule)
    .output(retentionRule)
    .mutation(({ ctx, input }) => ctx.services.retention.create(input, ctx.actor, ctx.access)),

  update: tenantProcedure('retention:write', retentionRuleChanges)
    .output(retentionRule)
    .mutation(({ ctx, input }) => ctx.services.retention.update(input, ctx.actor, ctx.access)),

  delete: tenantProcedure('retention:write', retentionRuleRef)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.retention.remove(input, ctx.actor, ctx.access)),
};
