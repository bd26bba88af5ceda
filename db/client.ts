import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type CancellationOptions, cancellablePool, type StatementOwner } from './cancellable-pool.js';
import type { Database, Schema } from './schema.js';
import { createNames, sharedNameOf } from './statement-names.js';
import { GuardedQueryCompiler, tenantQueryGuard } from './tenant-isolation/query-guard/query-guard.js';
import { camelCaseNames } from './tenant-isolation/unscoped.js';

const INT8 = 20;

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
  /** Makes the pool's connections cancellable; see `cancellablePool`. */
  cancellation?: CancellationOptions;
  /** Called for connections that break while idle; the pool replaces them. */
  onError?: (error: Error) => void;
  /** Settings of PostgreSQL for every connection. */
  settings?: Record<string, string>;
  /**
   * Whether all statements are prepared once for each connection: for pools whose statements are few and fixed. Those of
   * `compileOnce` always are.
   */
  prepare?: boolean;
}

/** Opens a pool of connections on the PostgreSQL server at `url`. Nothing is sent until the first query. */
export function connectDatabase(url: string, options: DatabaseClientOptions = {}): DatabaseClient {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    connectionTimeoutMillis: options.connectionTimeoutMs ?? 5_000,
    types: { getTypeParser: parserFor },
    ...(options.settings && { options: toOptions(options.settings) }),
    Client: preparingClient(options.prepare ? createNames() : sharedNameOf),
  });
  // A connection may break while idle or between two queries of a transaction; without a listener either
  // would end the process.
  const onError = options.onError ?? (() => {});
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));

  const cancellable = options.cancellation && cancellablePool(pool, options.cancellation);
  const db = new Kysely<Schema>({
    dialect: new GuardedDialect({ pool: cancellable ?? pool }),
    // The query guard comes last: it checks the statement as it is sent.
    plugins: [camelCaseNames, tenantQueryGuard()],
  });
  return { db, pool, cancelStatements: (owner) => cancellable?.cancel(owner), close: () => db.destroy() };
}

class GuardedDialect extends PostgresDialect {
  override createQueryCompiler = () => new GuardedQueryCompiler();
}

// bigint columns hold counts and revisions, far below 2^53.
const parserFor: typeof pg.types.getTypeParser = (oid: number, format?: unknown) =>
  oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');

const toOptions = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** Prepares the statements that have a name. */
const preparingClient = (nameOf: (text: string) => string | undefined) =>
  class extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: the many signatures of pg
    override query(...[text, ...rest]: any[]): any {
      const name = typeof text === 'string' && Array.isArray(rest[0]) ? nameOf(text) : undefined;
      if (name === undefined) return super.query(text, ...(rest as []));
      const [values, ...others] = rest;
      return super.query({ name, text, values }, ...(others as []));
    }
  };
