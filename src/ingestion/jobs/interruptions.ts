import type pg from 'pg';
import { SUSPECT } from './job-flags.js';

/*
 * What ends the work on a document without being its failure. None of this counts as an attempt. How often it
 * happened stands in the job's payload, and is forgotten with the job: when the document is processed, or changed.
 */

/** Seconds before a document that was under way when its worker died is taken up again, from death to death. */
const PAUSES_AFTER_DEATH = [0, 60, 300, 1_500];
/** After so many the document is given up. */
const MOST_DEATHS = PAUSES_AFTER_DEATH.length + 1;

/** Seconds after an outage of ours, twice as long each time. */
const outagePause = (outages: string) => `least(600, 5 * 2 ^ least(10, ${outages}))`;
const OUTAGES = `coalesce((payload->>'outages')::integer, 0)`;
/** Without its key a job was replaced or cancelled, and keeps having no attempt left. */
const ATTEMPTS = `case when key is null then attempts else greatest(0, attempts - 1) end`;

/**
 * Leaves a job that is under way here to whoever has room for it next; after an outage of ours, once that may have
 * passed. What is left here ends as if it had been done.
 */
export async function postponeJob(
  pool: pg.Pool,
  jobId: string,
  { isOutage }: { isOutage: boolean },
): Promise<void> {
  await pool.query(
    `with job as materialized (
       select jobs.*, tasks.identifier, ${OUTAGES} as outages
       from graphile_worker._private_jobs as jobs
       join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
       where jobs.id = $1 and key is not null
       for update of jobs)
     select graphile_worker.add_jobs(array[row(
       identifier,
       case when $2 then payload::jsonb || jsonb_build_object('outages', outages + 1) else payload::jsonb end,
       null,
       case when $2 then now() + make_interval(secs => ${outagePause('outages')}) else now() end,
       max_attempts - attempts + 1, key, priority, array(select jsonb_object_keys(flags))
     )::graphile_worker.job_spec])
     from job`,
    [jobId, isOutage],
  );
}

/** Releases the jobs of a worker of this process that ended with the database's connection. */
export async function releaseAfterOutage(pool: pg.Pool, workerIds: string[]): Promise<void> {
  await pool.query(
    `update graphile_worker._private_jobs
     set locked_by = null, locked_at = null, updated_at = now(), attempts = ${ATTEMPTS},
       run_at = now() + make_interval(secs => ${outagePause(OUTAGES)}),
       payload = payload::jsonb || jsonb_build_object('outages', ${OUTAGES} + 1)
     where locked_by = any($1)`,
    [workerIds],
  );
}

/**
 * Releases the jobs of a worker, if it is dead, each after a pause that grows with the number of deaths that it may
 * be to blame for. Where a suspect was among them, the others are not to blame.
 *
 * @param isDead an SQL condition that holds the proof until the transaction ends; $1 is the worker's id
 * @returns how many jobs were released
 */
export async function releaseAfterDeath(
  pool: pg.Pool,
  workerId: string,
  isDead: string,
  values: unknown[],
): Promise<number> {
  const { rowCount } = await pool.query(
    `with probe as materialized (select ${isDead} as is_dead),
     held as (
       select jobs.id, coalesce((payload->>'deaths')::integer, 0) + 1 as deaths,
         coalesce(flags ? '${SUSPECT}', false) as is_suspect
       from graphile_worker._private_jobs as jobs, probe
       where probe.is_dead and locked_by = $1),
     blamed as (
       select id, deaths from held where is_suspect or not exists (select from held where is_suspect))
     update graphile_worker._private_jobs as jobs
     set locked_by = null, locked_at = null, updated_at = now(),
       attempts = case when blamed.deaths >= ${MOST_DEATHS} then max_attempts else ${ATTEMPTS} end,
       run_at = now() + make_interval(secs => coalesce((array[${PAUSES_AFTER_DEATH}])[blamed.deaths], 0)),
       payload = case when blamed.id is null then payload::jsonb
         else payload::jsonb || jsonb_build_object('deaths', blamed.deaths) end,
       flags = case when blamed.id is null then flags
         else coalesce(flags, '{}') || jsonb_build_object('${SUSPECT}', true) end
     from held left join blamed using (id)
     where jobs.id = held.id`,
    [workerId, ...values],
  );
  return rowCount ?? 0;
}
