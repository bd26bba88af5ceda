import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import { tenantFlag } from './job-flags.js';
import { enqueueInOrder } from './job-order.js';

export interface DocumentKey {
  tenantId: string;
  documentId: string;
}

/** Where services leave word that a document is to be processed. All of it happens in the caller's transaction. */
export interface JobQueue {
  /** The job exists exactly if the change does. A waiting job is not doubled, and keeps its place. */
  enqueue(tx: Queryable, document: DocumentKey): Promise<void>;
  /** The same for many documents of one tenant, in their order. Their rows must have been written. */
  enqueueAll(tx: Queryable, tenantId: string, documentIds: string[]): Promise<void>;
  /** A waiting job is gone; one that a worker holds is not tried again. */
  remove(tx: Queryable, document: DocumentKey): Promise<void>;
}

export const PROCESS_DOCUMENT = 'process_document';
export const MAX_ATTEMPTS = 5;

/** The queue takes no longer key. */
const MAX_KEY_LENGTH = 512;

/** Jobs in the same database, by graphile-worker. */
export const jobQueue: JobQueue = {
  enqueue: (tx, { tenantId, documentId }) => enqueueAll(tx, tenantId, [documentId]),
  enqueueAll,
  async remove(tx, document) {
    await sql`select drop_document_job(${document.tenantId}, ${keyOf(document)})`.execute(tx);
  },
};

async function enqueueAll(tx: Queryable, tenantId: string, documentIds: string[]): Promise<void> {
  await enqueueInOrder(tx, {
    tenantId,
    documentIds,
    keys: documentIds.map((documentId) => keyOf({ tenantId, documentId })),
    task: PROCESS_DOCUMENT,
    flag: tenantFlag(tenantId),
    attempts: MAX_ATTEMPTS,
  });
}

function keyOf({ tenantId, documentId }: DocumentKey): string {
  const key = JSON.stringify([tenantId, documentId]);
  return key.length <= MAX_KEY_LENGTH ? key : createHash('sha256').update(key).digest('hex');
}
