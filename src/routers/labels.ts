import { z } from 'zod';
import { label, labelChanges, labelFilter, labelRef, newLabel } from '../services/labels/labels.schema.js';
import { tenantProcedure } from './procedure.js';

export const labels = {
  list: tenantProcedure('conversations:read', labelFilter)
    .output(z.array(label))
    .query(({ ctx, input }) => ctx.services.labels.list(input)),

  create: tenantProcedure('conversations:write', newLabel)
    .output(label)
    .mutation(({ ctx, input }) => ctx.services.labels.create(input, ctx.actor, ctx.access)),

  update: tenantProcedure('conversations:write', labelChanges)
    .output(label)
    .mutation(({ ctx, input }) => ctx.services.labels.update(input, ctx.actor, ctx.access)),

  delete: tenantProcedure('conversations:write', labelRef)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.labels.remove(input, ctx.actor, ctx.access)),
};
