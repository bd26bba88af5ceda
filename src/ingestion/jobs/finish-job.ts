import { sql } from 'kysely';
import type { JobLane } from '../../../db/enums.js';
import type { Database } from '../../../db/schema.js';
import type { ClaimedJob } from './claim-job.js';
import { isHeld } from './held-job.js';

/** How a job ended for now. */
export type Outcome = 'done' | { attempts?: number; outages?: number; lane?: JobLane; pauseSeconds: number };

/** Doubled from outage to outage. */
const FIRST_OUTAGE_PAUSE = 5;
const LONGEST_OUTAGE_PAUSE = 600;

/** The job is looked at anew. */
export const REQUEUED: Outcome = { pauseSeconds: 0 };

/** An extraction engine has to read pages of the document. */
export const TO_EXTRACT: Outcome = { lane: 'extraction', pauseSeconds: 0 };

/** Exponential backoff: 3, 7, 20 and 55 seconds. */
export const afterFailure = ({ attempts }: ClaimedJob): Outcome => ({
  attempts: attempts + 1,
  pauseSeconds: Math.exp(attempts + 1),
});

/** An outage of the service uses up no attempt. */
export const afterOutage = ({ outages }: ClaimedJob): Outcome => ({
  outages: outages + 1,
  pauseSeconds: Math.min(LONGEST_OUTAGE_PAUSE, FIRST_OUTAGE_PAUSE * 2 ** outages),
});

/** Ends the lease of a job. Does nothing if it is not held any more. */
export async function finishJob(db: Database, job: ClaimedJob, outcome: Outcome): Promise<void> {
  if (outcome === 'done') {
    await db
      .with('ended', (from) => from.deleteFrom('processingJobs').where(isHeld(job)))
      .selectNoFrom(asynchronousCommit)
      .execute();
    return;
  }
  const { pauseSeconds, ...counts } = outcome;
  const later = sql<Date>`now() + make_interval(secs => ${pauseSeconds})`;
  await db
    .with('ended', (from) =>
      from
        .updateTable('processingJobs')
        .set({
          ...counts,
          leaseOwner: null,
          leaseExpiresTime: null,
          nextAttemptTime: pauseSeconds > 0 ? later : null,
        })
        .where(isHeld(job)),
    )
    .selectNoFrom(asynchronousCommit)
    .execute();
}

/** If a crash of the database loses the outcome, the finished document is only looked at again. */
const asynchronousCommit = sql`set_config('synchronous_commit', 'off', true)`.as('asynchronousCommit');
