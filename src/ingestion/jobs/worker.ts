import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import { isServiceOutage } from '../ingestion-error.js';
import type { ProcessDocument } from '../process-document.js';
import { postponeJob } from './interruptions.js';
import { type JobLimits, limitOf } from './job-flags.js';
import { type DocumentKey, PROCESS_DOCUMENT } from './job-queue.js';
import { createQueueLog } from './queue-log.js';
import { createSlots } from './slots.js';
import { createPresence } from './worker-presence.js';

const RESTART_DELAY_MS = 1_000;
const SWEEP_INTERVAL_MS = 5_000;

export interface WorkerDependencies {
  pool: pg.Pool;
  databaseUrl: string;
  /** Records the failure of documents whose every attempt ended with the death of its worker. */
  failExhausted: () => Promise<void>;
  processDocument: ProcessDocument;
  /** How many documents are worked on at a time, also while they only wait for a web page. */
  limits: JobLimits;
  log: Logger;
}

export interface Worker {
  /** Lets running jobs end, then stops; jobs that take too long go back to the queue. */
  stop(): Promise<void>;
}

/**
 * Works off the document jobs of the database, here and beside other processes. Jobs of a process that died are
 * taken over within seconds, and later from death to death.
 */
export function startWorker(dependencies: WorkerDependencies): Worker {
  const { pool, databaseUrl, processDocument, failExhausted, limits, log } = dependencies;
  let stopping = false;
  let runner: Runner | undefined;
  const presence = createPresence({ pool, databaseUrl, log });

  const slots = createSlots(limitOf(limits));

  const taskList: TaskList = {
    [PROCESS_DOCUMENT]: async (payload, { job, abortSignal }) => {
      const document = payload as DocumentKey;
      const isLastAttempt = job.attempts >= job.max_attempts;
      const work = () => processDocument(document, { isLastAttempt, signal: abortSignal });
      try {
        // Several jobs that are taken at the same moment may be one too many.
        const isDone = await slots.take(Object.keys(job.flags ?? {}), work);
        if (!isDone) await postponeJob(pool, job.id, { isOutage: false });
      } catch (error) {
        const isStopping = abortSignal?.aborted === true;
        if (!isStopping && !isServiceOutage(error)) throw error;
        if (!isStopping) log.warn({ err: error, ...document }, 'an outage interrupted a document');
        await postponeJob(pool, job.id, { isOutage: !isStopping });
      }
    },
  };

  /** The queue's runner gives up when the database stays away; a new one takes its place. */
  async function supervise(): Promise<void> {
    while (!stopping) {
      try {
        const events: WorkerEvents = new EventEmitter();
        events.on('pool:create', ({ workerPool }) => presence.announce(workerPool.id));
        events.on('pool:release', ({ workerPool }) => presence.withdraw(workerPool.id));
        runner = await run({
          pgPool: pool,
          taskList,
          concurrency: limits.large + limits.small,
          forbiddenFlags: () => slots.full(),
          events,
          noHandleSignals: true,
          pollInterval: 2_000,
          // Unbatched, a result that cannot be written while the database is away is a rejection that nobody
          // handles, and ends the process. Batched, it ends the runner, and a new one takes over.
          preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
          logger: createQueueLog(log),
        });
        sweep();
        if (stopping) await runner.stop();
        await runner.promise;
      } catch (error) {
        if (!stopping) log.warn({ err: error }, 'the job queue is away; trying again');
      }
      if (!stopping) await delay(RESTART_DELAY_MS);
    }
  }

  function sweep(): void {
    presence
      .releaseJobsOfTheDead()
      .then(() => failExhausted())
      .catch((error) => log.debug({ err: error }, 'could not look for dead workers'));
  }
  const sweeping = setInterval(sweep, SWEEP_INTERVAL_MS);
  const supervised = supervise();

  return {
    async stop() {
      stopping = true;
      clearInterval(sweeping);
      await runner?.stop().catch(() => {});
      await supervised;
      await presence.end();
    },
  };
}
