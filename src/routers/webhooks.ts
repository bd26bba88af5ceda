import { z } from 'zod';
import { pageOf } from '../services/paging.js';
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
} from '../services/webhooks.schema.js';
import { operation } from './operation.js';

export const webhooks = {
  create: operation('keys:admin', newWebhook)
    .output(webhookWithSecret)
    .mutation(({ ctx, input }) => ctx.services.webhooks.create(input, ctx.actor)),

  list: operation('keys:admin', webhookFilter)
    .output(z.array(webhook))
    .query(({ ctx, input }) => ctx.services.webhooks.list(input)),

  get: operation('keys:admin', webhookRef)
    .output(webhook)
    .query(({ ctx, input }) => ctx.services.webhooks.get(input)),

  update: operation('keys:admin', webhookChanges)
    .output(webhook)
    .mutation(({ ctx, input }) => ctx.services.webhooks.update(input, ctx.actor)),

  rotateSecret: operation('keys:admin', secretRotation)
    .output(webhookWithSecret)
    .mutation(({ ctx, input }) => ctx.services.webhooks.rotateSecret(input, ctx.actor)),

  resume: operation('keys:admin', webhookRef)
    .output(webhook)
    .mutation(({ ctx, input }) => ctx.services.webhooks.resume(input, ctx.actor)),

  delete: operation('keys:admin', webhookRef)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.webhooks.remove(input, ctx.actor)),

  deliveries: operation('keys:admin', deliveryFilter)
    .output(pageOf(webhookDelivery))
    .query(({ ctx, input }) => ctx.services.webhooks.deliveries(input)),

  replay: operation('keys:admin', replay)
    .output(replayResult)
    .mutation(({ ctx, input }) => ctx.services.webhooks.replay(input, ctx.actor)),

  /** Shows up among the deliveries, with what became of it. */
  test: operation('keys:admin', webhookRef)
    .output(webhookDelivery)
    .mutation(({ ctx, input }) => ctx.services.webhooks.test(input, ctx.actor)),
};
