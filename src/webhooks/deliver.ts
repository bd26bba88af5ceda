import { setTimeout as delay } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import type { Logger } from 'pino';
import type { Database, WebhookDeliveryTable, WebhookSubscriptionTable } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-wall/unscoped.js';
import { claimDeliveries, findDue, releaseDelivery, type SubscriptionKey } from './claim.js';
import { recordOutcome } from './record-outcome.js';
import type { Send } from './send.js';

const POLL_MS = 250;
const OUTAGE_PAUSE_MS = 2_000;
/** Tries of this process at a time, most of them waiting for an answer. */
const MAX_UNDER_WAY = 400;
/** What is on its way when the server stops may take so long to end well. */
const STOP_MS = 2_000;

export interface DeliverDependencies {
  db: Database;
  send: Send;
  clock: () => Date;
  log: Logger;
}

export interface Deliveries {
  stop(): Promise<void>;
}

/**
 * Delivers what the outbox holds, at least once, until it is stopped. Several processes share the work. Nothing is lost
 * with one of them: a delivery is over when its outcome is written down.
 */
export function startDeliveries({ db, send, clock, log }: DeliverDependencies): Deliveries {
  const everywhere = unscoped(db, 'One loop finds what is to be delivered for all tenants.');
  const stopping = new AbortController();
  const breakingOff = new AbortController();
  const underWay = new Set<Promise<void>>();
  let isAway = false;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look();
      await delay(isAway ? OUTAGE_PAUSE_MS : POLL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  async function look(): Promise<void> {
    try {
      for (const subscription of await findDue(everywhere, clock(), MAX_UNDER_WAY)) await serve(subscription);
      isAway = false;
    } catch (error) {
      if (!isAway) warn(error);
      isAway = true;
    }
  }

  /** Begins what a consumer may get now. Each end lets the next begin, so that one slow answer holds up no other. */
  async function serve(key: SubscriptionKey): Promise<void> {
    if (stopping.signal.aborted || underWay.size >= MAX_UNDER_WAY) return;
    const claimed = await claimDeliveries(db, key, clock());
    if (!claimed) return;
    for (const delivery of claimed.deliveries) {
      const one = deliver(claimed.subscription, delivery)
        .then(() => serve(key))
        .catch(warn)
        .finally(() => underWay.delete(one));
      underWay.add(one);
    }
  }

  const warn = (error: unknown) => log.warn({ err: error }, 'events cannot be delivered; they wait');

  async function deliver(
    subscription: Selectable<WebhookSubscriptionTable>,
    delivery: Selectable<WebhookDeliveryTable>,
  ): Promise<void> {
    const { eventId, payload } = delivery;
    const message = { url: subscription.url, secrets: secretsOf(subscription, clock()), eventId, payload };
    const outcome = await send(message, breakingOff.signal);
    if (!outcome) return releaseDelivery(db, delivery);
    if (outcome.error) {
      const { tenantId, subscriptionId } = delivery;
      log.debug({ tenantId, subscriptionId, eventId, reason: outcome.error }, 'an event was not delivered');
    }
    await recordOutcome(db, delivery, outcome, clock());
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      const deadline = setTimeout(() => breakingOff.abort(), STOP_MS);
      await running;
      while (underWay.size > 0) await Promise.all(underWay);
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
