import type { Logger } from 'pino';
import { v7 as uuid } from 'uuid';
import type { Database } from '../../../db/schema.js';
import type { ProcessDocument } from '../process-document.js';
import { type ClaimedJob, claimJob } from './claim-job.js';
import { startHeartbeat } from './heartbeat.js';
import { fullQueues, hasRoom, type JobLimits, type Queue, queueName } from './lanes.js';
import { createRunJob } from './run-job.js';
import { createWorkerSession } from './worker-session.js';

const LANES = ['suspect', 'small', 'large'] as const;
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
  const stopping = new AbortController();
  const aborting = new AbortController();
  const session = createWorkerSession(databaseUrl, wake);
  const signals = { stopping: stopping.signal, aborting: aborting.signal };
  const runJob = createRunJob({ db, processDocument, ...signals, log });
  const inFlight = new Map<ClaimedJob, Promise<void>>();
  /** The tenant served last in each lane. The lane served longest ago comes first. */
  let lastServed: Queue[] = LANES.map((lane) => ({ lane, tenantId: '' }));
  let isAwake = false;
  let claiming = Promise.resolve();

  /** Starts claiming jobs; called while claims are running, it has them looked for once more. */
  function wake(): void {
    if (isAwake) return;
    isAwake = true;
    claiming = claiming
      .then(claimAll)
      .catch((error) => log.warn({ err: error }, 'no job could be claimed; trying again'));
  }

  async function claimAll(): Promise<void> {
    isAwake = false;
    /** Queues whose waiting jobs are locked by others: skipped until the next wake-up. */
    const locked: string[] = [];
    while (!stopping.signal.aborted) {
      const busy = [...inFlight.keys()];
      const open = lastServed.filter(({ lane }) => hasRoom(lane, busy, limits));
      const full = [...fullQueues(busy, limits), ...locked];
      const claim = open.length > 0 && (await claimJob(session, { lastServed: open, full, owner }));
      if (!claim) return;
      const { lane, tenantId } = claim;
      lastServed = [...lastServed.filter((queue) => queue.lane !== lane), { lane, tenantId }];
      if (claim.documentId === null) locked.push(queueName(claim));
      else run(claim);
    }
  }

  function run(job: ClaimedJob): void {
    const done = runJob(job).finally(() => {
      inFlight.delete(job);
      wake();
    });
    inFlight.set(job, done);
  }

  const heartbeat = startHeartbeat({
    session,
    owner,
    inFlight: () => Array.from(inFlight.keys(), ({ sequence }) => sequence),
    onBeat: wake,
    log,
  });
  return {
    async stop() {
      stopping.abort();
      await claiming;
      const deadline = setTimeout(() => aborting.abort(), STOP_MS);
      while (inFlight.size > 0) await Promise.all(inFlight.values());
      clearTimeout(deadline);
      await heartbeat.stop();
      await session.end();
    },
  };
}
