import { sql } from 'kysely';
import type { JobLane } from '../../../db/enums.js';
import { insertBatches } from '../../../db/insert-batches.js';
import type { Queryable } from '../../../db/schema.js';
import { currentTraceparent } from '../../tracing/spans.js';
import { SMALL_FILE_BYTES, TINY_FILE_BYTES } from '../limits/file-limits.js';

export interface DocumentKey {
  tenantId: string;
  documentId: string;
}

/** A document to be processed. */
export interface WaitingDocument {
  documentId: string;
  /** Of its source; null where that is elsewhere. */
  sizeBytes: number | null;
}

/** Where services ask for documents to be processed. All of it happens in the caller's transaction. */
export interface JobQueue {
  /** In their order. A job exists exactly if the change does. A waiting job is not doubled, and keeps its place. */
  enqueue(tx: Queryable, tenantId: string, documents: WaitingDocument[]): Promise<void>;
  /** Waiting jobs of a tenant are gone; those that a worker holds are not tried again. */
  remove(tx: Queryable, tenantId: string, documentIds: string[]): Promise<void>;
}

/** Where workers listen for new jobs. */
export const CHANNEL = 'processing_jobs';

/** Jobs in the table `processing_jobs`, in lanes by size. Of web pages and objects in buckets it is not known beforehand. */
export const jobQueue: JobQueue = {
  enqueue,
  async remove(tx, tenantId, documentIds) {
    await tx
      .deleteFrom('processingJobs')
      .where('tenantId', '=', tenantId)
      .where('documentId', 'in', documentIds)
      .execute();
  },
};

/** A leased job gets another sequence, so that the outcome its worker stores matches nothing. */
async function enqueue(tx: Queryable, tenantId: string, documents: WaitingDocument[]): Promise<void> {
  const traceparent = currentTraceparent();
  const rows = documents.map(({ documentId, sizeBytes }) => ({
    tenantId,
    documentId,
    lane: laneOf(sizeBytes),
    traceparent,
  }));
  for (const batch of insertBatches(rows)) {
    await tx
      .insertInto('processingJobs')
      .values(batch)
      .onConflict((conflict) =>
        conflict.columns(['tenantId', 'documentId']).doUpdateSet((eb) => ({
          lane: eb.ref('excluded.lane'),
          attempts: 0,
          outages: 0,
          deaths: 0,
          nextAttemptTime: null,
          traceparent: eb.ref('excluded.traceparent'),
          sequence: keptWhileWaiting('sequence'),
          queuedTime: keptWhileWaiting('queued_time'),
          leaseOwner: null,
          leaseExpiresTime: null,
        })),
      )
      .execute();
  }
  // A statement of its own: as a part of the other one it would have a cluster store intermediate results.
  await sql`select pg_notify(${CHANNEL}, '')`.execute(tx);
}

const keptWhileWaiting = <T>(column: string) =>
  sql<T>`case when processing_jobs.lease_owner is null then processing_jobs.${sql.ref(column)} else excluded.${sql.ref(column)} end`;

function laneOf(sizeBytes: number | null): JobLane {
  if (sizeBytes === null || sizeBytes > SMALL_FILE_BYTES) return 'large';
  return sizeBytes > TINY_FILE_BYTES ? 'small' : 'tiny';
}
