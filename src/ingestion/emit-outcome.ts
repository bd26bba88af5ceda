import type { Queryable } from '../../db/schema.js';
import { type DocumentEventSource, emitEvents, toDocumentEvent } from '../webhooks/events.js';

/** Tells subscribers how processing ended, in the transaction that says so in the document. */
export async function emitDocumentOutcome(tx: Queryable, document: DocumentEventSource): Promise<void> {
  const type = document.status === 'ready' ? 'document.ready' : 'document.failed';
  await emitEvents(tx, document.tenantId, [toDocumentEvent(type, document)]);
}
