import { auditEvent, auditFilter } from '../services/audit/audit.schema.js';
import { pageSchema } from '../services/shared/pagination.js';
import { tenantProcedure } from './procedure.js';

export const audit = {
  list: tenantProcedure('keys:admin', auditFilter)
    .output(pageSchema(auditEvent))
    .query(({ ctx, input }) => ctx.services.audit.list(input, ctx.access)),
};
