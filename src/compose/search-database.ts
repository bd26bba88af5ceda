import { connectDatabase, type DatabaseClient, type DatabaseClientOptions } from '../../db/client.js';

/**
 * Connections for searches, which neither wait for other requests nor hold them up. Their few statements are planned
 * once for each connection and look everything up by index: what the planner believes of a table that has just grown
 * does not matter. Index scans skip rows that are gone after the first one; bitmap scans read them until vacuum has been
 * there. None runs longer than a second.
 */
export const connectSearchDatabase = (
  url: string,
  options: Pick<
    DatabaseClientOptions,
    | 'max'
    | 'connectionTimeoutMs'
    | 'statementTimeoutMs'
    | 'onError'
    | 'observer'
    | 'tenantShare'
    | 'cancellation'
  >,
): DatabaseClient => {
  const client = connectDatabase(url, {
    statementTimeoutMs: 1_000,
    ...options,
    prepare: true,
    settings: { enable_seqscan: 'off', enable_bitmapscan: 'off', jit: 'off' },
  });
  // Sent before the first statement, which fails as well where the connection does.
  client.pool.on('connect', (connection) => connection.query(PLAN_ONCE).catch(options.onError ?? (() => {})));
  return client;
};

/** A cluster chooses the node of a statement by its parameters, and so plans it with them. */
const PLAN_ONCE = `
  select set_config('plan_cache_mode', 'force_generic_plan', false)
  where not exists (select from pg_extension where extname = 'citus')`;
