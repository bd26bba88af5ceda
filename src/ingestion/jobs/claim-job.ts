import type { JobLane } from '../../../db/enums.js';
import type { DocumentKey } from './job-queue.js';
import type { Queue } from './lanes.js';
import { LEASE } from './leases.js';
import type { WorkerSession } from './worker-session.js';

/** A job that a worker has leased. */
export interface ClaimedJob extends DocumentKey {
  lane: JobLane;
  sequence: number;
  leaseOwner: string;
  attempts: number;
  outages: number;
  deaths: number;
  /** Of the request that queued it, where that was traced. */
  traceparent: string | null;
}

/** Jobs of one queue that were claimed together: several only in the tiny lane. */
export interface ClaimedBatch extends Queue {
  jobs: ClaimedJob[];
}

/** Most jobs of a batch. */
const MAX_BATCH = 32;

const IS_WAITING = 'lease_owner is null and next_attempt_time is null';

/**
 * The next tenant with a waiting job, by id; after the last the first. It follows on the tenant served last, on a full one
 * that is passed over, or is the first of all: one look-up in an index for each, however many jobs wait.
 */
const FIND_NEXT = `
  select open.lane, found.tenant_id as "tenantId",
    array(select transactionid::text from pg_locks where locktype = 'transactionid') as "underWay"
  from unnest($1::text[], $2::text[]) with ordinality as open (lane, last_tenant, place)
  cross join lateral (
    values ('') union all values (open.last_tenant) union all
    select tenant_id from unnest($3::text[], $4::text[]) as full_queue (lane, tenant_id)
    where full_queue.lane = open.lane) as passed (tenant_id)
  cross join lateral (
    select tenant_id from processing_jobs as job
    where job.lane = open.lane and job.tenant_id > passed.tenant_id and ${IS_WAITING} order by tenant_id limit 1) as found
  where (open.lane, found.tenant_id) not in (select * from unnest($3::text[], $4::text[]))
  order by open.place, found.tenant_id > open.last_tenant desc, found.tenant_id limit 1`;

/**
 * `chosen` is executed once: as a part of the update it might be repeated, and claim more than its limit.
 *
 * On a cluster a job is seen a moment before its document, which is on another node; until then the transaction that wrote
 * both is under way, and has the lock on its number.
 */
const CLAIM = `
  with chosen as materialized (
    select document_id from processing_jobs
    where lane = $1 and tenant_id = $2 and ${IS_WAITING}
      and xmin::text <> all ($5::text[])
    order by sequence limit $3 for update skip locked
  )
  update processing_jobs as job set lease_owner = $4, lease_expires_time = now() + ${LEASE}
  from chosen where job.tenant_id = $2 and job.document_id = chosen.document_id
  returning job.tenant_id as "tenantId", job.document_id as "documentId", job.lane, job.sequence::float,
    job.lease_owner as "leaseOwner", job.attempts, job.outages, job.deaths, job.traceparent`;

/**
 * Claims a job, or several tiny ones: the oldest of the next tenant, round-robin.
 *
 * @param options.lastServed lanes with free slots, in order of preference, each with the tenant served last
 * @param options.full queues to skip
 * @returns undefined if nothing is to be claimed; no jobs if those of the tenant that wait are all locked, or not yet there on all nodes
 */
export async function claimJobs(
  session: WorkerSession,
  { lastServed, full, owner }: { lastServed: Queue[]; full: Queue[]; owner: string },
): Promise<ClaimedBatch | undefined> {
  const values = [...toColumns(lastServed), ...toColumns(full)];
  const found: (Queue & { underWay: string[] })[] = await session.query(FIND_NEXT, values);
  const [next] = found;
  if (!next) return undefined;
  const { lane, tenantId, underWay } = next;
  const limit = lane === 'tiny' ? MAX_BATCH : 1;
  const jobs: ClaimedJob[] = await session.query(CLAIM, [lane, tenantId, limit, owner, underWay]);
  return { lane, tenantId, jobs: jobs.sort((a, b) => a.sequence - b.sequence) };
}

const toColumns = (queues: Queue[]): string[][] => [
  queues.map(({ lane }) => lane),
  queues.map(({ tenantId }) => tenantId),
];
