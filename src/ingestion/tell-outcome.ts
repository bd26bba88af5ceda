import type { Queryable } from '../../db/schema.js';
import { documentEvent, emitEvents, type ToldDocument } from '../events.js';

/** Tells subscribers how processing ended, in the transaction that says so in the document. */
export async function tellOutcome(tx: Queryable, document: ToldDocument): Promise<void> {
  const type = document.status === 'ready' ? 'document.ready' : 'document.failed';
  await emitEvents(tx, document.tenantId, [documentEvent(type, document)]);
}
