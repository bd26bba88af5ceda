import type { Outputs } from '../../api/trpc';

export type Webhook = Outputs['webhooks']['get'];
export type EventType = Webhook['eventTypes'][number];
export type Delivery = Outputs['webhooks']['deliveries']['items'][number];

const everyEvent = {
  'document.created': true,
  'document.ready': true,
  'document.failed': true,
  'document.deleted': true,
  'conversation.created': true,
  'conversation.status_changed': true,
  'conversation.idle': true,
  'conversation.deleted': true,
  'message.created': true,
} satisfies Record<EventType, true>;

/** What a webhook can be told. */
export const eventTypes = Object.keys(everyEvent) as EventType[];
