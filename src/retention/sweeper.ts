import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Prune } from '../../db/prune.js';

/** A server that is started again and again sweeps, too. */
const FIRST_AFTER_MS = 5 * 60_000;
/** What is left after so long is left for the next time. */
const MAX_SWEEP_MS = 5 * 60_000;
/** At least, between two batches; otherwise as long as the batch took. */
const MIN_PAUSE_MS = 10;

/** Removes one kind of what is left over. */
export interface Sweep {
  /** Such as a table. */
  what: string;
  prune: () => Prune;
}

interface SweeperOptions {
  sweeps: Sweep[];
  intervalMs: number;
  /** Told of each batch. */
  onPruned: (what: string, rows: number) => void;
  log: Logger;
}

/** Sweeps now and then, one kind after the other, at half the speed that the database would have. */
export function startSweeper({ sweeps, intervalMs, onPruned, log }: SweeperOptions): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => {});

  async function run(): Promise<void> {
    await pause(Math.min(FIRST_AFTER_MS, intervalMs));
    while (!signal.aborted) {
      for (const sweep of sweeps) if (!signal.aborted) await runSweep(sweep);
      await pause(intervalMs);
    }
  }

  async function runSweep({ what, prune }: Sweep): Promise<void> {
    const started = performance.now();
    let [rows, batchStarted] = [0, started];
    try {
      for await (const deleted of prune()) {
        rows += deleted;
        onPruned(what, deleted);
        if (signal.aborted || performance.now() - started > MAX_SWEEP_MS) break;
        await pause(Math.max(MIN_PAUSE_MS, performance.now() - batchStarted));
        batchStarted = performance.now();
      }
    } catch (error) {
      log.warn({ err: error, what }, 'could not sweep what is left over; trying again later');
    }
    if (rows > 0) log.info({ what, rows }, 'swept what is left over');
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
