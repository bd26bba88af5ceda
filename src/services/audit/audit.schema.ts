import { z } from 'zod';
import { auditSubjectTypes } from '../../../db/enums.js';
import {
  filterValue,
  identifier,
  jsonRecord,
  nullableText,
  storedValue,
  timestamp,
} from '../shared/fields.schema.js';
import { pageParameters } from '../shared/pagination.js';
import { requiredTenantScope } from '../shared/tenant-scope.js';

export const auditEvent = z.object({
  id: z.int(),
  tenantId: z.string(),
  /** Null where the subject belongs to no unit, such as an API key. */
  tenantUnitId: nullableText,
  time: z.date(),
  /** The procedure that did it, such as `documents.update`. */
  action: z.string(),
  subjectType: storedValue(auditSubjectTypes),
  subjectId: z.string(),
  /** Null without a key, and for the command line. */
  keyId: nullableText,
  /** As the caller said in `X-User-Id`, or of its token. */
  userId: nullableText,
  /** Of a token: who vouches for the user, and its name there. */
  userIssuer: nullableText,
  userName: nullableText,
  address: nullableText,
  requestId: nullableText,
  /**
   * What changed, as it was and as it became: small fields only. Beyond names and states, the values take the permission
   * to read the subject.
   */
  before: jsonRecord().nullable(),
  after: jsonRecord().nullable(),
});
export type AuditEvent = z.output<typeof auditEvent>;

export const auditFilter = z.object({
  scope: requiredTenantScope,
  ...pageParameters(50),
  action: filterValue().min(1).optional(),
  subjectId: identifier().optional(),
  keyId: identifier().optional(),
  userId: filterValue().min(1).optional(),
  /** From this time on. */
  since: timestamp().optional(),
  /** Before this time. */
  until: timestamp().optional(),
});
export type AuditFilter = z.output<typeof auditFilter>;
