import { createHash } from 'node:crypto';
import type { ExpressionBuilder, ExpressionWrapper, Selectable, SqlBool } from 'kysely';
import type { Queryable, Schema, WebhookSubscriptionTable } from '../../../db/schema.js';
import { forbidden, notFound } from '../../errors.js';
import { auditWrites, changedFields } from '../audit/audit.js';
import type { Actor } from '../shared/actor.js';
import type { TenantScope } from '../shared/tenant-scope.js';
import { auditedUnit, withinTenantUnits } from '../shared/tenant-units.js';
import type { Webhook, WebhookRef } from './webhooks.schema.js';

export type WebhookRow = Selectable<WebhookSubscriptionTable>;
type RequiredTenantScope = TenantScope & { tenantId: string };

/** The condition that shows subscriptions of the scope's tenant that tell of nothing outside of its units. */
export const withinWebhookScope =
  (scope: RequiredTenantScope) =>
  (
    eb: ExpressionBuilder<Schema, 'webhookSubscriptions'>,
  ): ExpressionWrapper<Schema, 'webhookSubscriptions', SqlBool> =>
    eb.and([eb('tenantId', '=', scope.tenantId), withinTenantUnits(scope)]);

/** Events do not tell datasets apart: whoever may not see all of them may not be told of any. */
export function assertNoDatasetRestriction({ datasetIds }: TenantScope): void {
  if (datasetIds) throw forbidden('This API key reaches some datasets only, so it may not manage webhooks.');
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

/** A subscription that nobody else changes until the transaction ends. */
export async function lockWebhook(tx: Queryable, ref: WebhookRef): Promise<WebhookRow> {
  return selectWebhook(tx, ref).forNoKeyUpdate().executeTakeFirstOrThrow(webhookNotFound);
}

export const toWebhook = ({ secret: _never, formerSecret: _told, ...row }: WebhookRow): Webhook => ({
  ...row,
  eventTypes: row.eventTypes as Webhook['eventTypes'],
});

/** Writes down what was done to a subscription. */
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

/** What entries about a subscription have in common. */
export const auditTargetOf = ({ id, tenantUnitIds }: WebhookRow) => ({
  subject: { type: 'webhook' as const, id },
  tenantUnitId: auditedUnit(tenantUnitIds),
});

/** Paths and queries of such addresses are often as good as passwords. */
const auditedFields = (row: WebhookRow) => ({
  origin: new URL(row.url).origin,
  urlHash: createHash('sha256').update(row.url).digest('hex').slice(0, 16),
  eventTypes: row.eventTypes,
  tenantUnitIds: row.tenantUnitIds,
  description: row.description,
  enabled: row.enabled,
  paused: row.pausedTime !== null,
  formerSecretUntil: row.formerSecretUntil,
});

const webhookNotFound = () => notFound('Webhook', ['webhookId']);
