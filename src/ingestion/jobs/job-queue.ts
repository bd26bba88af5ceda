import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import { currentTraceparent } from '../../tracing/spans.js';
import { SMALL_FILE_BYTES, TINY_FILE_BYTES } from '../limits/file-limits.js';

export interface DocumentKey {
  tenantId: string;
  documentId: string;
}

/** Where services ask for a document to be processed. All of it happens in the caller's transaction. */
export interface JobQueue {
  /** The job exists exactly if the change does. A waiting job is not doubled, and keeps its place. */
  enqueue(tx: Queryable, document: DocumentKey): Promise<void>;
  /** The same for many documents of one tenant, in their order. Their rows must have been written. */
  enqueueAll(tx: Queryable, tenantId: string, documentIds: string[]): Promise<void>;
  /** Waiting jobs of a tenant are gone; those that a worker holds are not tried again. */
  remove(tx: Queryable, tenantId: string, documentIds: string[]): Promise<void>;
}

/** Where workers listen for new jobs. */
export const CHANNEL = 'processing_jobs';

/** Jobs in the table `processing_jobs`, in lanes by size. Of web pages and objects in buckets it is not known beforehand. */
export const jobQueue: JobQueue = {
  enqueue: (tx, { tenantId, documentId }) => enqueueAll(tx, tenantId, [documentId]),
  enqueueAll,
  async remove(tx, tenantId, documentIds) {
    await tx
      .deleteFrom('processingJobs')
      .where('tenantId', '=', tenantId)
      .where('documentId', 'in', documentIds)
      .execute();
  },
};

/** A leased job gets another sequence, so that the outcome its worker stores matches nothing. */
async function enqueueAll(tx: Queryable, tenantId: string, documentIds: string[]): Promise<void> {
  const sizes = await readSizes(tx, tenantId, documentIds);
  await sql`
    with queued as (
      insert into processing_jobs as job (tenant_id, document_id, lane, traceparent)
      select ${tenantId}, given.document_id,
        case when given.size <= ${TINY_FILE_BYTES} then 'tiny'
          when given.size <= ${SMALL_FILE_BYTES} then 'small' else 'large' end,
        ${currentTraceparent()}
      from unnest(${documentIds}::text[], ${documentIds.map((id) => sizes.get(id) ?? null)}::bigint[])
        with ordinality as given (document_id, size, place)
      order by given.place
      on conflict (tenant_id, document_id) do update
      set lane = excluded.lane, attempts = 0, outages = 0, deaths = 0, next_attempt_time = null,
        traceparent = excluded.traceparent,
        sequence = case when job.lease_owner is null then job.sequence else excluded.sequence end,
        queued_time = case when job.lease_owner is null then job.queued_time else excluded.queued_time end,
        lease_owner = null, lease_expires_time = null)
    select pg_notify(${CHANNEL}, '')
  `.execute(tx);
}

/** Sizes are looked up one by one through an index, whatever the planner's statistics are: `limit` sees to that. */
async function readSizes(
  tx: Queryable,
  tenantId: string,
  documentIds: string[],
): Promise<Map<string, number | null>> {
  const { rows } = await sql<{ documentId: string; sizeBytes: number | null }>`
    select given.document_id, source.size_bytes
    from unnest(${documentIds}::text[]) as given (document_id)
    cross join lateral (
      select size_bytes from document_sources
      where tenant_id = ${tenantId} and document_id = given.document_id limit 1) as source
  `.execute(tx);
  return new Map(rows.map(({ documentId, sizeBytes }) => [documentId, sizeBytes]));
}
