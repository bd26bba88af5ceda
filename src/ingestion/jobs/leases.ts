import type { WorkerSession } from './worker-session.js';

/*
 * A worker holds a lease on each running job and renews all of them together. When it dies they expire, and any other
 * worker requeues the jobs. Locked rows are skipped: their transactions change or remove the job, and waiting for them
 * could deadlock.
 */

export const LEASE_SECONDS = 10;
export const LEASE = `interval '${LEASE_SECONDS} s'`;

/** Retries that one statement makes due: after a long outage there may be very many. */
const MOST_DUE = 1_000;
/** Seconds until the retry of a job whose worker died, from the second death to the last but one; others are due at once. */
const PAUSES_AFTER_DEATH = [60, 300, 1_500];
/** No retry is later: what seems to be was stored before the clock of the database was set back. */
const LONGEST_PAUSE = `interval '30 min'`;
/** With so many the document fails. */
export const MAX_DEATHS = PAUSES_AFTER_DEATH.length + 2;

/**
 * Renews the leases of a worker's running jobs, and makes retries available that have become due. A job whose claim never
 * reached the worker, because the connection broke, is requeued when its lease has expired.
 *
 * @param inFlight the sequences of the running jobs
 * @returns the time by the clock of the database
 */
export async function renewLeases(session: WorkerSession, owner: string, inFlight: number[]): Promise<Date> {
  const [{ time }] = await session.query(
    `with renewed as (
       update processing_jobs set lease_expires_time = now() + ${LEASE}
       where (tenant_id, document_id) in (
         select tenant_id, document_id from processing_jobs
         where lease_owner = $1 and sequence = any($2) for update skip locked)
     ), lost as (
       update processing_jobs set lease_owner = null, lease_expires_time = null
       where (tenant_id, document_id) in (
         select tenant_id, document_id from processing_jobs
         where lease_owner = $1 and sequence <> all($2) and lease_expires_time < now() for update skip locked)
     ), due as (
       update processing_jobs set next_attempt_time = null
       where (tenant_id, document_id) in (
         select tenant_id, document_id from processing_jobs
         where next_attempt_time <= now() or next_attempt_time > now() + ${LONGEST_PAUSE}
         order by next_attempt_time limit ${MOST_DUE} for update skip locked)
     )
     select now() as time`,
    [owner, inFlight],
  );
  return time;
}

/**
 * Requeues the jobs of workers whose leases have all expired, or are longer than any is, since the clock was set back. The
 * backoff is by the number of deaths that each job may have caused. If a worker had a suspect, its other jobs are not blamed.
 *
 * @param owner the worker that asks, which is alive
 * @returns the dead workers and the number of their jobs
 */
export async function requeueExpired(
  session: WorkerSession,
  owner: string,
): Promise<{ leaseOwner: string; jobs: number }[]> {
  const requeued: { leaseOwner: string }[] = await session.query(
    `with held as (
       select tenant_id, document_id, lease_owner, lane = 'suspect' as is_suspect
       from processing_jobs
       where lease_owner in (
         select lease_owner from processing_jobs where lease_owner <> $1
         group by lease_owner
         having max(lease_expires_time) < now() or max(lease_expires_time) > now() + ${LEASE} + ${LEASE})
       for update skip locked
     ), judged as (
       select *, is_suspect or not bool_or(is_suspect) over (partition by lease_owner) as is_blamed from held
     )
     update processing_jobs as job
     set lease_owner = null, lease_expires_time = null,
       lane = case when is_blamed then 'suspect' else lane end,
       deaths = case when is_blamed then deaths + 1 else deaths end,
       -- Beyond the ends of the array is null. Citus takes no now() in a case.
       next_attempt_time = now() + make_interval(
         secs => (array[${PAUSES_AFTER_DEATH}])[case when is_blamed then deaths end])
     from judged
     where job.tenant_id = judged.tenant_id and job.document_id = judged.document_id
     returning judged.lease_owner as "leaseOwner"`,
    [owner],
  );
  const owners = [...new Set(requeued.map(({ leaseOwner }) => leaseOwner))];
  return owners.map((one) => ({
    leaseOwner: one,
    jobs: requeued.filter(({ leaseOwner }) => leaseOwner === one).length,
  }));
}
