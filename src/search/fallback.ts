import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DomainError } from '../errors.js';
import type { ChunkIndex, ChunkQuery, Proposal } from './chunk-index.js';
import { explainError } from './meilisearch/errors.js';

/** How often an index that is away is asked whether it is back. */
const CHECK_MS = 1_000;

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
  let isAway = false;
  return { engine: index.engine, search, apply: index.apply, status: index.status };

  async function search(query: ChunkQuery): Promise<Proposal> {
    if (isAway) return fallback.search(query);
    try {
      return await index.search(query);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (!isAway) {
        isAway = true;
        log.warn({ reason: explainError(error.cause) }, 'searches are answered by PostgreSQL for now');
        watch().catch((reason) => {
          if (!stopping.aborted) throw reason;
        });
      }
      return fallback.search(query);
    }
  }

  async function watch(): Promise<void> {
    while (isAway) {
      await delay(CHECK_MS, undefined, { signal: stopping, ref: false });
      // The database, which is asked as well, may be away itself.
      const { available } = await index.status().catch(() => ({ available: false }));
      isAway = !available;
    }
    log.info(`searches are answered by ${index.engine} again`);
  }
}

/** Whether the index itself says that it cannot answer. When the database is away, nobody can. */
const isUnavailable = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.code === 'unavailable';
