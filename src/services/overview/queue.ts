import { type RawBuilder, sql } from 'kysely';
import { type DocumentStage, documentStages, jobLanes } from '../../../db/enums.js';
import type { Database } from '../../../db/schema.js';
import { type TenantScope, unitsOf } from '../shared/tenant-scope.js';
import type { Queue } from './overview.schema.js';

/** Most jobs that are counted or looked through, and that are listed. */
const MAX_COUNTED = 10_000;
const MAX_LISTED = 20;

type QueuedJob = Queue['next'][number];

/** The jobs of the documents of a scope. A cluster has jobs on its coordinator and documents on shards: they are asked one by one. */
export async function readQueue(db: Database, scope: TenantScope): Promise<Queue> {
  const { jobs, isPartial } = await findJobs(db, scope);
  const { waiting, retrying, oldestTime, isLowerBound } = await countWaiting(db, jobs);
  const byStage = await countRunning(db, scope, jobs);
  const next = await listNext(db, scope, jobs);
  const isLess = isPartial || isLowerBound;
  return {
    waiting: { count: waiting, isLowerBound: isLess },
    retrying: { count: retrying, isLowerBound: isLess },
    running: [...byStage.values()].reduce((sum, count) => sum + count, 0),
    oldestTime: earliest([oldestTime, ...next.map(({ queuedTime }) => queuedTime)]),
    byStage: Object.fromEntries(documentStages.map((stage) => [stage, byStage.get(stage) ?? 0])) as Record<
      DocumentStage,
      number
    >,
    next,
  };
}

/** A condition for the jobs of a scope. It is partial where the tenant has too many to look all of them through for some units or datasets. */
async function findJobs(
  db: Database,
  scope: TenantScope,
): Promise<{ jobs: RawBuilder<unknown>; isPartial: boolean }> {
  const { tenantId, datasetIds } = scope;
  const units = unitsOf(scope);
  const ofTenant = sql`tenant_id = ${tenantId}`;
  if (!units && !datasetIds) return { jobs: ofTenant, isPartial: false };
  const { rows } = await sql<{ documentId: string }>`
    select document_id from processing_jobs where ${ofTenant} and lease_owner is not null
    union all select document_id from (${firstWaiting(ofTenant, MAX_COUNTED + 1)}) as waiting
  `.execute(db);
  const { rows: found } = await sql<{ id: string }>`
    select id from documents
    where tenant_id = ${tenantId} and id = any(${rows.map(({ documentId }) => documentId)}::text[])
      ${units ? sql`and tenant_unit_id = any(${units})` : sql``}
      ${datasetIds ? sql`and dataset_ids && ${[...datasetIds]}::text[]` : sql``}
  `.execute(db);
  const jobs = sql`${ofTenant} and document_id = any(${found.map(({ id }) => id)}::text[])`;
  return { jobs, isPartial: rows.length > MAX_COUNTED };
}

async function countWaiting(db: Database, jobs: RawBuilder<unknown>) {
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
      select next_attempt_time, queued_time from processing_jobs where ${jobs} and lease_owner is null
      limit ${sql.lit(MAX_COUNTED + 1)}) as counted
  `.execute(db);
  return rows[0] ?? { waiting: 0, retrying: 0, oldestTime: null, isLowerBound: false };
}

/** Those that a worker holds, which are few, by the stage of their document. */
async function countRunning(
  db: Database,
  { tenantId }: TenantScope,
  jobs: RawBuilder<unknown>,
): Promise<Map<DocumentStage | null, number>> {
  const { rows: running } = await sql<{ documentId: string }>`
    select document_id from processing_jobs where ${jobs} and lease_owner is not null
  `.execute(db);
  const { rows } = await sql<{ stage: DocumentStage | null; jobs: number }>`
    select stage, count(*) as jobs from documents
    where tenant_id = ${tenantId} and id = any(${running.map(({ documentId }) => documentId)}::text[]) group by 1
  `.execute(db);
  return new Map(rows.map(({ stage, jobs }) => [stage, jobs]));
}

async function listNext(
  db: Database,
  { tenantId }: TenantScope,
  jobs: RawBuilder<unknown>,
): Promise<QueuedJob[]> {
  const { rows } = await sql<Omit<QueuedJob, 'documentName'>>`
    select document_id, lane, queued_time, attempts, next_attempt_time
    from (${firstWaiting(jobs, MAX_LISTED)}) as next
    order by next_attempt_time nulls first, sequence limit ${sql.lit(MAX_LISTED)}
  `.execute(db);
  const { rows: named } = await sql<{ id: string; name: string | null }>`
    select id, coalesce(nullif(document_name, ''), nullif(title, ''), url) as name from documents
    where tenant_id = ${tenantId} and id = any(${rows.map(({ documentId }) => documentId)}::text[])
  `.execute(db);
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({ ...row, documentName: names.get(row.documentId) ?? null }));
}

/** An index has the jobs of a lane that are due in their order. Those that are tried again come after them. */
function firstWaiting(jobs: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
  const due = jobLanes.map(
    (lane) => sql`(
      select * from processing_jobs
      where ${jobs} and lane = ${sql.lit(lane)} and lease_owner is null and next_attempt_time is null
      order by sequence limit ${sql.lit(limit)})`,
  );
  const later = sql`(
    select * from processing_jobs where ${jobs} and lease_owner is null and next_attempt_time is not null
    order by next_attempt_time limit ${sql.lit(limit)})`;
  return sql.join([...due, later], sql` union all `);
}

const earliest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null);
