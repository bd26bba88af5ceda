import type { CancellationOptions } from '../../db/cancellable-pool.js';
import { connectDatabase, type DatabaseClient } from '../../db/client.js';
import { createConcurrencyLimit } from '../async/concurrency-limit.js';
import type { Config } from '../config/config.js';
import { poolExhausted } from '../errors/errors.js';
import { currentRequest } from '../http/request/request-context.js';
import { currentTenant } from '../routers/current-tenant.js';
import { traceStatements } from '../tracing/observe-statements.js';
import { connectSearchDatabase } from './search-database.js';

/** Of the connections for requests, and of those for searches, that one tenant may have; of these, what its writes may. */
const TENANT_SHARE = 0.7;
/** Calls of a tenant that wait for a connection; the next ones are refused at once. */
const MAX_WAITING = 1_000;
const WRITE_SHARE = 0.75;

export interface Databases {
  /** For requests: with time limits, and cancelled when a client disconnects. */
  requests: DatabaseClient;
  /** Cancelled likewise. */
  search: DatabaseClient;
  /** For jobs, deliveries, the search index, rollups and sweeps. */
  background: DatabaseClient;
  /** How many writes of a tenant may have a connection at a time. */
  writesPerTenant: number;
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
  const tenantShare = (pool: 'requests' | 'search') => {
    const limit = createConcurrencyLimit({
      perKey: shareOf(pools[pool], TENANT_SHARE),
      wait: { maxMs: connectionTimeoutMs, maxTasks: MAX_WAITING, toError: poolExhausted },
    });
    return { currentTenant, run: limit.run };
  };
  const settings = { idle_in_transaction_session_timeout: `${pools.idleTransactionTimeoutMs}ms` };
  const background = connectDatabase(url, {
    ...shared('background'),
    statementTimeoutMs: pools.backgroundStatementTimeoutMs,
    settings,
  });
  const cancellation: CancellationOptions = {
    currentOwner: currentRequest,
    cancelBackend: (processId) => background.pool.query('select pg_cancel_backend($1::integer)', [processId]),
  };
  const search = connectSearchDatabase(url, {
    ...shared('search'),
    tenantShare: tenantShare('search'),
    cancellation,
  });
  const requests = connectDatabase(url, {
    ...shared('requests'),
    statementTimeoutMs: pools.statementTimeoutMs,
    settings,
    tenantShare: tenantShare('requests'),
    cancellation,
  });
  return {
    requests,
    search,
    background,
    writesPerTenant: shareOf(shareOf(pools.requests, TENANT_SHARE), WRITE_SHARE),
    close: async () => void (await Promise.all([requests.close(), search.close(), background.close()])),
  };
}

const shareOf = (connections: number, share: number): number => Math.max(1, Math.floor(connections * share));
