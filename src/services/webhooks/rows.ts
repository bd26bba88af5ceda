import { createHash } from 'node:crypto';
import type { ExpressionBuilder, ExpressionWrapper, Selectable, SqlBool } from 'kysely';
import type { Queryable, Schema, WebhookSubscriptionTable } from '../../../db/schema.js';
import { forbidden, notFound } from '../../errors/errors.js';
import { toEventTypes } from '../../webhook-delivery/events.js';
import { auditWrites, changedFields } from '../audit/audit.js';
import type { Actor } from '../shared/actor.js';
import type { TenantScope } from '../shared/tenant-scope.js';
import { auditedUnit, withinTenantUnits } from '../shared/tenant-units.js';
import type { Webhook, WebhookRef } from './webhooks.schema.js';

export type WebhookRow = Selectable<WebhookSubscriptionTable>;
type RequiredTenantScope = TenantScope & { tenantId: string };

/** Condition: subscriptions of the tenant whose units are within the scope. */
export const withinWebhookScope =
  (scope: RequiredTenantScope) =>
  (
    eb: ExpressionBuilder<Schema, 'webhookSubscriptions'>,
  ): ExpressionWrapper<Schema, 'webhookSubscriptions', SqlBool> =>
    eb.and([eb('tenantId', '=', scope.tenantId), withinTenantUnits(scope)]);

/** Events are not filtered by dataset, so keys restricted to datasets may not manage webhooks. */
export function assertNoDatasetRestriction({ datasetIds }: TenantScope): void {
  if (datasetIds)
    throw forbidden('This API key is restricted to some datasets, so it may not manage webhooks.');
}

function selectWebhook(db: Queryable, { scope, webhookId }: WebhookRef) {
  assertNoDatasetRestriction(scope);
  return db
    .selectFrom('webhookSubscriptions')
    .selectAll()
    .where(withinWebhookScope(scope))
    .where('id', '=', webhookId);
}

export async function findWebhook(db: Queryable, ref: WebhookRef): Promise<WebhookRow> {
  return selectWebhook(db, ref).executeTakeFirstOrThrow(webhookNotFound);
}

/** Selects a subscription for update. */
export async function lockWebhook(tx: Queryable, ref: WebhookRef): Promise<WebhookRow> {
  return selectWebhook(tx, ref).forNoKeyUpdate().executeTakeFirstOrThrow(webhookNotFound);
}

export const toWebhook = ({ secret: _never, formerSecret: _told, ...row }: WebhookRow): Webhook => ({
  ...row,
  eventTypes: toEventTypes(row.eventTypes),
});

/** Audits a change of a subscription. */
export const auditWebhook = (
  tx: Queryable,
  actor: Actor,
  action: string,
  { before, after }: { before?: WebhookRow; after?: WebhookRow },
): Promise<void> => {
  const row = (after ?? before) as WebhookRow;
  const [was, is] = [before && auditedFields(before), after && auditedFields(after)];
  const changes = was && is ? changedFields(was, is) : { before: was, after: is };
  return auditWrites(tx, row.tenantId, actor, [{ ...auditTargetOf(row), action, ...changes }]);
};

/** The target of audit entries about a subscription. */
export const auditTargetOf = ({ id, tenantUnitIds }: WebhookRow) => ({
  subject: { type: 'webhook' as const, id },
  tenantUnitId: auditedUnit(tenantUnitIds),
});

/** Paths and queries of webhook URLs often contain secrets. */
const auditedFields = (row: WebhookRow) => ({
  origin: new URL(row.url).origin,
  urlHash: createHash('sha256').update(row.url).digest('hex').slice(0, 16),
  eventTypes: toEventTypes(row.eventTypes),
  tenantUnitIds: row.tenantUnitIds,
  description: row.description,
  enabled: row.enabled,
  paused: row.pausedTime !== null,
  formerSecretUntil: row.formerSecretUntil,
});

const webhookNotFound = () => notFound('Webhook', ['webhookId']);
