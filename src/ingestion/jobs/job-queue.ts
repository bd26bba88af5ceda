import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import { firstPriority, withinRange } from './job-order.js';

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

/** Marks the jobs of a tenant, so that a worker can pass over them. */
export const tenantFlag = (tenantId: string): string => `tenant:${tenantId}`;

/** The queue takes no longer key. */
const MAX_KEY_LENGTH = 512;

/** Jobs in the same database, by graphile-worker. */
export const jobQueue: JobQueue = {
  enqueue: (tx, { tenantId, documentId }) => enqueueAll(tx, tenantId, [documentId]),
  enqueueAll,
  async remove(tx, document) {
    await sql`select graphile_worker.remove_job(${keyOf(document)})`.execute(tx);
  },
};

async function enqueueAll(tx: Queryable, tenantId: string, documentIds: string[]): Promise<void> {
  const keys = documentIds.map((documentId) => keyOf({ tenantId, documentId }));
  const priority = sql`coalesce(waiting.priority, ${withinRange(sql`first.priority + place - 1`)})`;
  await sql`
    with first as materialized (${firstPriority(tenantId, documentIds.length)})
    select count(*) from graphile_worker.add_jobs(array(
      select row(
        ${PROCESS_DOCUMENT},
        json_build_object('tenantId', ${tenantId}::text, 'documentId', document_id),
        null, null, ${MAX_ATTEMPTS}, given.key, ${priority},
        array[${tenantFlag(tenantId)}]
      )::graphile_worker.job_spec
      from unnest(${documentIds}::text[], ${keys}::text[]) with ordinality as given (document_id, key, place)
      cross join first
      left join graphile_worker._private_jobs as waiting on waiting.key = given.key and waiting.is_available
    ))
  `.execute(tx);
}

function keyOf({ tenantId, documentId }: DocumentKey): string {
  const key = JSON.stringify([tenantId, documentId]);
  return key.length <= MAX_KEY_LENGTH ? key : createHash('sha256').update(key).digest('hex');
}
