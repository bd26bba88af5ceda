import {
  apiKey,
  apiKeyFilter,
  apiKeyRef,
  apiKeyRotation,
  issuedApiKey,
  newApiKey,
  rotatedApiKey,
} from '../services/api-keys/api-keys.schema.js';
import { pageSchema } from '../services/shared/pagination.js';
import { tenantProcedure } from './procedure.js';

/** Secrets are returned once and never stored, so an Idempotency-Key has no effect on create and rotate. */
export const apiKeys = {
  create: tenantProcedure('keys:admin', newApiKey)
    .output(issuedApiKey)
    .mutation(({ ctx, input }) => ctx.services.apiKeys.create(input, ctx.actor, ctx.access)),

  list: tenantProcedure('keys:admin', apiKeyFilter)
    .output(pageSchema(apiKey))
    .query(({ ctx, input }) => ctx.services.apiKeys.list(input)),

  rotate: tenantProcedure('keys:admin', apiKeyRotation)
    .output(rotatedApiKey)
    .mutation(({ ctx, input }) => ctx.services.apiKeys.rotate(input, ctx.actor, ctx.access)),

  revoke: tenantProcedure('keys:admin', apiKeyRef)
    .output(apiKey)
    .mutation(({ ctx, input }) => ctx.services.apiKeys.revoke(input, ctx.actor)),
};
