import { z } from 'zod';
import { filterText, freeObject, identifier, timeText } from './fields.schema.js';
import { paging } from './paging.js';
import { tenantScope } from './scope.js';

const nullableText = z.string().nullable();

export const auditEvent = z.object({
  id: z.int(),
  tenantId: z.string(),
  /** Null where the subject belongs to no unit, such as an API key. */
  tenantUnitId: nullableText,
  time: z.date(),
  /** The procedure that did it, such as `documents.update`. */
  action: z.string(),
  subjectType: z.enum(['conversation', 'document', 'chunk', 'file', 'apiKey', 'webhook']),
  subjectId: z.string(),
  /** Null without a key, and for the command line. */
  keyId: nullableText,
  /** As the caller said in `X-User-Id`. */
  userId: nullableText,
  address: nullableText,
  requestId: nullableText,
  /**
   * What changed, as it was and as it became: small fields only. Beyond names and states, the values take the permission
   * to read the subject.
   */
  before: freeObject().nullable(),
  after: freeObject().nullable(),
});
export type AuditEvent = z.output<typeof auditEvent>;

export const auditFilter = z.object({
  scope: tenantScope,
  ...paging(50),
  action: filterText().min(1).optional(),
  subjectId: identifier().optional(),
  keyId: identifier().optional(),
  userId: filterText().min(1).optional(),
  /** From this time on. */
  since: timeText().optional(),
  /** Before this time. */
  until: timeText().optional(),
});
export type AuditFilter = z.output<typeof auditFilter>;
