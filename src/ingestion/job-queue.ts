import type { Queryable } from '../../db/schema.js';

export interface DocumentKey {
  tenantId: string;
  documentId: string;
}

/** Where services leave word that a document's source is new. */
export interface JobQueue {
  /** In the caller's transaction: the job exists exactly if the change does. A waiting job is not doubled. */
  enqueue(tx: Queryable, document: DocumentKey): Promise<void>;
}
