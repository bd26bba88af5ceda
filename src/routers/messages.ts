import { message, messageFilter } from '../services/conversations/messages.schema.js';
import { pageSchema } from '../services/shared/pagination.js';
import { tenantProcedure } from './procedure.js';

export const messages = {
  list: tenantProcedure('conversations:read', messageFilter)
    .output(pageSchema(message))
    .query(({ ctx, input }) => ctx.services.messages.list(input)),
};
