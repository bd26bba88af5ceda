import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../../db/schema.js';
import { ROLLUP_BATCH_SIZE, rollUpUsage } from './tenant-usage.js';

const INTERVAL_MS = 5_000;

export interface UsageRollup {
  stop(): Promise<void>;
}

/** Rolls up usage changes every few seconds, so that few are left to be added up by readers. */
export function startUsageRollup({ db, log }: { db: Database; log: Logger }): UsageRollup {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isFailing = false;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        while (!signal.aborted && (await rollUpUsage(db)) === ROLLUP_BATCH_SIZE);
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'usage changes could not be rolled up; retrying');
        isFailing = true;
      }
      await delay(INTERVAL_MS, undefined, { signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
