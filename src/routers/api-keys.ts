import {
  apiKey,
  apiKeyFilter,
  apiKeyRef,
  apiKeyRotation,
  issuedApiKey,
  newApiKey,
  rotatedApiKey,
} from '../services/api-keys.schema.js';
import { pageOf } from '../services/paging.js';
import { operation } from './operation.js';

/** A secret is in the answer that made it and nowhere else; an Idempotency-Key has no effect on those. */
export const apiKeys = {
  create: operation('keys:admin', newApiKey)
    .output(issuedApiKey)
    .mutation(({ ctx, input }) => ctx.services.apiKeys.create(input, ctx.actor, ctx.access)),

  list: operation('keys:admin', apiKeyFilter)
    .output(pageOf(apiKey))
    .query(({ ctx, input }) => ctx.services.apiKeys.list(input)),

  rotate: operation('keys:admin', apiKeyRotation)
    .output(rotatedApiKey)
    .mutation(({ ctx, input }) => ctx.services.apiKeys.rotate(input, ctx.actor, ctx.access)),

  revoke: operation('keys:admin', apiKeyRef)
    .output(apiKey)
    .mutation(({ ctx, input }) => ctx.services.apiKeys.revoke(input, ctx.actor)),
};
