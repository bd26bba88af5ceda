import { setTimeout as delay } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import type { Logger } from 'pino';
import type { Database, WebhookDeliveryTable, WebhookSubscriptionTable } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import {
  claimDeliveries,
  findDueSubscriptions,
  releaseDelivery,
  type SubscriptionKey,
} from './claim-deliveries.js';
import { saveOutcome } from './save-outcome.js';
import type { SendWebhook } from './send.js';

const POLL_MS = 250;
const OUTAGE_PAUSE_MS = 2_000;
/** Tries of this process at a time, most of them waiting for an answer. */
const MAX_IN_FLIGHT = 400;
/** What is on its way when the server stops may take so long to end well. */
const SHUTDOWN_GRACE_MS = 2_000;

export interface DeliveryWorkerDependencies {
  db: Database;
  send: SendWebhook;
  clock: () => Date;
  log: Logger;
}

export interface DeliveryWorker {
  stop(): Promise<void>;
}

/**
 * Delivers what the outbox holds, at least once, until it is stopped. Several processes share the work. Nothing is lost
 * with one of them: a delivery is over when its outcome is written down.
 */
export function startDeliveryWorker({ db, send, clock, log }: DeliveryWorkerDependencies): DeliveryWorker {
  const everywhere = unscoped(db, 'One loop finds what is to be delivered for all tenants.');
  const stopping = new AbortController();
  const aborting = new AbortController();
  const inFlight = new Set<Promise<void>>();
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

  /** Begins what a consumer may get now. Each end lets the next begin, so that one slow answer holds up no other. */
  async function serve(key: SubscriptionKey): Promise<void> {
    if (stopping.signal.aborted || inFlight.size >= MAX_IN_FLIGHT) return;
    const claimed = await claimDeliveries(db, key, clock());
    if (!claimed) return;
    for (const delivery of claimed.deliveries) {
      const one = deliver(claimed.subscription, delivery)
        .then(() => serve(key))
        .catch(warn)
        .finally(() => inFlight.delete(one));
      inFlight.add(one);
    }
  }

  const warn = (error: unknown) => log.warn({ err: error }, 'events cannot be delivered; they wait');

  async function deliver(
    subscription: Selectable<WebhookSubscriptionTable>,
    delivery: Selectable<WebhookDeliveryTable>,
  ): Promise<void> {
    const { eventId, payload } = delivery;
    const message = { url: subscription.url, secrets: secretsOf(subscription, clock()), eventId, payload };
    const outcome = await send(message, aborting.signal);
    if (!outcome) return releaseDelivery(db, delivery);
    if (outcome.error) {
      const { tenantId, subscriptionId } = delivery;
      log.debug({ tenantId, subscriptionId, eventId, reason: outcome.error }, 'an event was not delivered');
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

/** Both sign while one is replaced by the other. */
function secretsOf(
  { secret, formerSecret, formerSecretUntil }: Selectable<WebhookSubscriptionTable>,
  now: Date,
): string[] {
  const isFormerValid = formerSecret !== null && formerSecretUntil !== null && formerSecretUntil > now;
  return isFormerValid ? [secret, formerSecret] : [secret];
}
