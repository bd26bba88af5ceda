import { connectDatabase, type DatabaseClient } from '../../db/client.js';
import type { Config } from '../config/config.js';
import { currentRequest } from '../http/request/request-context.js';
import { traceStatements } from '../tracing/observe-statements.js';
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
  { onError, isTraced }: { onError: (error: Error) => void; isTraced: boolean },
): Databases {
  const { connectionTimeoutMs } = pools;
  const shared = (pool: 'requests' | 'search' | 'background') => ({
    max: pools[pool],
    connectionTimeoutMs,
    onError,
    observer: isTraced ? traceStatements(pool) : undefined,
  });
  const settings = { idle_in_transaction_session_timeout: `${pools.idleTransactionTimeoutMs}ms` };
  const background = connectDatabase(url, {
    ...shared('background'),
    statementTimeoutMs: pools.backgroundStatementTimeoutMs,
    settings,
  });
  const search = connectSearchDatabase(url, shared('search'));
  const requests = connectDatabase(url, {
    ...shared('requests'),
    statementTimeoutMs: pools.statementTimeoutMs,
    settings,
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
