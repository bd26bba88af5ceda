import { auditEvent, auditFilter } from '../services/audit.schema.js';
import { pageOf } from '../services/paging.js';
import { operation } from './operation.js';

export const audit = {
  list: operation('keys:admin', auditFilter)
    .output(pageOf(auditEvent))
    .query(({ ctx, input }) => ctx.services.audit.list(input, ctx.access)),
};
