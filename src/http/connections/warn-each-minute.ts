import type { Logger } from 'pino';

const INTERVAL_MS = 60_000;

export type Warn = (message: string, about: object) => void;

/** Warns of the same once a minute. */
export function warnEachMinute(log: Logger): Warn {
  const warnedAt = new Map<string, number>();
  return (message, about) => {
    const now = performance.now();
    if (now - (warnedAt.get(message) ?? Number.NEGATIVE_INFINITY) < INTERVAL_MS) return;
    warnedAt.set(message, now);
    log.warn(about, message);
  };
}
