import type { Logger } from 'pino';

const INTERVAL_MS = 5 * 60_000;
const MAX_LENGTH = 300;

/** Writes one warning in five minutes, with how many there were since the last. */
export function warnSeldom(log: Logger): (reason: string) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  let count = 0;
  return (reason) => {
    count++;
    if (performance.now() - warnedAt < INTERVAL_MS) return;
    log.warn({ reason: reason.slice(0, MAX_LENGTH), count }, 'traces are not exported');
    warnedAt = performance.now();
    count = 0;
  };
}
