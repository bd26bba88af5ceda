import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Queryable } from '../../../db/schema.js';
import type { CountDocuments } from '../../metrics/activity.js';
import type { Tracing } from '../../tracing/tracing.js';
import { isServiceOutage, ServiceOutageError } from '../ingestion-error.js';
import type { ProcessDocument } from '../process-document.js';
import type { ProcessTogether } from '../process-together.js';
import type { ClaimedBatch, ClaimedJob } from './claim-job.js';
import { failExhausted, WORKER_DIED } from './fail-exhausted.js';
import { afterFailure, afterOutage, finishJob, type Outcome, REQUEUED, TO_EXTRACT } from './finish-job.js';
import { readIsHeld } from './held-job.js';
import { MAX_DEATHS } from './leases.js';
import { traceJobs } from './trace-jobs.js';

export const MAX_ATTEMPTS = 5;
/** Between two attempts to store the outcome of a job. */
const RETRY_MS = 1_000;

export interface RunJobDependencies {
  db: Database;
  processDocument: ProcessDocument;
  processTogether: ProcessTogether;
  /** Told of documents that no worker survives. */
  countDocuments?: CountDocuments | undefined;
  tracing?: Tracing | undefined;
  /** The worker stops: an outcome that cannot be stored now is left to the expiry of the lease. */
  stopping: AbortSignal;
  /** Running jobs are to be requeued. */
  aborting: AbortSignal;
  log: Logger;
}

/**
 * Processes the documents of jobs and stores the outcomes, however long the database is unavailable. Tiny ones are
 * processed together; those that this leaves, as all others, on their own.
 */
export function createRunJobs(dependencies: RunJobDependencies) {
  const { db, processDocument, processTogether, stopping, aborting, log } = dependencies;
  const { traceJob, traceBatch } = traceJobs(dependencies.tracing);
  const { countDocuments = () => {} } = dependencies;
  return async function runJobs({ lane, jobs }: ClaimedBatch): Promise<void> {
    const left =
      lane === 'tiny'
        ? await traceBatch(jobs, (given) => processTogether(given, { signal: aborting }))
        : jobs;
    await Promise.all(left.map((job) => traceJob(job, () => runJob(job))));
  };

  async function runJob(job: ClaimedJob): Promise<void> {
    const outcome = await attempt(job);
    for (;;) {
      try {
        return await finishJob(db, job, outcome);
      } catch (error) {
        log.debug(
          { err: error, documentId: job.documentId },
          'the outcome of a job could not be stored; trying again',
        );
        if (stopping.aborted) return;
        await delay(RETRY_MS, undefined, { signal: stopping }).catch(() => {});
      }
    }
  }

  async function attempt(job: ClaimedJob): Promise<Outcome> {
    const document = { tenantId: job.tenantId, documentId: job.documentId };
    const isLastAttempt = job.attempts + 1 >= MAX_ATTEMPTS;
    try {
      if (job.deaths >= MAX_DEATHS || job.attempts >= MAX_ATTEMPTS) {
        if (await failExhausted(db, job)) countDocuments(job.tenantId, { failed: 1, code: WORKER_DIED });
        return 'done';
      }
      const isHeld = (tx: Queryable) => readIsHeld(tx, job);
      const { lane, outages } = job;
      const ended = await processDocument(document, {
        lane,
        outages,
        isLastAttempt,
        isHeld,
        signal: aborting,
      });
      if (ended === 'to_extract') return TO_EXTRACT;
      // Where another job has replaced this one, nothing is requeued.
      return ended === 'superseded' ? REQUEUED : 'done';
    } catch (error) {
      if (aborting.aborted) return REQUEUED;
      const isOutage = isServiceOutage(error);
      const what = isOutage
        ? 'an outage interrupted a document'
        : 'processing a document failed; it will be retried';
      log.warn({ err: error, ...document }, what);
      if (!isOutage) return afterFailure(job);
      const hasProgress = error instanceof ServiceOutageError && error.hasProgress;
      return afterOutage(hasProgress ? { ...job, outages: 0 } : job);
    }
  }
}
