import { z } from 'zod';
import { identifier, nullableText } from '../shared/fields.schema.js';
import { pageParameters } from '../shared/pagination.js';
import { requiredTenantScope } from '../shared/tenant-scope.js';

/** How many of each were removed, or made to name nobody. */
export const erased = z.object({
  conversations: z.int(),
  messages: z.int(),
  feedback: z.int(),
  judgedQuestions: z.int(),
  webhookDeliveries: z.int(),
  idempotentResults: z.int(),
  /** Rows that named the user as their author, editor or the like. */
  names: z.int(),
  auditEvents: z.int(),
});
export type Erased = z.output<typeof erased>;

export const erasure = z.object({
  id: z.string(),
  /** What the audit log has in place of the user id. */
  pseudonym: z.string(),
  createdTime: z.date(),
  createdBy: nullableText,
  /** Null while it goes on. */
  finishedTime: z.date().nullable(),
  erased,
  /** Conversations of the user, and rows in conversations of others, that stay because of a legal hold. */
  held: z.int(),
});
export type Erasure = z.output<typeof erasure>;

export const newErasure = z.object({ scope: requiredTenantScope, userId: identifier() });
export type NewErasure = z.output<typeof newErasure>;

export const erasureFilter = z.object({ scope: requiredTenantScope, ...pageParameters(20) });
export type ErasureFilter = z.output<typeof erasureFilter>;

export const erasureRef = z.object({ scope: requiredTenantScope, erasureId: identifier() });
export type ErasureRef = z.output<typeof erasureRef>;
