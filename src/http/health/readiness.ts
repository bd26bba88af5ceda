import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

export interface HealthChecks {
  /** Whether it can be written to. Rejects if the database is unavailable. */
  database: () => Promise<{ isReadOnly: boolean }>;
  search: () => Promise<{ available: boolean; reason?: string }>;
}

export interface Readiness {
  /** `read_only` on a standby, say: reads are served. */
  database: 'ok' | 'read_only' | 'unavailable';
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
  let last: Readiness['database'] = 'ok';

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
    const database = await checkDatabase();
    if (database === 'unavailable') return { database, search: 'unknown' };
    const { available } = await inTime(checks.search()).catch(() => ({ available: false }));
    return { database, search: available ? 'ok' : 'degraded' };
  }

  /** Logs each change. The error names hosts and users, so it is in the log alone. */
  async function checkDatabase(): Promise<Readiness['database']> {
    const before = last;
    try {
      const { isReadOnly } = await inTime(checks.database());
      last = isReadOnly ? 'read_only' : 'ok';
      if (before === 'unavailable') log.info('the database serves again');
      if (isReadOnly && before !== last) log.warn('the database is read-only; writes are answered with 503');
      if (before === 'read_only' && last === 'ok') log.info('the database takes writes again');
    } catch (error) {
      last = 'unavailable';
      if (before !== last) log.warn({ err: error }, 'the database does not serve');
    }
    return last;
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
