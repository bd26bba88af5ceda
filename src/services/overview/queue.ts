import { type RawBuilder, sql } from 'kysely';
import { type DocumentStage, documentStages, jobLanes } from '../../../db/enums.js';
import type { Database } from '../../../db/schema.js';
import { type TenantScope, unitsOf } from '../shared/tenant-scope.js';
import type { Queue } from './overview.schema.js';

/** Most jobs that are counted, and that are listed. */
const MAX_COUNTED = 10_000;
const MAX_LISTED = 20;

type QueuedJob = Queue['next'][number];

/** The jobs of the documents of a scope. */
export async function readQueue(db: Database, scope: TenantScope): Promise<Queue> {
  const { waiting, retrying, oldestTime, isLowerBound } = await countWaiting(db, scope);
  const running = await countRunning(db, scope);
  const next = await listNext(db, scope);
  return {
    waiting: { count: waiting, isLowerBound },
    retrying: { count: retrying, isLowerBound },
    running: running.reduce((sum, { jobs }) => sum + jobs, 0),
    oldestTime: earliest([oldestTime, ...next.map(({ queuedTime }) => queuedTime)]),
    byStage: Object.fromEntries(
      documentStages.map((stage) => [stage, running.find((one) => one.stage === stage)?.jobs ?? 0]),
    ) as Record<DocumentStage, number>,
    next,
  };
}

async function countWaiting(db: Database, scope: TenantScope) {
  const { rows } = await sql<{
    waiting: number;
    retrying: number;
    oldestTime: Date | null;
    isLowerBound: boolean;
  }>`
    select count(*) filter (where next_attempt_time is null) as waiting,
      count(*) filter (where next_attempt_time is not null) as retrying,
      min(queued_time) as oldest_time, count(*) > ${sql.lit(MAX_COUNTED)} as is_lower_bound
    from (
      select job.next_attempt_time, job.queued_time from ${jobsOf(scope)} and job.lease_owner is null
      limit ${sql.lit(MAX_COUNTED + 1)}) as counted
  `.execute(db);
  return rows[0] ?? { waiting: 0, retrying: 0, oldestTime: null, isLowerBound: false };
}

/** Those that a worker holds, which are few. */
async function countRunning(db: Database, scope: TenantScope) {
  const { rows } = await sql<{ stage: DocumentStage | null; jobs: number }>`
    select document.stage, count(*) as jobs from ${jobsOf(scope)} and job.lease_owner is not null group by 1
  `.execute(db);
  return rows;
}

/** An index has the jobs of a lane that are due in their order. Those that are tried again come after them. */
async function listNext(db: Database, scope: TenantScope): Promise<QueuedJob[]> {
  const columns = sql`job.document_id, job.lane, job.sequence, job.queued_time, job.attempts, job.next_attempt_time,
    coalesce(nullif(document.document_name, ''), nullif(document.title, ''), document.url) as document_name`;
  const due = jobLanes.map(
    (lane) => sql`(
      select ${columns} from ${jobsOf(scope)} and job.lane = ${sql.lit(lane)}
        and job.lease_owner is null and job.next_attempt_time is null
      order by job.sequence limit ${sql.lit(MAX_LISTED)})`,
  );
  const later = sql`(
    select ${columns} from ${jobsOf(scope)} and job.lease_owner is null and job.next_attempt_time is not null
    order by job.next_attempt_time limit ${sql.lit(MAX_LISTED)})`;
  const { rows } = await sql<QueuedJob>`
    select document_id, document_name, lane, queued_time, attempts, next_attempt_time
    from (${sql.join([...due, later], sql` union all `)}) as next
    order by next_attempt_time nulls first, sequence limit ${sql.lit(MAX_LISTED)}
  `.execute(db);
  return rows;
}

/** The jobs of documents within a scope, with their document. */
function jobsOf(scope: TenantScope): RawBuilder<unknown> {
  const { tenantId, datasetIds } = scope;
  const units = unitsOf(scope);
  const ofUnits = units ? sql`and tenant_unit_id = any(${units})` : sql``;
  const ofDatasets = datasetIds ? sql`and dataset_ids && ${[...datasetIds]}::text[]` : sql``;
  return sql`processing_jobs as job cross join lateral (
      select stage, document_name, title, url from documents
      where tenant_id = ${tenantId} and id = job.document_id ${ofUnits} ${ofDatasets} limit 1) as document
    where job.tenant_id = ${tenantId}`;
}

const earliest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null);
