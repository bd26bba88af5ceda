import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

export interface HealthChecks {
  /** Rejects with the reason when the database does not serve. */
  database: () => Promise<void>;
  search: () => Promise<{ available: boolean; reason?: string }>;
}

export interface Readiness {
  database: 'ok' | 'unavailable';
  /** While the database does not serve, nobody knows. */
  search: 'ok' | 'degraded' | 'unknown';
}

export interface ReadinessOptions {
  checks: HealthChecks;
  log: Logger;
  /** How long a result is told again. */
  cacheMs?: number;
  /** What has not answered by then does not serve. */
  timeoutMs?: number;
}

const FRESH_MS = 1_000;
const TIME_LIMIT_MS = 5_000;

/**
 * Whether the server can do its work. Everybody may ask, as often as they like: there is one check at a time, whose result
 * is for all who asked meanwhile or ask a moment later.
 */
export function createReadiness(options: ReadinessOptions): () => Promise<Readiness> {
  const { checks, log, cacheMs = FRESH_MS, timeoutMs = TIME_LIMIT_MS } = options;
  let current: Promise<Readiness> | undefined;
  let isServing = true;

  return () => {
    if (!current) {
      current = check();
      const forget = () => {
        current = undefined;
      };
      current.then(() => setTimeout(forget, cacheMs).unref(), forget);
    }
    return current;
  };

  async function check(): Promise<Readiness> {
    try {
      await inTime(checks.database());
    } catch (error) {
      // Everybody may ask, and the error tells of hosts and users. The log hears of a change, not of each check.
      if (isServing) log.warn({ err: error }, 'the database does not serve');
      isServing = false;
      return { database: 'unavailable', search: 'unknown' };
    }
    if (!isServing) log.info('the database serves again');
    isServing = true;
    const { available } = await inTime(checks.search()).catch(() => ({ available: false }));
    return { database: 'ok', search: available ? 'ok' : 'degraded' };
  }

  async function inTime<T>(result: Promise<T>): Promise<T> {
    const over = new AbortController();
    const tooLate = delay(timeoutMs, undefined, { signal: over.signal, ref: false }).then(() => {
      throw new Error(`no answer in ${timeoutMs} ms`);
    });
    try {
      return await Promise.race([result, tooLate]);
    } finally {
      tooLate.catch(() => {});
      over.abort();
    }
  }
}
