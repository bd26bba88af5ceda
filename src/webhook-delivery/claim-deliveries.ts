import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Database, Queryable, WebhookDeliveryTable, WebhookSubscriptionTable } from '../../db/schema.js';
import { tenantTransaction } from '../../db/tenant-isolation/tenant-transaction.js';
import { DELIVERY_TIMEOUT_MS } from './send.js';

/** Concurrent deliveries per subscription, across processes. */
export const MAX_CLAIMED = 4;
/** How many due deliveries are considered for idle subjects. */
const CANDIDATE_LIMIT = 100;
/** Lease, longer than the delivery timeout: deliveries of a crashed process become due again. */
const LEASE_MS = 2 * DELIVERY_TIMEOUT_MS;

export interface SubscriptionKey {
  tenantId: string;
  id: string;
}

export interface ClaimedDeliveries {
  subscription: Selectable<WebhookSubscriptionTable>;
  deliveries: Selectable<WebhookDeliveryTable>[];
}

/** Subscriptions of all tenants with due deliveries, in random order for fairness. */
export async function findDueSubscriptions(
  db: Database,
  now: Date,
  limit: number,
): Promise<SubscriptionKey[]> {
  const { rows } = await sql<SubscriptionKey>`
    select s.tenant_id, s.id
    from webhook_subscriptions as s
    where s.enabled and (s.held_until is null or s.held_until <= ${now})
      and exists (
        select from webhook_deliveries as d where d.subscription_id = s.id and d.next_attempt_time <= ${now})
    order by random()
    limit ${limit}
  `.execute(db);
  return rows;
}

/**
 * Claims the next deliveries of a subscription, at most `limit`. Deliveries of a subject are sent in order until their first
 * attempt; retries block nothing. A failing consumer gets one at a time.
 */
export function claimDeliveries(
  db: Database,
  { tenantId, id }: SubscriptionKey,
  now: Date,
  limit: number,
): Promise<ClaimedDeliveries | undefined> {
  return tenantTransaction(db, tenantId, async (tx) => {
    // Row lock: serializes claims of a subscription. Events can still be added.
    const subscription = await tx
      .selectFrom('webhookSubscriptions')
      .selectAll()
      .where('tenantId', '=', tenantId)
      .where('id', '=', id)
      .where('enabled', '=', true)
      .where((eb) => eb.or([eb('heldUntil', 'is', null), eb('heldUntil', '<=', now)]))
      .forNoKeyUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!subscription) return undefined;
    await releaseExpired(tx, { tenantId, id }, now);
    const { rows: deliveries } = await sql<Selectable<WebhookDeliveryTable>>`
      with in_flight as (
        select subject_id, attempts
        from webhook_deliveries
        where tenant_id = ${tenantId} and subscription_id = ${id} and claim is not null and next_attempt_time > ${now}
      ), due as (
        select id, subject_id, sequence, next_attempt_time
        from webhook_deliveries
        where tenant_id = ${tenantId} and subscription_id = ${id} and next_attempt_time <= ${now}
          and subject_id <> all(array(select subject_id from in_flight where attempts = 0))
        order by next_attempt_time, sequence
        limit ${CANDIDATE_LIMIT}
      ), first_of_subject as (
        select distinct on (subject_id) id, sequence, next_attempt_time from due order by subject_id, sequence
      )
      update webhook_deliveries
      set claim = ${randomUUID()}, next_attempt_time = ${new Date(now.getTime() + LEASE_MS)}
      -- Arrays rather than joins: the time does not depend on statistics, which lag behind a queue. An anti-join took
      -- two seconds for 2,000 rows.
      where tenant_id = ${tenantId} and id = any(array(
        select id from first_of_subject
        order by next_attempt_time, sequence
        limit least(${limit}, greatest(${subscription.failures > 0 ? 1 : MAX_CLAIMED} - (select count(*) from in_flight), 0))))
      returning *
    `.execute(tx);
    return { subscription, deliveries: deliveries.sort((a, b) => a.sequence - b.sequence) };
  });
}

/**
 * First attempts of crashed processes get their positions in the queue back: behind a hundred others, later events of the
 * same subject would be sent first.
 */
async function releaseExpired(tx: Queryable, { tenantId, id }: SubscriptionKey, now: Date): Promise<void> {
  await tx
    .updateTable('webhookDeliveries')
    .set((eb) => ({ claim: null, nextAttemptTime: eb.ref('createdTime') }))
    .where('tenantId', '=', tenantId)
    .where('subscriptionId', '=', id)
    .where('claim', 'is not', null)
    .where('nextAttemptTime', '<=', now)
    .where('attempts', '=', 0)
    .execute();
}

/** Releases a delivery with unknown outcome; it keeps its position in the queue. */
export async function releaseDelivery(
  db: Database,
  { tenantId, id, claim, createdTime }: Selectable<WebhookDeliveryTable>,
): Promise<void> {
  await db
    .updateTable('webhookDeliveries')
    .set({ claim: null, nextAttemptTime: createdTime })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('claim', '=', claim)
    .execute();
}
