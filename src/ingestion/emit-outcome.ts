import type { Queryable } from '../../db/schema.js';
import { type DocumentEventSource, emitEvents, toDocumentEvent } from '../webhook-delivery/events.js';

/** Emits `document.ready` or `document.failed` in the transaction that sets the status. */
export async function emitDocumentOutcome(tx: Queryable, document: DocumentEventSource): Promise<void> {
  const type = document.status === 'ready' ? 'document.ready' : 'document.failed';
  await emitEvents(tx, document.tenantId, [toDocumentEvent(type, document)]);
}
