import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DomainError } from '../errors.js';
import type { ChunkIndex, ChunkQuery, SearchCandidates } from './chunk-index.js';
import { toOperatorMessage } from './meilisearch/errors.js';

/** How often an index that is away is asked whether it is back. */
const HEALTH_CHECK_INTERVAL_MS = 1_000;

export interface FallbackOptions {
  /** Answers in the place of the index. */
  fallback: Pick<ChunkIndex, 'search'>;
  /** Fires when the service stops. */
  stopping: AbortSignal;
  log: Logger;
}

/**
 * Searches elsewhere while an index cannot answer. The search that finds it away waits for it; those after it do not,
 * until it is back.
 */
export function withFallback(index: ChunkIndex, { fallback, stopping, log }: FallbackOptions): ChunkIndex {
  let isDown = false;
  return { engine: index.engine, search, applyChanges: index.applyChanges, status: index.status };

  async function search(query: ChunkQuery): Promise<SearchCandidates> {
    if (isDown) return fallback.search(query);
    try {
      return await index.search(query);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (!isDown) {
        isDown = true;
        log.warn({ reason: toOperatorMessage(error.cause) }, 'searches are answered by PostgreSQL for now');
        pollUntilAvailable().catch((reason) => {
          if (!stopping.aborted) throw reason;
        });
      }
      return fallback.search(query);
    }
  }

  async function pollUntilAvailable(): Promise<void> {
    while (isDown) {
      await delay(HEALTH_CHECK_INTERVAL_MS, undefined, { signal: stopping, ref: false });
      // The database, which is asked as well, may be away itself.
      const { available } = await index.status().catch(() => ({ available: false }));
      isDown = !available;
    }
    log.info(`searches are answered by ${index.engine} again`);
  }
}

/** Whether the index itself says that it cannot answer. When the database is away, nobody can. */
const isUnavailable = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.code === 'unavailable';
