import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { RetentionRuleTable } from '../../../db/schema.js';
import { type TenantConditions, toConditions } from '../shared/lists/list-filter.js';

const DAY_MS = 86_400_000;

export type RetentionFilter = Pick<
  RetentionRuleTable,
  'tenantId' | 'agentId' | 'statuses' | 'exemptLabels' | 'keepDays'
>;

/** What a rule may delete, as a filter of the list: conversations that were created so long ago. */
export const toOldConversations = (rule: RetentionFilter, now: Date): TenantConditions =>
  toConditions({
    list: 'conversations' as const,
    tenantId: rule.tenantId,
    agentId: rule.agentId ?? undefined,
    statuses: rule.statuses ?? undefined,
    createdBefore: cutoffOf(rule, now),
  });

/** Condition on these: no message since, no label that exempts, and no legal hold. */
export const isExpired = (rule: RetentionFilter, now: Date): RawBuilder<SqlBool> => sql<SqlBool>`
  conversations.legal_hold_time is null and not conversations.labels && ${rule.exemptLabels}::text[]
    and not exists (
      select from messages as m
      where m.tenant_id = ${rule.tenantId} and m.conversation_id = conversations.id
        and m.requested_time >= ${cutoffOf(rule, now)})`;

const cutoffOf = ({ keepDays }: RetentionFilter, now: Date): Date =>
  new Date(now.getTime() - keepDays * DAY_MS);
