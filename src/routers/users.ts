import { pageSchema } from '../services/shared/pagination.js';
import { erasure, erasureFilter, erasureRef, newErasure } from '../services/users/erasures.schema.js';
import { tenantProcedure } from './procedure.js';

export const users = {
  /** Begins to erase everything of a user. */
  erase: tenantProcedure('users:erase', newErasure)
    .output(erasure)
    .mutation(({ ctx, input }) => ctx.services.userErasures.erase(input, ctx.actor, ctx.access)),

  erasure: tenantProcedure('users:erase', erasureRef)
    .output(erasure)
    .query(({ ctx, input }) => ctx.services.userErasures.get(input, ctx.access)),

  erasures: tenantProcedure('users:erase', erasureFilter)
    .output(pageSchema(erasure))
    .query(({ ctx, input }) => ctx.services.userErasures.list(input, ctx.access)),
};
