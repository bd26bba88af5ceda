import type { Selectable } from 'kysely';
import type { Database, WebhookDeliveryTable } from '../../db/schema.js';
import { tenantTransaction } from '../../db/tenant-isolation/tenant-transaction.js';
import { afterFailure, afterSuccess, nextAttemptTime } from './retry-policy.js';
import type { DeliveryOutcome } from './send.js';

/**
 * Saves the outcome of an attempt and updates the subscription. Ignored if the lease expired and another
 * attempt started.
 */
export async function saveOutcome(
  db: Database,
  delivery: Selectable<WebhookDeliveryTable>,
  outcome: DeliveryOutcome,
  now: Date,
): Promise<void> {
  const attempts = delivery.attempts + 1;
  const isDelivered = outcome.error === null;
  await tenantTransaction(db, delivery.tenantId, async (tx) => {
    // Lock the subscription first, to avoid deadlocks.
    const before = await tx
      .selectFrom('webhookSubscriptions')
      .select(['enabled', 'failures', 'pausedTime', 'heldUntil'])
      .where('tenantId', '=', delivery.tenantId)
      .where('id', '=', delivery.subscriptionId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!before) return;
    const { numUpdatedRows } = await tx
      .updateTable('webhookDeliveries')
      .set({
        attempts,
        claim: null,
        nextAttemptTime: isDelivered ? null : nextAttemptTime(attempts, outcome, now),
        deliveredTime: isDelivered ? now : null,
        lastStatus: outcome.status,
        lastError: outcome.error,
      })
      .where('tenantId', '=', delivery.tenantId)
      .where('id', '=', delivery.id)
      .where('claim', '=', delivery.claim)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    if (isDelivered && before.failures === 0 && !before.pausedTime) return;
    await tx
      .updateTable('webhookSubscriptions')
      .set(isDelivered ? afterSuccess(before) : afterFailure(before, outcome, now))
      .where('tenantId', '=', delivery.tenantId)
      .where('id', '=', delivery.subscriptionId)
      .execute();
  });
}
