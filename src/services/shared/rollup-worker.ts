import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

const INTERVAL_MS = 5_000;

export interface RollupWorker {
  stop(): Promise<void>;
}

/**
 * Rolls up changes every few seconds, so that few are left to be added up by readers.
 *
 * @param what the changes, for the log
 * @param step rolls up a batch; returns whether there is more to do
 */
export function startRollup({
  what,
  step,
  log,
}: {
  what: string;
  step: () => Promise<boolean>;
  log: Logger;
}): RollupWorker {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isFailing = false;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        while (!signal.aborted && (await step()));
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, `${what} could not be brought up to date; retrying`);
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
