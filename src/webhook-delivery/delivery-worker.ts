import { setTimeout as delay } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import type { Logger } from 'pino';
import type { Database, WebhookDeliveryTable, WebhookSubscriptionTable } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import { endWith } from '../tracing/spans.js';
import type { Tracing } from '../tracing/tracing.js';
import {
  type ClaimedDeliveries,
  claimDeliveries,
  findDueSubscriptions,
  MAX_CLAIMED,
  releaseDelivery,
  type SubscriptionKey,
} from './claim-deliveries.js';
import { saveOutcome } from './save-outcome.js';
import type { SendWebhook } from './send.js';

const POLL_MS = 250;
const OUTAGE_PAUSE_MS = 2_000;
/** Concurrent deliveries of this process. */
const MAX_IN_FLIGHT = 400;
/** Those of one tenant. Its webhooks do not count: they can be deleted while their deliveries hang. */
const MAX_OF_TENANT = 100;
/** Grace period for running deliveries at shutdown. */
const SHUTDOWN_GRACE_MS = 2_000;

export interface DeliveryWorkerDependencies {
  db: Database;
  send: SendWebhook;
  /** Told of each attempt. */
  observe?: (outcome: 'delivered' | 'failed', seconds: number) => void;
  tracing?: Tracing | undefined;
  clock: () => Date;
  log: Logger;
}

export interface DeliveryWorker {
  stop(): Promise<void>;
}

/**
 * Delivers the outbox, at least once. Several processes share the work; a delivery ends when its outcome is
 * saved, so nothing is lost in a crash.
 */
export function startDeliveryWorker(dependencies: DeliveryWorkerDependencies): DeliveryWorker {
  const { db, send, observe = () => {}, tracing, clock, log } = dependencies;
  const everywhere = unscoped(db, 'Finds due deliveries of all tenants.');
  const stopping = new AbortController();
  const aborting = new AbortController();
  const inFlight = new Set<Promise<void>>();
  /** Slots of each tenant, held by its deliveries and by claims that are under way. */
  const slots = new Map<string, number>();
  let isUnavailable = false;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look();
      await delay(isUnavailable ? OUTAGE_PAUSE_MS : POLL_MS, undefined, { signal: stopping.signal }).catch(
        () => {},
      );
    }
  }

  async function look(): Promise<void> {
    try {
      for (const subscription of await findDueSubscriptions(everywhere, clock(), MAX_IN_FLIGHT))
        await serve(subscription);
      isUnavailable = false;
    } catch (error) {
      if (!isUnavailable) warn(error);
      isUnavailable = true;
    }
  }

  /**
   * Starts due deliveries of a subscription; each one starts the next when it ends, so that a slow consumer
   * blocks no other.
   */
  async function serve(key: SubscriptionKey): Promise<void> {
    const { tenantId } = key;
    const limit = Math.min(
      MAX_CLAIMED,
      MAX_IN_FLIGHT - [...slots.values()].reduce((sum, count) => sum + count, 0),
      MAX_OF_TENANT - (slots.get(tenantId) ?? 0),
    );
    if (stopping.signal.aborted || limit <= 0) return;
    // Before the claim: several run at once.
    holdSlots(tenantId, limit);
    let claimed: ClaimedDeliveries | undefined;
    try {
      claimed = await claimDeliveries(db, key, clock(), limit);
    } finally {
      holdSlots(tenantId, (claimed?.deliveries.length ?? 0) - limit);
    }
    if (!claimed) return;
    const { subscription, deliveries } = claimed;
    for (const delivery of deliveries) {
      const one = traced(delivery, () => deliver(subscription, delivery))
        .finally(() => holdSlots(tenantId, -1))
        .then(() => serve(key))
        .catch(warn)
        .finally(() => inFlight.delete(one));
      inFlight.add(one);
    }
  }

  function holdSlots(tenantId: string, change: number): void {
    const count = (slots.get(tenantId) ?? 0) + change;
    if (count > 0) slots.set(tenantId, count);
    else slots.delete(tenantId);
  }

  const warn = (error: unknown) => log.warn({ err: error }, 'webhook deliveries failed; retrying');

  function traced(delivery: Selectable<WebhookDeliveryTable>, work: () => Promise<void>): Promise<void> {
    if (!tracing) return work();
    const { tenantId, eventType, eventId, attempts, traceparent } = delivery;
    const attributes = {
      'lectern.tenant_id': tenantId,
      'lectern.event_type': eventType,
      'lectern.event_id': eventId,
      'lectern.attempts': attempts,
    };
    const options = { kind: 'consumer' as const, parent: traceparent, attributes };
    return endWith(tracing.startTrace('deliver webhook', options), work);
  }

  async function deliver(
    subscription: Selectable<WebhookSubscriptionTable>,
    delivery: Selectable<WebhookDeliveryTable>,
  ): Promise<void> {
    const { eventId, payload } = delivery;
    const message = { url: subscription.url, secrets: secretsOf(subscription, clock()), eventId, payload };
    const startMs = performance.now();
    const outcome = await send(message, aborting.signal);
    if (!outcome) return releaseDelivery(db, delivery);
    observe(outcome.error ? 'failed' : 'delivered', (performance.now() - startMs) / 1000);
    if (outcome.error) {
      const { tenantId, subscriptionId } = delivery;
      log.debug({ tenantId, subscriptionId, eventId, reason: outcome.error }, 'webhook delivery failed');
    }
    await saveOutcome(db, delivery, outcome, clock());
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      const deadline = setTimeout(() => aborting.abort(), SHUTDOWN_GRACE_MS);
      await running;
      while (inFlight.size > 0) await Promise.all(inFlight);
      clearTimeout(deadline);
    },
  };
}

/** Both secrets sign during a rotation. */
function secretsOf(
  { secret, formerSecret, formerSecretUntil }: Selectable<WebhookSubscriptionTable>,
  now: Date,
): string[] {
  const isFormerValid = formerSecret !== null && formerSecretUntil !== null && formerSecretUntil > now;
  return isFormerValid ? [secret, formerSecret] : [secret];
}
