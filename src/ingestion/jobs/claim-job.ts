import type { DocumentKey } from './job-queue.js';
import type { Queue } from './lanes.js';
import { LEASE } from './leases.js';
import type { WorkerSession } from './worker-session.js';

/** A job that a worker has leased. */
export interface ClaimedJob extends DocumentKey {
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

/** The next tenant with a waiting job, by id; after the last the first. */
const tenantAfter = (lane: string, tenant: string) => `
  coalesce(
    (select tenant_id from processing_jobs as job
     where job.lane = ${lane} and job.tenant_id > ${tenant} and ${IS_WAITING} order by tenant_id limit 1),
    (select tenant_id from processing_jobs as job
     where job.lane = ${lane} and ${IS_WAITING} order by tenant_id limit 1))::text collate "C"`;

const IS_FULL = `(lane || ' ' || tenant_id = any($3::text[]))`;

/*
 * `candidate` is a skip scan over the tenants: it reads one index entry for each that is passed over, however many jobs
 * wait. `chosen` is executed once: as a part of the update it might be repeated, and claim more than its limit.
 */
const CLAIM = `
  with recursive candidate as (
    select place, lane, ${tenantAfter('open.lane', 'open.last_tenant')} as tenant_id, 0 as passed
    from unnest($1::text[], $2::text[]) with ordinality as open (lane, last_tenant, place)
    union all
    select place, lane, ${tenantAfter('candidate.lane', 'candidate.tenant_id')}, passed + 1
    from candidate where ${IS_FULL} and passed < cardinality($3::text[])
  ), next as materialized (
    select lane, tenant_id from candidate where tenant_id is not null and not ${IS_FULL} order by place limit 1
  ), chosen as materialized (
    select tenant_id, document_id from processing_jobs
    where lane = (select lane from next) and tenant_id = (select tenant_id from next) and ${IS_WAITING}
    order by sequence limit (select case lane when 'tiny' then ${MAX_BATCH} else 1 end from next)
    for update skip locked
  ), claimed as (
    update processing_jobs as job set lease_owner = $4, lease_expires_time = now() + ${LEASE}
    from chosen where job.tenant_id = chosen.tenant_id and job.document_id = chosen.document_id
    returning job.document_id as "documentId", job.sequence::float, job.lease_owner as "leaseOwner", job.attempts,
      job.outages, job.deaths, job.traceparent
  )
  select lane, tenant_id as "tenantId", claimed.* from next left join claimed on true order by claimed.sequence`;

/**
 * Claims a job, or several tiny ones: the oldest of the next tenant, round-robin.
 *
 * @param options.lastServed lanes with free slots, in order of preference, each with the tenant served last
 * @param options.full names of queues to skip
 * @returns undefined if nothing is to be claimed; no jobs if those of the tenant that wait are all locked
 */
export async function claimJobs(
  session: WorkerSession,
  { lastServed, full, owner }: { lastServed: Queue[]; full: string[]; owner: string },
): Promise<ClaimedBatch | undefined> {
  const lanes = lastServed.map(({ lane }) => lane);
  const tenants = lastServed.map(({ tenantId }) => tenantId);
  const rows: (ClaimedJob & Queue)[] = await session.query(CLAIM, [lanes, tenants, full, owner]);
  const [first] = rows;
  if (!first) return undefined;
  const { lane, tenantId } = first;
  return { lane, tenantId, jobs: rows.filter(({ documentId }) => documentId !== null) };
}
