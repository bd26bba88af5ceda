import { setTimeout as delay } from 'node:timers/promises';

/**
 * Checks after a pause, and again after pauses that double up to the longest, until the check says yes.
 *
 * @returns false if `stopping` fired first
 */
export async function pollUntil(
  check: () => Promise<boolean>,
  {
    firstPauseMs,
    longestPauseMs = firstPauseMs,
    stopping,
  }: { firstPauseMs: number; longestPauseMs?: number; stopping: AbortSignal },
): Promise<boolean> {
  try {
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
      await delay(pause, undefined, { signal: stopping, ref: false });
      if (await check()) return true;
    }
  } catch (error) {
    if (stopping.aborted) return false;
    throw error;
  }
}
