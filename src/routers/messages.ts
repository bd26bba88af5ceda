import { message, messageFilter } from '../services/messages.schema.js';
import { pageOf } from '../services/paging.js';
import { procedure, router } from './trpc.js';

export const messages = router({
  list: procedure
    .input(messageFilter)
    .output(pageOf(message))
    .query(({ ctx, input }) => ctx.services.messages.list(input)),
});
