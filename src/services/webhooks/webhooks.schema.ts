import { z } from 'zod';
import { eventTypes, testEventType } from '../../webhook-delivery/events.js';
import {
  boundedArray,
  identifier,
  jsonRecord,
  nonEmptyText,
  nullableText,
  storedValue,
  text,
  timestamp,
  valueOrArray,
} from '../shared/fields.schema.js';
import { pageParameters } from '../shared/pagination.js';
import { strictTenantScope } from '../shared/tenant-scope.js';
import { isWebhookSecret } from './secret.js';

const MAX_URL_LENGTH = 2_048;
const MAX_DESCRIPTION_LENGTH = 1_000;
const MAX_UNITS = 1_000;
const MAX_SECRET_LENGTH = 128;
const DAY_SECONDS = 86_400;
const MAX_OVERLAP_SECONDS = 7 * DAY_SECONDS;

const wantedEvents = boundedArray(z.enum(eventTypes), eventTypes.length, 1).transform((types) => [
  ...new Set(types),
]);
const url = nonEmptyText(MAX_URL_LENGTH);
const description = text(MAX_DESCRIPTION_LENGTH).nullable();
const secret = z
  .string()
  .max(MAX_SECRET_LENGTH)
  .refine(isWebhookSecret, 'must be whsec_ and the Base64 of 24 to 64 bytes; leave it out to have one made');

export const webhook = z.object({
  id: z.string(),
  tenantId: z.string(),
  /** Events of these units alone; of all units where null. */
  tenantUnitIds: z.array(z.string()).nullable(),
  url: z.string(),
  description: nullableText,
  eventTypes: z.array(z.enum(eventTypes)),
  enabled: z.boolean(),
  /** Consecutive failed attempts. */
  failures: z.int(),
  /**
   * When the subscription was paused after too many failures. It is probed once an hour; a success resumes
   * it.
   */
  pausedTime: z.date().nullable(),
  /** No deliveries before this time (Retry-After or backoff). */
  heldUntil: z.date().nullable(),
  /** Until when the former secret also signs. */
  formerSecretUntil: z.date().nullable(),
  createdTime: z.date(),
  updatedTime: z.date(),
  createdBy: nullableText,
});
export type Webhook = z.output<typeof webhook>;

/** The secret is returned only when it is created. */
export const webhookWithSecret = webhook.extend({ secret: z.string() });
export type WebhookWithSecret = z.output<typeof webhookWithSecret>;

export const newWebhook = z.strictObject({
  /** The units are those whose events are sent; all where none is named. */
  scope: z.strictObject({
    tenantId: identifier(),
    tenantUnitId: valueOrArray(identifier(), MAX_UNITS, 1).optional(),
  }),
  url,
  eventTypes: wantedEvents,
  description: description.default(null),
  secret: secret.optional(),
});
export type NewWebhook = z.output<typeof newWebhook>;

export const webhookFilter = z.strictObject({ scope: strictTenantScope });
export type WebhookFilter = z.output<typeof webhookFilter>;

export const webhookRef = z.strictObject({ scope: strictTenantScope, webhookId: identifier() });
export type WebhookRef = z.output<typeof webhookRef>;

export const webhookChanges = webhookRef.extend({
  url: url.optional(),
  eventTypes: wantedEvents.optional(),
  description: description.optional(),
  enabled: z.boolean().optional(),
});
export type WebhookChanges = z.output<typeof webhookChanges>;

export const secretRotation = webhookRef.extend({
  secret: secret.optional(),
  /** How long both secrets sign; 0 if the old one is compromised. */
  overlapSeconds: z.int().min(0).max(MAX_OVERLAP_SECONDS).default(DAY_SECONDS),
});
export type SecretRotation = z.output<typeof secretRotation>;

const deliveryStates = ['pending', 'delivered', 'failed'] as const;

export const webhookDelivery = z.object({
  id: z.string(),
  /** The `webhook-id` header; the same for all attempts and replays. */
  eventId: z.string(),
  eventType: storedValue([...eventTypes, testEventType]),
  payload: jsonRecord(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  createdTime: z.date(),
  nextAttemptTime: z.date().nullable(),
  deliveredTime: z.date().nullable(),
  /** The HTTP status of the last answer. */
  lastStatus: z.int().nullable(),
  lastError: nullableText,
});
export type WebhookDelivery = z.output<typeof webhookDelivery>;

export const deliveryFilter = webhookRef.extend({
  ...pageParameters(20),
  state: z.enum(deliveryStates).optional(),
});
export type DeliveryFilter = z.output<typeof deliveryFilter>;

/** One delivery, or all failed ones since a time. */
export const replay = webhookRef
  .extend({
    deliveryId: identifier().optional(),
    failedSince: timestamp().optional(),
  })
  .refine(
    ({ deliveryId, failedSince }) => (deliveryId === undefined) !== (failedSince === undefined),
    'give either deliveryId or failedSince',
  );
export type Replay = z.output<typeof replay>;

export const replayResult = z.object({ replayed: z.int() });
export type ReplayResult = z.output<typeof replayResult>;
