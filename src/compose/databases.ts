import { connectDatabase, type DatabaseClient } from '../../db/client.js';
import type { Config } from '../config.js';
import { currentRequest } from '../request-context.js';
import { connectSearchDatabase } from './search-database.js';

export interface Databases {
  /** For requests: with time limits, and cancelled when a client disconnects. */
  requests: DatabaseClient;
  search: DatabaseClient;
  /** For jobs, deliveries, the search index, rollups and sweeps. */
  background: DatabaseClient;
  close(): Promise<void>;
}

/** The pools of a process. Each opens its connections when they are needed. */
export function connectDatabases(
  url: string,
  { databasePools: pools }: Pick<Config, 'databasePools'>,
  { onError }: { onError: (error: Error) => void },
): Databases {
  const { connectionTimeoutMs } = pools;
  const background = connectDatabase(url, { max: pools.background, connectionTimeoutMs, onError });
  const search = connectSearchDatabase(url, { max: pools.search, connectionTimeoutMs, onError });
  const requests = connectDatabase(url, {
    max: pools.requests,
    connectionTimeoutMs,
    onError,
    settings: {
      statement_timeout: `${pools.statementTimeoutMs}ms`,
      idle_in_transaction_session_timeout: `${pools.idleTransactionTimeoutMs}ms`,
    },
    cancellation: {
      currentOwner: currentRequest,
      cancelBackend: (processId) => background.pool.query('select pg_cancel_backend($1)', [processId]),
    },
  });
  return {
    requests,
    search,
    background,
    close: async () => void (await Promise.all([requests.close(), search.close(), background.close()])),
  };
}
