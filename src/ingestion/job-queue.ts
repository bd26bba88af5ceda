import { sql } from 'kysely';
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

export const PROCESS_DOCUMENT = 'process_document';
export const MAX_ATTEMPTS = 5;

/** Jobs in the same database, by graphile-worker. */
export const jobQueue: JobQueue = {
  async enqueue(tx, { tenantId, documentId }) {
    const key = JSON.stringify([tenantId, documentId]);
    await sql`
      select graphile_worker.add_job(
        ${PROCESS_DOCUMENT},
        json_build_object('tenantId', ${tenantId}::text, 'documentId', ${documentId}::text),
        job_key := ${key},
        max_attempts := ${MAX_ATTEMPTS}
      )
    `.execute(tx);
  },
};
