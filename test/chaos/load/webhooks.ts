import { randomBytes } from 'node:crypto';
import { createRegister } from '../model/register.js';
import type { WebhookModel } from '../model/webhooks.js';
import type { Client } from './client-context.js';
import { outcomeOf } from './typed-calls.js';

const MANY = 2;
export const EVENT_TYPES = [
  ...(['document.created', 'document.ready', 'document.failed', 'document.deleted'] as const),
  ...(['conversation.created', 'conversation.status_changed', 'conversation.deleted'] as const),
];

export const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

type Subscriber = Pick<Client, 'lectern' | 'model' | 'tenantId' | 'consumer' | 'write'>;

/** Makes, rotates and deletes webhooks. */
export function createWebhookChanges(client: Client) {
  const { lectern, random, tenantId, name, write } = client;
  const own: WebhookModel[] = [];
  const scope = { tenantId };
  let made = 0;

  async function rotate(one: WebhookModel): Promise<void> {
    const secret = makeSecret();
    one.secrets.push(secret);
    const input = { scope, webhookId: one.id ?? '', secret };
    await write({
      what: `the rotation of ${one.name}`,
      send: (key) =>
        outcomeOf(lectern.trpc.webhooks.rotateSecret.mutate(input, { context: { idempotencyKey: key } })),
    });
  }

  async function remove(one: WebhookModel): Promise<void> {
    const input = { scope, webhookId: one.id ?? '' };
    await write({
      what: `the deletion of ${one.name}`,
      send: (key) =>
        outcomeOf(lectern.trpc.webhooks.delete.mutate(input, { context: { idempotencyKey: key } })),
      changes: [one.exists.change(false)],
    });
  }

  return {
    async change(): Promise<void> {
      const there = own.filter(({ id, exists }) => id !== undefined && exists.value && exists.isCertain());
      if (there.length < MANY) own.push(await subscribe(client, `${name}-webhook-${++made}`));
      else await (random.next() < 0.5 ? rotate : remove)(random.oneOf(there));
    },
  };
}

/** Subscribes to every event of the tenant. */
export async function subscribe(
  { lectern, model, tenantId, consumer, write }: Subscriber,
  name: string,
  { isLasting = false } = {},
): Promise<WebhookModel> {
  const secrets = [makeSecret()];
  const webhook: WebhookModel = {
    name,
    tenantId,
    id: undefined,
    secrets,
    isLasting,
    exists: createRegister(false),
  };
  consumer.secrets.set(name, secrets);
  model.webhooks.push(webhook);
  const input = {
    scope: { tenantId },
    url: consumer.addressOf(name),
    secret: secrets[0],
    eventTypes: [...EVENT_TYPES],
  };
  await write({
    what: `the creation of ${name}`,
    send: (key) =>
      outcomeOf(lectern.trpc.webhooks.create.mutate(input, { context: { idempotencyKey: key } })),
    changes: [webhook.exists.change(true)],
    onDone: ({ id }) => {
      webhook.id = id;
    },
    mustKnow: true,
  });
  return webhook;
}
