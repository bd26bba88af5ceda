import { createHash } from 'node:crypto';
import type { ExpressionBuilder, ExpressionWrapper, Selectable, SqlBool } from 'kysely';
import type { Queryable, Schema, WebhookSubscriptionTable } from '../../db/schema.js';
import { forbidden, notFound } from '../errors.js';
import type { Actor } from './actor.js';
import { differenceOf, recordWrites } from './audit.js';
import type { Scope } from './scope.js';
import { unitOnRecord, unitsWithin } from './unit-lists.js';
import type { Webhook, WebhookRef } from './webhooks.schema.js';

export type WebhookRow = Selectable<WebhookSubscriptionTable>;
type TenantScope = Scope & { tenantId: string };

/** The condition that shows subscriptions of the scope's tenant that tell of nothing outside of its units. */
export const withinUnits =
  (scope: TenantScope) =>
  (
    eb: ExpressionBuilder<Schema, 'webhookSubscriptions'>,
  ): ExpressionWrapper<Schema, 'webhookSubscriptions', SqlBool> =>
    eb.and([eb('tenantId', '=', scope.tenantId), unitsWithin(scope)]);

/** Events do not tell datasets apart: whoever may not see all of them may not be told of any. */
export function assertAllDatasets({ datasetIds }: Scope): void {
  if (datasetIds) throw forbidden('This API key reaches some datasets only, so it may not manage webhooks.');
}

function selectWebhook(db: Queryable, { scope, webhookId }: WebhookRef) {
  assertAllDatasets(scope);
  return db
    .selectFrom('webhookSubscriptions')
    .selectAll()
    .where(withinUnits(scope))
    .where('id', '=', webhookId);
}

export async function findWebhook(db: Queryable, ref: WebhookRef): Promise<WebhookRow> {
  return selectWebhook(db, ref).executeTakeFirstOrThrow(missing);
}

/** A subscription that nobody else changes until the transaction ends. */
export async function lockWebhook(tx: Queryable, ref: WebhookRef): Promise<WebhookRow> {
  return selectWebhook(tx, ref).forNoKeyUpdate().executeTakeFirstOrThrow(missing);
}

export const toWebhook = ({ secret: _never, formerSecret: _told, ...row }: WebhookRow): Webhook => ({
  ...row,
  eventTypes: row.eventTypes as Webhook['eventTypes'],
});

/** Writes down what was done to a subscription. */
export const recordWebhook = (
  tx: Queryable,
  actor: Actor,
  action: string,
  { before, after }: { before?: WebhookRow; after?: WebhookRow },
): Promise<void> => {
  const row = (after ?? before) as WebhookRow;
  const [was, is] = [before && onRecord(before), after && onRecord(after)];
  const changes = was && is ? differenceOf(was, is) : { before: was, after: is };
  return recordWrites(tx, row.tenantId, actor, [{ ...entryOf(row), action, ...changes }]);
};

/** What entries about a subscription have in common. */
export const entryOf = ({ id, tenantUnitIds }: WebhookRow) => ({
  subject: { type: 'webhook' as const, id },
  tenantUnitId: unitOnRecord(tenantUnitIds),
});

/** Paths and queries of such addresses are often as good as passwords. */
const onRecord = (row: WebhookRow) => ({
  origin: new URL(row.url).origin,
  urlHash: createHash('sha256').update(row.url).digest('hex').slice(0, 16),
  eventTypes: row.eventTypes,
  tenantUnitIds: row.tenantUnitIds,
  description: row.description,
  enabled: row.enabled,
  paused: row.pausedTime !== null,
  formerSecretUntil: row.formerSecretUntil,
});

const missing = () => notFound('Webhook', ['webhookId']);
