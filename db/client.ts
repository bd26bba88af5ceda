import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { camelCaseNames } from './camel-case-names.js';
import { type CancellationOptions, cancellablePool, type StatementOwner } from './cancellable-pool.js';
import { parserFor } from './column-parsers.js';
import { observedPool, type StatementObserver, toKyselyLogger } from './observe-statements.js';
import { preparingClient } from './preparing-client.js';
import type { Database, Schema } from './schema.js';
import { createNames, sharedNameOf } from './statement-names.js';
import { GuardedQueryCompiler, tenantQueryGuard } from './tenant-isolation/query-guard/query-guard.js';
import { sharedByTenants, type TenantShareOptions } from './tenant-share.js';

export interface DatabaseClient {
  db: Database;
  pool: pg.Pool;
  /** Cancels what `owner` has PostgreSQL execute, where the pool is cancellable. */
  cancelStatements(owner: StatementOwner): void;
  close(): Promise<void>;
}

export interface DatabaseClientOptions {
  /** Most connections at once (default 10). */
  max?: number;
  /** How long to wait for a free connection, or for a new one (default 5,000). */
  connectionTimeoutMs?: number;
  /** Longest statement; the server cancels it, and a connection that says nothing of that is given up. */
  statementTimeoutMs?: number;
  /** Makes the pool's connections cancellable; see `cancellablePool`. */
  cancellation?: CancellationOptions;
  /** Limits the connections of each tenant. */
  tenantShare?: TenantShareOptions;
  /** Called for connections that break while idle; the pool replaces them. */
  onError?: (error: Error) => void;
  /** Settings of PostgreSQL for every connection. */
  settings?: Record<string, string>;
  /**
   * Whether all statements are prepared once for each connection: for pools whose statements are few and fixed. Those of
   * `compileOnce` always are.
   */
  prepare?: boolean;
  observer?: StatementObserver | undefined;
}

/** How much longer the answer may be on its way. */
const ANSWER_GRACE_MS = 2_000;

/**
 * For every connection: the server ends it, and what it has locked, within a minute after this process or the network has
 * gone without a word.
 */
const ALWAYS = {
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
  // Role and tenant of a transaction are set on all nodes of a cluster. Servers without Citus do not read it.
  'citus.propagate_set_commands': 'local',
};

/** Opens a pool of connections on the PostgreSQL server at `url`. Nothing is sent until the first query. */
export function connectDatabase(url: string, options: DatabaseClientOptions = {}): DatabaseClient {
  const { statementTimeoutMs } = options;
  const settings = {
    ...ALWAYS,
    ...(statementTimeoutMs && { statement_timeout: `${statementTimeoutMs}ms` }),
    ...options.settings,
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    connectionTimeoutMillis: options.connectionTimeoutMs ?? 5_000,
    types: { getTypeParser: parserFor },
    options: toOptions(settings),
    ...(statementTimeoutMs && { silenceMs: statementTimeoutMs + ANSWER_GRACE_MS }),
    Client: preparingClient(options.prepare ? createNames() : sharedNameOf),
  });
  // A connection may break while idle or between two queries of a transaction; without a listener either
  // would end the process.
  const onError = options.onError ?? (() => {});
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));

  const cancellable = options.cancellation && cancellablePool(pool, options.cancellation);
  const { observer, tenantShare } = options;
  const connections = cancellable ?? pool;
  const shared = tenantShare ? sharedByTenants(pool, connections, tenantShare) : connections;
  const db = new Kysely<Schema>({
    dialect: new GuardedDialect({ pool: observer ? observedPool(shared, observer) : shared }),
    ...(observer && { log: toKyselyLogger(observer) }),
    // The query guard comes last: it checks the statement as it is sent.
    plugins: [camelCaseNames, tenantQueryGuard()],
  });
  return { db, pool, cancelStatements: (owner) => cancellable?.cancel(owner), close: () => db.destroy() };
}

class GuardedDialect extends PostgresDialect {
  override createQueryCompiler = () => new GuardedQueryCompiler();
}

const toOptions = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
