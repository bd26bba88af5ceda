import { z } from 'zod';
import { pageSchema } from '../services/shared/pagination.js';
import {
  deliveryFilter,
  newWebhook,
  replay,
  replayResult,
  secretRotation,
  webhook,
  webhookChanges,
  webhookDelivery,
  webhookFilter,
  webhookRef,
  webhookWithSecret,
} from '../services/webhooks/webhooks.schema.js';
import { tenantProcedure } from './procedure.js';

export const webhooks = {
  create: tenantProcedure('keys:admin', newWebhook)
    .output(webhookWithSecret)
    .mutation(({ ctx, input }) => ctx.services.webhooks.create(input, ctx.actor)),

  list: tenantProcedure('keys:admin', webhookFilter)
    .output(z.array(webhook))
    .query(({ ctx, input }) => ctx.services.webhooks.list(input)),

  get: tenantProcedure('keys:admin', webhookRef)
    .output(webhook)
    .query(({ ctx, input }) => ctx.services.webhooks.get(input)),

  update: tenantProcedure('keys:admin', webhookChanges)
    .output(webhook)
    .mutation(({ ctx, input }) => ctx.services.webhooks.update(input, ctx.actor)),

  rotateSecret: tenantProcedure('keys:admin', secretRotation)
    .output(webhookWithSecret)
    .mutation(({ ctx, input }) => ctx.services.webhooks.rotateSecret(input, ctx.actor)),

  resume: tenantProcedure('keys:admin', webhookRef)
    .output(webhook)
    .mutation(({ ctx, input }) => ctx.services.webhooks.resume(input, ctx.actor)),

  delete: tenantProcedure('keys:admin', webhookRef)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.webhooks.remove(input, ctx.actor)),

  deliveries: tenantProcedure('keys:admin', deliveryFilter)
    .output(pageSchema(webhookDelivery))
    .query(({ ctx, input }) => ctx.services.webhooks.deliveries(input)),

  replay: tenantProcedure('keys:admin', replay)
    .output(replayResult)
    .mutation(({ ctx, input }) => ctx.services.webhooks.replay(input, ctx.actor)),

  /** The test event appears among the deliveries. */
  test: tenantProcedure('keys:admin', webhookRef)
    .output(webhookDelivery)
    .mutation(({ ctx, input }) => ctx.services.webhooks.test(input, ctx.actor)),
};
