import type { Logger } from 'pino';
import { pollUntil } from '../async/poll-until.js';
import { DomainError } from '../errors/errors.js';
import { currentSpan } from '../tracing/spans.js';
import type { ChunkIndex, ChunkQuery, SearchCandidates } from './chunk-index.js';

/** How often an unavailable index is checked. */
const HEALTH_CHECK_INTERVAL_MS = 1_000;

export interface FallbackOptions {
  /** Answers while the index is unavailable. */
  fallback: Pick<ChunkIndex, 'search'>;
  /** Describes for the log why the index is unavailable. */
  describeError: (error: unknown) => string;
  /** Fires when the service stops. */
  stopping: AbortSignal;
  log: Logger;
}

/**
 * Falls back to another engine while the index is unavailable. The search that detects the outage waits for
 * its timeout; later ones go to the fallback at once, until a health check succeeds.
 */
export function withFallback(
  index: ChunkIndex,
  { fallback, describeError, stopping, log }: FallbackOptions,
): ChunkIndex {
  let isDown = false;
  return { engine: index.engine, search, status: index.status };

  async function search(query: ChunkQuery): Promise<SearchCandidates> {
    if (isDown) return searchFallback(query);
    try {
      return await index.search(query);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (!isDown) {
        isDown = true;
        log.warn(
          { reason: describeError(error.cause) },
          'search server unavailable; PostgreSQL answers searches',
        );
        void waitUntilAvailable();
      }
      return searchFallback(query);
    }
  }

  function searchFallback(query: ChunkQuery): Promise<SearchCandidates> {
    currentSpan()?.set({ 'lectern.search.is_fallback': true });
    return fallback.search(query);
  }

  async function waitUntilAvailable(): Promise<void> {
    // The status check reads the database, which may be unavailable, too.
    const isAvailable = async () => (await index.status().catch(() => ({ available: false }))).available;
    if (!(await pollUntil(isAvailable, { firstPauseMs: HEALTH_CHECK_INTERVAL_MS, stopping }))) return;
    isDown = false;
    log.info(`${index.engine} answers searches again`);
  }
}

/** Whether the index is unavailable. An outage of the database is not covered: the fallback needs it, too. */
const isUnavailable = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.code === 'unavailable';
