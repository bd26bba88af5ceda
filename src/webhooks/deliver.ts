import { setTimeout as delay } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import type { Logger } from 'pino';
import type { Database, WebhookDeliveryTable, WebhookSubscriptionTable } from '../../db/schema.js';
import { claimDeliveries, findDue, releaseDelivery, type SubscriptionKey } from './claim.js';
import { recordOutcome } from './record-outcome.js';
import type { Send } from './send.js';

const POLL_MS = 250;
const OUTAGE_PAUSE_MS = 2_000;
/** Consumers that are served at a time by this process; each has a turn to itself, so that slow ones hold up nobody. */
const MAX_TURNS = 100;
/** What is on its way when the server stops may take so long to end well. */
const STOP_MS = 5_000;

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
  const everywhere = db;
  const stopping = new AbortController();
  const breakingOff = new AbortController();
  const turns = new Map<string, Promise<void>>();
  let isAway = false;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look();
      await delay(isAway ? OUTAGE_PAUSE_MS : POLL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** Gives a turn to every consumer for whom there is something. */
  async function look(): Promise<void> {
    try {
      for (const subscription of await findDue(everywhere, clock(), MAX_TURNS)) {
        const { id } = subscription;
        if (turns.has(id) || turns.size >= MAX_TURNS) continue;
        const turn = serve(subscription).finally(() => turns.delete(id));
        turns.set(id, turn);
      }
      isAway = false;
    } catch (error) {
      if (!isAway) warn(error);
      isAway = true;
    }
  }

  async function serve(subscription: SubscriptionKey): Promise<void> {
    try {
      while (!stopping.signal.aborted) {
        const claimed = await claimDeliveries(db, subscription, clock());
        if (!claimed || claimed.deliveries.length === 0) return;
        await Promise.all(claimed.deliveries.map((one) => deliver(claimed.subscription, one).catch(warn)));
        // Others may be waiting for a turn; it comes back to this one.
        if (turns.size >= MAX_TURNS) return;
      }
    } catch (error) {
      warn(error);
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
    if (!outcome) return releaseDelivery(db, delivery, clock());
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
      await Promise.all(turns.values());
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
