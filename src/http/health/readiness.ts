import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

export interface HealthChecks {
  /** Rejects if the database is unavailable. */
  database: () => Promise<void>;
  search: () => Promise<{ available: boolean; reason?: string }>;
}

export interface Readiness {
  database: 'ok' | 'unavailable';
  /** `unknown` while the database is unavailable. */
  search: 'ok' | 'degraded' | 'unknown';
}

export interface ReadinessOptions {
  checks: HealthChecks;
  log: Logger;
  /** How long a result is cached. */
  cacheMs?: number;
  /** Timeout of a check. */
  timeoutMs?: number;
}

const FRESH_MS = 1_000;
const TIME_LIMIT_MS = 5_000;

/**
 * Readiness of the server. Checks are coalesced and cached, so that the endpoint may be polled at any rate.
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
      // The error names hosts and users, so it is only logged, once per change.
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
