import type { Logger } from 'pino';
import { v7 as uuid } from 'uuid';
import type { Database } from '../../../db/schema.js';
import type { ProcessDocument } from '../process-document.js';
import { claimJob } from './claim-job.js';
import { startHeartbeat } from './heartbeat.js';
import { createLanes, type JobLimits } from './lanes.js';
import { createRunJob } from './run-job.js';
import { createWorkerSession } from './worker-session.js';

/** How long running jobs may go on when the server stops. */
const STOP_MS = 5_000;

export interface WorkerDependencies {
  db: Database;
  databaseUrl: string;
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
 * Works off the document jobs of the database, here and beside other processes. Jobs of a process that died are taken
 * over within seconds, and later from death to death.
 */
export function startWorker({ db, databaseUrl, processDocument, limits, log }: WorkerDependencies): Worker {
  const owner = uuid();
  const lanes = createLanes(limits);
  const stopping = new AbortController();
  const aborting = new AbortController();
  const session = createWorkerSession(databaseUrl, wake);
  const runJob = createRunJob({
    db,
    processDocument,
    stopping: stopping.signal,
    aborting: aborting.signal,
    log,
  });
  const underWay = new Set<Promise<void>>();
  let isAwake = false;
  let claiming = Promise.resolve();

  /** Has jobs claimed, one after another; once more where it is called meanwhile. */
  function wake(): void {
    if (isAwake) return;
    isAwake = true;
    claiming = claiming
      .then(claimAll)
      .catch((error) => log.warn({ err: error }, 'no job could be claimed; trying again'));
  }

  async function claimAll(): Promise<void> {
    isAwake = false;
    while (!stopping.signal.aborted) {
      const open = lanes.open();
      if (open.length === 0) return;
      const claim = await claimJob(session, { lanes: open, full: lanes.fullQueues(), owner });
      if (!claim) return;
      const { lane, tenantId, job } = claim;
      lanes.serve(lane, tenantId);
      if (!job) continue;
      const free = lanes.take(lane, tenantId);
      const run = runJob(job).finally(() => {
        free();
        underWay.delete(run);
        wake();
      });
      underWay.add(run);
    }
  }

  const heartbeat = startHeartbeat({ session, owner, onBeat: wake, log });
  return {
    async stop() {
      stopping.abort();
      await claiming;
      const deadline = setTimeout(() => aborting.abort(), STOP_MS);
      while (underWay.size > 0) await Promise.all(underWay);
      clearTimeout(deadline);
      await heartbeat.stop();
      await session.end();
    },
  };
}
