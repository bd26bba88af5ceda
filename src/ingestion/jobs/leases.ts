import type { WorkerSession } from './worker-session.js';

/*
 * A worker leases the jobs that it has under way, and renews all its leases together. Those of a worker that died
 * expire, and any other gives its jobs back to the queue. Rows that a transaction holds are passed over: it is about to
 * change or remove the job, and two who wait for each other's rows would end one of them.
 */

export const LEASE_SECONDS = 10;
export const LEASE = `interval '${LEASE_SECONDS} s'`;

/** How many jobs come due in one statement: after a long outage there may be very many. */
const MOST_DUE = 1_000;
/** Seconds before a document that was under way when its worker died is taken up again, from death to death. */
const PAUSES_AFTER_DEATH = [0, 60, 300, 1_500];
/** After so many the document is given up. */
export const MAX_DEATHS = PAUSES_AFTER_DEATH.length + 1;

/**
 * Renews the leases of a worker, and puts jobs back into the queue whose next attempt has come due. Jobs that were leased
 * to it without its knowledge, since the answer was lost, go back when that lease has expired.
 *
 * @param underWay the sequences of the jobs that it works on
 * @returns the time on the clock of the database
 */
export async function renewLeases(session: WorkerSession, owner: string, underWay: number[]): Promise<Date> {
  const [{ time }] = await session.query(
    `with renewed as (
       update processing_jobs
       set lease_owner = case when sequence = any($2) then lease_owner end,
         lease_expires_time = case when sequence = any($2) then now() + ${LEASE} end
       where (tenant_id, document_id) in (
         select tenant_id, document_id from processing_jobs
         where lease_owner = $1 and (sequence = any($2) or lease_expires_time < now()) for update skip locked)
     ), due as (
       update processing_jobs set next_attempt_time = null
       where (tenant_id, document_id) in (
         select tenant_id, document_id from processing_jobs where next_attempt_time <= now()
         order by next_attempt_time limit ${MOST_DUE} for update skip locked)
     )
     select now() as time`,
    [owner, underWay],
  );
  return time;
}

/**
 * Gives back the jobs of workers whose leases have all expired, each after a pause that grows with the number of deaths
 * that it may be to blame for. Where a worker had a suspect, its other jobs are not to blame.
 *
 * @param owner who asks, and so is alive
 * @returns the dead workers, and how many jobs each had
 */
export async function recoverJobs(
  session: WorkerSession,
  owner: string,
): Promise<{ leaseOwner: string; jobs: number }[]> {
  return session.query(
    `with held as (
       select tenant_id, document_id, lease_owner, lane = 'suspect' as is_suspect
       from processing_jobs
       where lease_owner in (
         select lease_owner from processing_jobs where lease_owner <> $1
         group by lease_owner having max(lease_expires_time) < now())
       for update skip locked
     ), judged as (
       select *, is_suspect or not bool_or(is_suspect) over (partition by lease_owner) as is_blamed from held
     ), recovered as (
       update processing_jobs as job
       set lease_owner = null, lease_expires_time = null,
         lane = case when is_blamed then 'suspect' else lane end,
         deaths = case when is_blamed then deaths + 1 else deaths end,
         next_attempt_time = case when is_blamed and deaths between 1 and ${MAX_DEATHS - 2}
           then now() + make_interval(secs => (array[${PAUSES_AFTER_DEATH}])[deaths + 1]) end
       from judged
       where job.tenant_id = judged.tenant_id and job.document_id = judged.document_id
       returning judged.lease_owner
     )
     select lease_owner as "leaseOwner", count(*)::integer as jobs from recovered group by lease_owner`,
    [owner],
  );
}
