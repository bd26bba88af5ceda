import { message, messageFilter } from '../services/messages.schema.js';
import { pageOf } from '../services/paging.js';
import { operation } from './operation.js';

export const messages = {
  list: operation('conversations:read', messageFilter)
    .output(pageOf(message))
    .query(({ ctx, input }) => ctx.services.messages.list(input)),
};
