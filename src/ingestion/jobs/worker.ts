import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { v7 as uuid } from 'uuid';
import type { Database } from '../../../db/schema.js';
import type { CountDocuments } from '../../metrics/activity.js';
import type { Tracing } from '../../tracing/tracing.js';
import type { ProcessDocument } from '../process-document.js';
import type { ProcessTogether } from '../process-together.js';
import { type ClaimedBatch, claimJobs } from './claim-job.js';
import { startHeartbeat } from './heartbeat.js';
import { fullQueues, hasRoom, type JobLimits, type Queue } from './lanes.js';
import { createRunJobs } from './run-job.js';
import { createWorkerSession } from './worker-session.js';

const LANES = ['suspect', 'tiny', 'small', 'large', 'extraction'] as const;
/** How long running jobs may go on when the server stops. */
const STOP_MS = 5_000;
/** Until jobs that others had locked are looked for again. */
const LOCKED_PAUSE_MS = 100;

export interface WorkerDependencies {
  db: Database;
  databaseUrl: string;
  processDocument: ProcessDocument;
  processTogether: ProcessTogether;
  countDocuments?: CountDocuments | undefined;
  /** How many documents are worked on at a time, also while they only wait for a web page. */
  limits: JobLimits;
  tracing?: Tracing | undefined;
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
export function startWorker(dependencies: WorkerDependencies): Worker {
  const { db, databaseUrl, processDocument, processTogether, countDocuments, limits, tracing, log } =
    dependencies;
  const owner = uuid();
  const stopping = new AbortController();
  const aborting = new AbortController();
  // Each of many tiny documents listens to it.
  setMaxListeners(0, aborting.signal);
  const session = createWorkerSession(databaseUrl, wake);
  const signals = { stopping: stopping.signal, aborting: aborting.signal };
  const runJobs = createRunJobs({
    db,
    processDocument,
    processTogether,
    countDocuments,
    tracing,
    log,
    ...signals,
  });
  const inFlight = new Map<ClaimedBatch, Promise<void>>();
  /** The tenant served last in each lane. The lane served longest ago comes first. */
  let lastServed: Queue[] = LANES.map((lane) => ({ lane, tenantId: '' }));
  let isAwake = false;
  let claiming = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;

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
    clearTimeout(retry);
    /** Queues whose waiting jobs are locked by others: skipped until the next wake-up, in a moment. */
    const locked: Queue[] = [];
    while (!stopping.signal.aborted) {
      const busy = [...inFlight.keys()];
      const open = lastServed.filter(({ lane }) => hasRoom(lane, busy, limits));
      const full = [...fullQueues(busy, limits), ...locked];
      const claim = open.length > 0 && (await claimJobs(session, { lastServed: open, full, owner }));
      if (!claim) {
        if (locked.length > 0) retry = setTimeout(wake, LOCKED_PAUSE_MS);
        return;
      }
      const { lane, tenantId } = claim;
      lastServed = [...lastServed.filter((queue) => queue.lane !== lane), { lane, tenantId }];
      if (claim.jobs.length === 0) locked.push({ lane, tenantId });
      // A crash of the database loses claims whose jobs go on here: their leases begin again.
      const running = sequencesInFlight();
      const jobs = claim.jobs.filter(({ sequence }) => !running.includes(sequence));
      if (jobs.length > 0) run({ ...claim, jobs });
    }
  }

  const sequencesInFlight = (): number[] =>
    [...inFlight.keys()].flatMap(({ jobs }) => jobs.map(({ sequence }) => sequence));

  function run(batch: ClaimedBatch): void {
    const done = runJobs(batch).finally(() => {
      inFlight.delete(batch);
      wake();
    });
    inFlight.set(batch, done);
  }

  const heartbeat = startHeartbeat({
    session,
    owner,
    inFlight: sequencesInFlight,
    onBeat: wake,
    log,
  });
  return {
    async stop() {
      stopping.abort();
      await claiming;
      clearTimeout(retry);
      const deadline = setTimeout(() => aborting.abort(), STOP_MS);
      while (inFlight.size > 0) await Promise.all(inFlight.values());
      clearTimeout(deadline);
      await heartbeat.stop();
      await session.end();
    },
  };
}
