import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder, Selectable } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { Database, Schema, WebhookDeliveryTable } from '../../../db/schema.js';
import { whereDefined } from '../../../db/where-defined.js';
import { conflict, notFound } from '../../errors/errors.js';
import { testEventType } from '../../webhook-delivery/events.js';
import { auditWrites } from '../audit/audit.js';
import type { Actor } from '../shared/actor.js';
import { assertAtMost, offsetOf, type Page, toPage } from '../shared/pagination.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import { auditTargetOf, findWebhook, lockWebhook } from './rows.js';
import type { DeliveryFilter, Replay, ReplayResult, WebhookDelivery, WebhookRef } from './webhooks.schema.js';

export interface WebhookDeliveriesDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
  maxPageSize: number;
}

/** Deliveries of webhook events. */
export function createWebhookDeliveries({
  db,
  writeTransaction,
  clock,
  maxPageSize,
}: WebhookDeliveriesDependencies) {
  return { deliveries, replay, test };

  /** The latest first. */
  async function deliveries(filter: DeliveryFilter): Promise<Page<WebhookDelivery>> {
    assertAtMost(maxPageSize, filter.pageSize, 'pageSize');
    const { tenantId, id } = await findWebhook(db, filter);
    const matching = db
      .selectFrom('webhookDeliveries')
      .where('tenantId', '=', tenantId)
      .where('subscriptionId', '=', id)
      .$call(whereDefined(filter.state, (q, state) => q.where(hasState(state))));
    const [{ count }, rows] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      matching
        .selectAll()
        .orderBy('sequence', 'desc')
        .limit(filter.pageSize)
        .offset(offsetOf(filter))
        .execute(),
    ]);
    return toPage(filter, rows.map(toDelivery), count);
  }

  /** Redelivers events under the same id; pending ones are retried now. */
  async function replay(input: Replay, actor: Actor): Promise<ReplayResult> {
    const { scope, deliveryId, failedSince } = input;
    return writeTransaction({ scope, actor }, async (tx) => {
      const webhook = await lockWebhook(tx, input);
      const now = clock();
      const rows = await tx
        .updateTable('webhookDeliveries')
        .set({ attempts: 0, nextAttemptTime: now, deliveredTime: null, claim: null })
        .where('tenantId', '=', webhook.tenantId)
        .where('subscriptionId', '=', webhook.id)
        .$call(whereDefined(deliveryId, (q, id) => q.where('id', '=', id)))
        .$call(
          whereDefined(failedSince, (q, since) =>
            q
              .where('createdTime', '>=', since)
              .where('deliveredTime', 'is', null)
              .where('lastError', 'is not', null)
              .where('claim', 'is', null),
          ),
        )
        .returning('id')
        .execute();
      if (deliveryId !== undefined && rows.length === 0) throw notFound('Delivery', ['deliveryId']);
      const after = { deliveryId, failedSince, replayed: rows.length };
      await auditWrites(tx, webhook.tenantId, actor, [
        { ...auditTargetOf(webhook), action: 'webhooks.replay', after },
      ]);
      return { replayed: rows.length };
    });
  }

  /** Sends a `webhook.test` event. */
  async function test(ref: WebhookRef, actor: Actor): Promise<WebhookDelivery> {
    return writeTransaction({ scope: ref.scope, actor }, async (tx) => {
      const webhook = await lockWebhook(tx, ref);
      const { tenantId, id } = webhook;
      if (!webhook.enabled || webhook.pausedTime) throw conflict(NOT_SENDING, ['webhookId']);
      const now = clock();
      const eventId = randomUUID();
      const row = await tx
        .insertInto('webhookDeliveries')
        .values({
          id: uuid(),
          tenantId,
          subscriptionId: id,
          eventId,
          eventType: testEventType,
          subjectId: eventId,
          payload: JSON.stringify({
            type: testEventType,
            timestamp: now.toISOString(),
            data: { tenantId, webhookId: id },
          }),
          createdTime: now,
          nextAttemptTime: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await auditWrites(tx, tenantId, actor, [
        { ...auditTargetOf(webhook), action: 'webhooks.test', after: { eventId } },
      ]);
      return toDelivery(row);
    });
  }
}

const NOT_SENDING = 'This webhook is disabled or paused; enable or resume it first.';

const hasState = (state: WebhookDelivery['state']) => (eb: ExpressionBuilder<Schema, 'webhookDeliveries'>) =>
  eb.and([
    eb('nextAttemptTime', state === 'pending' ? 'is not' : 'is', null),
    eb('deliveredTime', state === 'delivered' ? 'is not' : 'is', null),
  ]);

const toDelivery = (row: Selectable<WebhookDeliveryTable>): WebhookDelivery => ({
  ...row,
  // Only events of known types are written.
  eventType: row.eventType as WebhookDelivery['eventType'],
  payload: JSON.parse(row.payload),
  state: stateOf(row),
});

function stateOf({ nextAttemptTime, deliveredTime }: Selectable<WebhookDeliveryTable>) {
  if (nextAttemptTime) return 'pending';
  return deliveredTime ? 'delivered' : 'failed';
}
