import type { Model } from '../model/model.js';
import type { WebhookModel } from '../model/webhooks.js';
import type { Consumer, Receipt } from '../peers/consumer.js';
import type { Sql } from './database.js';

export interface EventCounts {
  /** Of all webhooks that are there in the end. */
  events: number;
  delivered: number;
  /** Sent more than once. */
  repeated: number;
}

interface Row {
  eventId: string;
  type: string;
  subjectId: string;
  attempts: number;
  isDelivered: boolean;
}

/** Whether every event was delivered, signed, in order, and is about something that has happened. */
export async function checkEvents(sql: Sql, model: Model, consumer: Consumer): Promise<EventCounts> {
  const counts = { events: 0, delivered: 0, repeated: 0 };
  const erased = new Set<string | undefined>(model.erasedUsers.map(({ conversationId }) => conversationId));
  for (const webhook of model.webhooks) {
    const { id, name, exists } = webhook;
    if (id === undefined || !exists.value || !exists.isCertain()) continue;
    const rows = await readRows(sql, id);
    const receipts = consumer.receipts(name);
    const fault = (what: string) => void model.faults.push(`${name}: ${what}`);
    counts.events += rows.length;
    for (const { eventId, type, isDelivered } of rows) {
      const receipt = receipts.get(eventId);
      if (!isDelivered) fault(`${type} ${eventId} is not delivered`);
      else if (!receipt) fault(`${type} ${eventId} counts as delivered and has never come`);
      else if (!receipt.isSigned) fault(`${type} ${eventId} had no valid signature`);
      if (!receipt) continue;
      counts.delivered++;
      if (receipt.times > 1) counts.repeated++;
    }
    const known = new Set(rows.map(({ eventId }) => eventId));
    for (const { eventId, type, conversationId } of receipts.values()) {
      // An erasure leaves only the event of the deletion.
      const isErased = type !== 'conversation.deleted' && erased.has(conversationId);
      if (!known.has(eventId) && !isErased) fault(`${type} ${eventId} has come and is not of the database`);
    }
    const bySubject = groupBySubject(rows);
    for (const [subject, events] of bySubject) checkOrder(subject, events, receipts, fault);
    if (webhook.isLasting) checkSubjects(webhook, model, bySubject, fault);
  }
  return counts;
}

/** Of one document or conversation they come first in the order in which they happened, unless one fails. */
function checkOrder(
  subject: string,
  events: Row[],
  receipts: Map<string, Receipt>,
  fault: (what: string) => void,
): void {
  if (events.some(({ attempts }) => attempts > 1)) return;
  const places = events.map(({ eventId }) => receipts.get(eventId)?.place ?? 0);
  if (places.some((place, index) => place < (places[index - 1] ?? 0))) {
    fault(`the events of ${subject} came in another order`);
  }
}

/** What was acknowledged has its events, and nothing has them twice. */
function checkSubjects(
  { tenantId }: WebhookModel,
  model: Model,
  bySubject: Map<string, Row[]>,
  fault: (what: string) => void,
): void {
  const count = (id: string, type: string) =>
    (bySubject.get(id) ?? []).filter((event) => event.type === type).length;
  const expect = (id: string, name: string, type: string, least: number, most = least) => {
    const found = count(id, type);
    if (found < least || found > most) fault(`${name} has ${found} events ${type}, not ${least} to ${most}`);
  };
  for (const { id, name, exists, ...document } of model.documents.values()) {
    if (document.tenantId !== tenantId || id === undefined) continue;
    const wasMade = count(id, 'document.created') > 0 || exists.value;
    expect(id, name, 'document.created', wasMade ? 1 : 0);
    expect(id, name, 'document.deleted', wasMade && !exists.value ? 1 : 0);
    if (!exists.value || document.isProcessing) continue;
    const last = bySubject.get(id)?.findLast(({ type }) => /ready|failed/.test(type))?.type;
    if (last !== 'document.ready') fault(`${name} is ready, and its last event is ${last}`);
  }
  for (const { id, firstTopic, exists, statusChanges, ...conversation } of model.conversations) {
    if (conversation.tenantId !== tenantId || id === undefined) continue;
    const { acknowledged, inDoubt } = statusChanges;
    expect(id, firstTopic, 'conversation.created', 1);
    expect(id, firstTopic, 'conversation.status_changed', acknowledged, acknowledged + inDoubt);
    expect(id, firstTopic, 'conversation.deleted', exists.value ? 0 : 1);
  }
}

function groupBySubject(rows: Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.subjectId, [...(groups.get(row.subjectId) ?? []), row]);
  return groups;
}

const readRows = (sql: Sql, subscriptionId: string): Promise<Row[]> =>
  sql.select<Row>(
    `select event_id as "eventId", event_type as type, subject_id as "subjectId", attempts,
       delivered_time is not null as "isDelivered"
     from webhook_deliveries where subscription_id = $1 order by sequence`,
    [subscriptionId],
  );
