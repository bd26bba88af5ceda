import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { LEASE_SECONDS, renewLeases, requeueExpired } from './leases.js';
import type { WorkerSession } from './worker-session.js';

const INTERVAL_MS = 2_000;
/** How long the database must have been reachable before others count as dead: they may have lost it as well. */
const GRACE_MS = LEASE_SECONDS * 1_000;

export interface HeartbeatOptions {
  session: WorkerSession;
  /** The worker whose leases are renewed. */
  owner: string;
  /** The sequences of its running jobs. */
  inFlight: () => number[];
  /** Called after each heartbeat: retries may have become due. */
  onBeat: () => void;
  log: Logger;
}

/** Renews the leases of a worker and requeues the jobs of dead ones, until stopped. */
export function startHeartbeat({ session, owner, inFlight, onBeat, log }: HeartbeatOptions) {
  const stopping = new AbortController();
  // By the clock of the database, which goes on while this machine sleeps.
  let lastBeat = Number.NEGATIVE_INFINITY;
  let steadySince = 0;

  async function beat(): Promise<void> {
    const now = (await renewLeases(session, owner, inFlight())).getTime();
    // It may have been set back, too.
    if (now < lastBeat || now - lastBeat > GRACE_MS / 2) steadySince = now;
    lastBeat = now;
    if (now - steadySince < GRACE_MS) return;
    for (const { leaseOwner, jobs } of await requeueExpired(session, owner)) {
      log.warn({ workerId: leaseOwner, jobs }, 'requeued the jobs of a dead worker');
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await beat().then(onBeat, (error) =>
        log.warn({ err: error }, 'the job queue is unavailable; retrying'),
      );
      await delay(INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    stop(): Promise<void> {
      stopping.abort();
      return running;
    },
  };
}
