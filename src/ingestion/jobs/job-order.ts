import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';

/*
 * A fair order of tenants, by start-time fair queueing. Priorities are numbers in one line: the job at the front
 * has the smallest. A new job stands as far behind the front as its tenant has documents waiting, so tenants take
 * turns, and each tenant's own documents keep their order. Nothing is counted apart and nobody waits for a lock.
 */

/** The queue keeps priorities in 16 bits. */
const LAST = 32_767;
const FIRST = -30_000;
/** Farther behind the front than this, a tenant's documents stand beside each other. */
const DEPTH = 20_000;
/** Above this the line is moved back to the beginning; the room behind it is more than `DEPTH`. */
const HIGH = 10_000;

/**
 * Where the line is now. A job that is tried again keeps its old place, often before the front, and so does not
 * tell. Without a job that waits for its first turn, the others count, also those that are being worked on: what
 * is new must not overtake them, should they fail.
 */
const front = sql<number>`
  coalesce(
    (select priority from graphile_worker._private_jobs
     where is_available and attempts = 0 and run_at <= now() order by priority, run_at limit 1),
    (select max(priority) from graphile_worker._private_jobs),
    ${sql.lit(FIRST)}
  )`;

/** How many documents the tenant has waiting, without the `added` that are on their way into the queue. */
const ahead = (tenantId: string, added: number) => sql<number>`
  (select greatest(0, count(*) - ${added}::int) from (
    select from documents
    where tenant_id = ${tenantId} and status in ('created', 'processing') and source <> 'none'
    limit ${sql.lit(DEPTH)} + ${added}::int
  ) as waiting)`;

/** A row of one column: the priority of the first of a tenant's new jobs. Each further one stands one behind. */
export const firstPriority = (tenantId: string, added: number) => sql`
  select front, front + ${ahead(tenantId, added)} as priority from (select ${front} as front) as line`;

/** A priority made fit for the queue. */
export const withinRange = (priority: ReturnType<typeof sql>) => sql`
  least(${priority}, front + ${sql.lit(DEPTH)}, ${sql.lit(LAST)})::smallint`;

/**
 * Moves the line back to the beginning when it nears the end of its numbers: seldom, as it starts there whenever
 * the queue is empty. Whoever reads the front waits meanwhile, so that nobody joins by the old numbers.
 */
export const createRenumberJobs = (db: Database) => async (): Promise<void> => {
  const { rows } = await sql<{ front: number }>`select ${front} as front`.execute(db);
  if ((rows[0]?.front ?? FIRST) <= HIGH) return;
  await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '2s'`.execute(tx);
    await sql`lock table graphile_worker._private_jobs in access exclusive mode`.execute(tx);
    await sql`
      update graphile_worker._private_jobs
      set priority = greatest(${sql.lit(FIRST)}, priority - (line.front - ${sql.lit(FIRST)}))
      from (select ${front} as front) as line
    `.execute(tx);
  });
};
