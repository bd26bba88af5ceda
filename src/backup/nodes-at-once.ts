import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import type { CatalogTable } from '../../db/catalog.js';
import { isCluster } from '../../db/cluster/cluster.js';
import { layout } from '../../db/cluster/layout.js';
import { TRANSACTION_STAYS_OPEN } from '../../db/older-writes.js';
import type { Database } from '../../db/schema.js';
import { conflict } from '../errors/errors.js';
import { quote } from './connection.js';

/*
 * Citus has no snapshot of all nodes: a worker's is taken when the transaction first reads from it. Of a transaction that
 * writes on several nodes, one snapshot could show its part and another not. These transactions write a table that is not on
 * shards, so while nobody writes those, the snapshots show one moment.
 */

/** Writers wait behind this one: it gives up soon, and tries again. */
const STOP_TIMEOUT_MS = 500;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const LONGEST_WAIT_MS = 600_000;
/** The timeout, and a deadlock with what was running. */
const CONTENDED = new Set(['57014', '40P01']);

/**
 * Settings of the session: a transaction has one connection to each worker, and so one snapshot there, and locks a table on the
 * coordinator, as all who write do. Servers without Citus do not read them.
 */
export const ONE_CONNECTION_A_WORKER = `
  set citus.max_adaptive_executor_pool_size = 1; set citus.enable_ddl_propagation = off;
  set citus.propagate_set_commands = 'local'`;

export const isOnShards = ({ name }: CatalogTable): boolean => layout[name]?.placement === 'shard';

/** Before the transaction, so that connections are there: the next statement from each worker is quick. */
export const connectToWorkers = (client: pg.Client, tables: CatalogTable[]): Promise<unknown> =>
  client.query(`select from ${quote(tables.find(isOnShards)?.name ?? '')} limit 1`);

/**
 * Lets nobody write on several nodes, in a transaction that has no snapshot yet.
 *
 * @param tables that are to be read
 * @throws DomainError `conflict` where a transaction of another has not ended for ten minutes
 */
export async function stopWriters(client: pg.Client, db: Database, tables: CatalogTable[]): Promise<void> {
  const names = tables
    .filter(({ name }) => layout[name] && layout[name].placement !== 'shard')
    .map(({ name }) => quote(name));
  const deadline = Date.now() + LONGEST_WAIT_MS;
  await client.query('savepoint writers');
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    await client.query(`set local statement_timeout = ${STOP_TIMEOUT_MS}`);
    const isStopped = await client.query(`lock table ${names.join(', ')} in share mode`).then(
      () => true,
      (error) => {
        if (!CONTENDED.has(error.code)) throw error;
        return false;
      },
    );
    if (isStopped && !(await hasInterrupted(db))) return;
    await client.query('rollback to savepoint writers');
    if (Date.now() > deadline) throw conflict(TRANSACTION_STAYS_OPEN, []);
    await delay(pauseMs);
  }
}

/** Takes the snapshot of each worker, and lets others write again. */
export async function openOnWorkers(client: pg.Client, tables: CatalogTable[]): Promise<void> {
  await connectToWorkers(client, tables);
  await client.query('rollback to savepoint writers');
}

/** Whether a crash has left a transaction that is committed on the coordinator and still prepared on a worker. */
async function hasInterrupted(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select from run_command_on_workers($$select string_agg(gid, ' ') from pg_prepared_xacts$$) as prepared
    join pg_dist_transaction on gid = any(string_to_array(prepared.result, ' ')) limit 1`.execute(db);
  return rows.length > 0;
}

/** Where the shards of a cluster are. One that moves is read where the snapshot does not see its rows. */
export async function readPlacements(db: Database): Promise<string | undefined> {
  if (!(await isCluster((text) => sql.raw<never>(text).execute(db)))) return undefined;
  const { rows } = await sql<{ placements: string }>`
    select md5(string_agg(placementid::text, ' ' order by placementid)) as placements
    from pg_dist_placement`.execute(db);
  return rows[0]?.placements;
}
