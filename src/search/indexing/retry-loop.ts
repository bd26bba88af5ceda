import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

export interface RetryLoopOptions {
  /** @returns how long to pause before the next one */
  step(): Promise<number>;
  /** Ends the loop, and what the step waits for. */
  signal: AbortSignal;
  /** The pause after a failure; it doubles with each further one. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** The least pause after this failure. */
  readLeastPauseMs?(error: unknown): number;
  onFailure?(error: unknown, reason: string): Promise<void>;
  /** For the log, which says the same reason once. */
  describeError(error: unknown): string;
  messages: { failed: string; recovered: string };
  log: Logger;
}

/** Runs a step again and again, one at a time, until it is stopped. Failures are retried with backoff. */
export async function runRetryLoop({
  step,
  signal,
  firstPauseMs,
  longestPauseMs,
  readLeastPauseMs = () => 0,
  onFailure = async () => {},
  describeError,
  messages,
  log,
}: RetryLoopOptions): Promise<void> {
  let failures = 0;
  let lastReason: string | undefined;
  while (!signal.aborted) {
    let pause: number;
    try {
      pause = await step();
      if (failures > 0) log.info(messages.recovered);
      failures = 0;
      lastReason = undefined;
    } catch (error) {
      if (signal.aborted) return;
      pause = Math.max(Math.min(firstPauseMs * 2 ** failures, longestPauseMs), readLeastPauseMs(error));
      failures++;
      const reason = describeError(error);
      if (reason !== lastReason) log.warn({ reason }, messages.failed);
      lastReason = reason;
      await onFailure(error, reason);
    }
    await delay(pause, undefined, { signal }).catch(() => {});
  }
}
