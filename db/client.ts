import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database, Schema } from './schema.js';
import { tenantQueryGuard } from './tenant-isolation/query-guard/query-guard.js';
import { camelCaseNames } from './tenant-isolation/unscoped.js';

const INT8 = 20;

export interface DatabaseClient {
  db: Database;
  pool: pg.Pool;
  close(): Promise<void>;
}

/**
 * Opens a pool of connections on the PostgreSQL server at `url`. Nothing is sent until the first query.
 *
 * @param options.max most connections at once (default 10)
 * @param options.onError called for connections that break while idle; the pool replaces them
 */
export function connectDatabase(
  url: string,
  options: { max?: number; onError?: (error: Error) => void } = {},
): DatabaseClient {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    connectionTimeoutMillis: 5_000,
    types: { getTypeParser: parserFor },
  });
  // A connection may break while idle or between two queries of a transaction; without a listener either
  // would end the process.
  const onError = options.onError ?? (() => {});
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));

  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    // The query guard comes last: it checks the statement as it is sent.
    plugins: [camelCaseNames, tenantQueryGuard()],
  });
  return { db, pool, close: () => db.destroy() };
}

// bigint columns hold counts and revisions, far below 2^53.
const parserFor: typeof pg.types.getTypeParser = (oid: number, format?: unknown) =>
  oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');
