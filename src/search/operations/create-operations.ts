import { MeilisearchError } from 'meilisearch';
import type { Database } from '../../../db/schema.js';
import { unavailable } from '../../errors.js';
import type { ChunkIndex } from '../chunk-index.js';
import { explainSearch } from '../explain.js';
import type { SearchServer } from '../meilisearch/connect.js';
import { explainError } from '../meilisearch/errors.js';
import { readDifferences } from '../meilisearch/settings.js';
import type { SearchOperations } from '../operations.js';
import { verifyIndex } from '../verify.js';
import { readTasks } from './index-tasks.js';
import { readStatus } from './search-status.js';

export interface OperationsDependencies {
  db: Database;
  index: ChunkIndex;
  /** Absent where PostgreSQL searches. */
  server: SearchServer | undefined;
  /** Whether PostgreSQL searches while the index cannot. */
  fallback: boolean;
}

/** @throws DomainError `unavailable`, with a sentence for operators, where the search server is needed and fails */
export function createOperations({ db, index, server, fallback }: OperationsDependencies): SearchOperations {
  return {
    status: () => readStatus({ db, index, server, fallback }),
    settings: async () =>
      server ? asking(async () => readDifferences((await server.working()).index(server.uid))) : [],
    tasks: async (filter) => (server ? asking(() => readTasks(db, server, filter)) : []),
    verify: async (options) => (server ? asking(() => verifyIndex({ db, server, ...options })) : null),
    explain: (query, options) => explainSearch({ db, index }, query, options),
  };
}

async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isServers = error instanceof MeilisearchError || error instanceof SyntaxError;
    throw isServers ? unavailable(explainError(error), error) : error;
  }
}
