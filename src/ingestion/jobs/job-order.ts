import { sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';

/*
 * A fair order of tenants, by start-time fair queueing. Priorities are numbers in one line: the job at the front
 * has the smallest. A new job stands as far behind the front as its tenant has documents waiting, so tenants take
 * turns, and each tenant's own documents keep their order. Nothing is counted apart and nobody waits for a lock.
 *
 * The counting itself is in the functions of `db/migrations/0010-job-lanes.ts`, which may see the queue.
 */

/** The queue keeps priorities in 16 bits. */
const LAST = 32_767;
const FIRST = -30_000;
/** Farther behind the front than this, a tenant's documents stand beside each other. */
const DEPTH = 20_000;
/** Above this the line is moved back to the beginning; the room behind it is more than `DEPTH`. */
const HIGH = 10_000;

const front = sql<number>`(select front_of_jobs(${sql.lit(FIRST)}))`;

/**
 * Puts documents of one tenant into the line, in their order: the first at its place, each further one behind it. A
 * job that waits already keeps its place.
 */
export async function enqueueInOrder(
  tx: Queryable,
  { tenantId, documentIds, keys, task, flag, attempts }: NewJobs,
): Promise<void> {
  await sql`
    select enqueue_documents(${task}, ${tenantId}, ${flag}, ${documentIds}, ${keys}, ${attempts},
      ${FIRST}, ${DEPTH}, ${LAST})
  `.execute(tx);
}

interface NewJobs {
  tenantId: string;
  documentIds: string[];
  /** One for each document. */
  keys: string[];
  task: string;
  flag: string;
  attempts: number;
}

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
