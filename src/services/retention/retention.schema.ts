import { z } from 'zod';
import { runStatuses } from '../../../db/enums.js';
import { runStatus } from '../conversations/conversations.schema.js';
import { labelIds } from '../labels/labels.schema.js';
import { boundedArray, identifier, nullableText, storedValue } from '../shared/fields.schema.js';
import { requiredTenantScope } from '../shared/tenant-scope.js';

/** Of a tenant. */
export const MAX_RETENTION_RULES = 100;
const MAX_KEEP_DAYS = 36_500;

export const retentionRule = z.object({
  id: z.string(),
  /** Null: of all agents. */
  agentId: nullableText,
  /** Null: any. */
  statuses: z.array(storedValue(runStatuses)).nullable(),
  /** Ids of labels: a conversation with any of them is kept. */
  exemptLabels: z.array(z.string()),
  keepDays: z.int(),
  createdTime: z.date(),
  createdBy: nullableText,
  updatedTime: z.date(),
  updatedBy: nullableText,
});
export type RetentionRule = z.output<typeof retentionRule>;

export const retentionScope = z.object({ scope: requiredTenantScope });
export type RetentionScope = z.output<typeof retentionScope>;

const agentId = identifier().nullable();
const statuses = boundedArray(runStatus, runStatuses.length, 1).nullable();
/** After the last message; of a conversation without one, after its creation. */
const keepDays = z.int().min(1).max(MAX_KEEP_DAYS);

export const newRetentionRule = retentionScope.extend({
  agentId: agentId.default(null),
  statuses: statuses.default(null),
  exemptLabels: labelIds.default([]),
  keepDays,
});
export type NewRetentionRule = z.output<typeof newRetentionRule>;

export const retentionRuleRef = retentionScope.extend({ ruleId: identifier() });
export type RetentionRuleRef = z.output<typeof retentionRuleRef>;

export const retentionRuleChanges = retentionRuleRef.extend({
  agentId: agentId.optional(),
  statuses: statuses.optional(),
  exemptLabels: labelIds.optional(),
  keepDays: keepDays.optional(),
});
export type RetentionRuleChanges = z.output<typeof retentionRuleChanges>;

export const retentionPreview = z.object({
  /** Conversations that the rule would delete now. */
  count: z.int(),
  /** Whether there may be more: only the oldest conversations are looked at. */
  isLowerBound: z.boolean(),
});
export type RetentionPreview = z.output<typeof retentionPreview>;
