import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { compileOnce } from '../../db/compile-once.js';
import { knownValues } from '../../db/known-values.js';
import type { DocumentFailure, DocumentTable, Queryable } from '../../db/schema.js';
import { currentTraceparent } from '../tracing/spans.js';
import {
  type ConversationEventData,
  type DocumentEventData,
  type EventType,
  eventTypes,
  type MessageEventData,
} from './event-schemas.js';

export {
  type EventType,
  eventTypes,
  type MessageEventData,
} from './event-schemas.js';

/** The event types of a stored subscription; those that no longer exist are ignored. */
export const toEventTypes = (stored: string[]): EventType[] => knownValues(stored, eventTypes);

/** Sent on demand, to test a webhook. */
export const testEventType = 'webhook.test';

/** An event for webhook subscribers. */
export interface DomainEvent {
  type: EventType;
  tenantUnitId: string;
  /** Ids, names, states and errors, never content; `documentId` or `conversationId` is the subject. */
  data: DocumentEventData | ConversationEventData | MessageEventData;
  /** Of the span that it belongs to, if not the current one. */
  traceparent?: string | null;
}

/**
 * Writes events into the outbox for a tenant's subscribers, in the transaction of the change: sent if and
 * only if it commits.
 */
export async function emitEvents(tx: Queryable, tenantId: string, events: DomainEvent[]): Promise<void> {
  if (events.length === 0) return;
  const subscribed = await lockSubscribed(tx, tenantId, [...new Set(events.map(({ type }) => type))]);
  if (subscribed.length === 0) return;
  const timestamp = new Date().toISOString();
  const rows = events.map(({ type, tenantUnitId, data, traceparent }, place) => {
    const eventId = randomUUID();
    return {
      place,
      event_id: eventId,
      event_type: type,
      subject_id: 'documentId' in data ? data.documentId : data.conversationId,
      tenant_unit_id: tenantUnitId,
      traceparent: traceparent ?? currentTraceparent(),
      payload: JSON.stringify({ type, timestamp, data: { tenantId, tenantUnitId, ...data } }),
    };
  });
  await sql`
    insert into webhook_deliveries (id, tenant_id, subscription_id, event_id, event_type, subject_id, payload,
      traceparent, created_time, next_attempt_time)
    -- By the clock, and not by the start of the transaction, which may have waited for another one of the same subject.
    select gen_random_uuid()::text, ${tenantId}, s.id, e.event_id, e.event_type, e.subject_id, e.payload, e.traceparent,
      clock_timestamp(), clock_timestamp()
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as e (place int, event_id text, event_type text, subject_id text, tenant_unit_id text, payload text, traceparent text)
    join json_to_recordset(${JSON.stringify(subscribed)}::json) as s (id text, types text[], units text[])
      on e.event_type = any(s.types) and (s.units is null or e.tenant_unit_id = any(s.units))
    order by e.place
    -- There is none; but without it Citus copies the rows, which row-level security does not check.
    on conflict do nothing
  `.execute(tx);
}

/** The types of events that webhooks of a tenant subscribe to, of those asked for; webhooks that are disabled count, too. */
export async function findSubscribedTypes(
  tx: Queryable,
  tenantId: string,
  types: EventType[],
): Promise<Set<string>> {
  const rows = await selectSubscribedTypes({ tenantId, types }, tx);
  return new Set(rows.flatMap((row) => row.types));
}

const selectSubscribedTypes = compileOnce(
  ({ tenantId, types }: { tenantId: string; types: EventType[] }, db) =>
    sql<{ types: string[] }>`
    select event_types as types from webhook_subscriptions
    where tenant_id = ${tenantId} and event_types && ${types}::text[]
  `.compile(db),
);

interface Subscribed {
  id: string;
  types: string[];
  units: string[] | null;
}

/** Locked, as the foreign key will lock it: one that is being deleted at the moment is waited for, and left out. */
async function lockSubscribed(tx: Queryable, tenantId: string, types: EventType[]): Promise<Subscribed[]> {
  const { rows } = await sql<Subscribed>`
    select id, event_types as types, tenant_unit_ids as units from webhook_subscriptions
    where tenant_id = ${tenantId} and enabled and event_types && ${types}::text[]
    for key share
  `.execute(tx);
  return rows;
}

/** The document columns in an event. */
export const documentEventColumns = [
  'tenantId',
  'tenantUnitId',
  'id',
  'externalId',
  'documentName',
  'status',
  'chunkCount',
  'error',
] as const;
export type DocumentEventSource = Pick<Selectable<DocumentTable>, (typeof documentEventColumns)[number]>;

/** The event of a document; `document.failed` has the error, too. */
export function toDocumentEvent(
  type: EventType & `document.${string}`,
  document: DocumentEventSource,
): DomainEvent {
  const { id: documentId, externalId, documentName, status, chunkCount, tenantUnitId } = document;
  return {
    type,
    tenantUnitId,
    data: {
      documentId,
      externalId,
      documentName,
      status,
      chunkCount,
      ...(type === 'document.failed' && document.error && { error: describeFailure(document.error) }),
    },
  };
}

const describeFailure = ({ code, stage, message }: DocumentFailure) => ({ code, stage, message });
