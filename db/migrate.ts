import type pg from 'pg';
import { FIXED_LOCK_IDS } from './advisory-locks.js';
import { applyMigrations, type OnWaiting } from './apply-migrations.js';
import type { Query } from './cluster/cluster.js';
import { assertUsableCluster, distributeTables, isUndistributed } from './cluster/distribute.js';
import { assertUtf8 } from './encoding.js';
import { GuardedClient } from './guarded-client.js';
import { findPending, migrationNames, recordVersion } from './migration-record.js';
import { isBeingRestored, UnfinishedRestoreError } from './restore-marker.js';

interface MigrateOptions {
  /** Of the program, recorded beside each migration. */
  version?: string;
  /** Called when another process, or a table in use, has to be waited for. */
  onWaiting?: OnWaiting;
}

const CONNECTION_TIMEOUT_MS = 10_000;

/**
 * Brings the database at `url` to the latest schema, beside servers that use it. Several processes may call it at once;
 * the others wait for the first and then find nothing to do. Each migration is one transaction: one that fails or is
 * killed leaves nothing of itself behind.
 *
 * @returns the names of the migrations applied by this call
 * @throws the first migration error; NewerDatabaseError; UnfinishedRestoreError; EncodingError; ClusterError
 */
export const migrateToLatest = (url: string, options: MigrateOptions = {}): Promise<string[]> =>
  inSession(url, async (session) => {
    if (!(await isBehind(session)) && !(await isBeingRestored(session))) return [];
    await lockMigrations(session, options);
    if (await isBeingRestored(session)) throw new UnfinishedRestoreError();
    await assertUsableCluster(queryOf(session));
    const applied = await applyPending(session, url, options);
    await distributeTables(queryOf(session), options.onWaiting ?? (() => {}));
    return applied;
  });

const queryOf =
  (session: pg.Client): Query =>
  (text) =>
    session.query(text) as Promise<{ rows: never[] }>;

/** Whether the schema, or where a cluster has its tables, is to be changed. */
const isBehind = async (session: pg.Client): Promise<boolean> =>
  (await findPending(session)).length > 0 || (await isUndistributed(queryOf(session)));

/** @throws NewerDatabaseError where a newer version has migrated the database */
export const assertNotNewer = (url: string): Promise<void> =>
  inSession(url, async (session) => void (await findPending(session)));

/** Does something to a whole database while nobody migrates it, and so no server starts on it. */
export const withMigrationLock = <T>(url: string, work: (session: pg.Client) => Promise<T>): Promise<T> =>
  inSession(url, async (session) => {
    await lockMigrations(session);
    return work(session);
  });

/**
 * Applies what the database lacks, in a session that has the lock.
 *
 * @param isWanted by the name of a migration; default: all
 * @returns the names of those that were applied
 * @throws EncodingError where the database is new and cannot hold all texts
 */
export async function applyPending(
  session: pg.Client,
  url: string,
  { version = 'unknown', onWaiting = () => {} }: MigrateOptions = {},
  isWanted: (name: string) => boolean = () => true,
): Promise<string[]> {
  const missing = await findPending(session);
  const pending = missing.filter(isWanted);
  if (pending.length === 0) return [];
  if (missing.length === migrationNames().length) await assertUtf8(session);
  await recordVersion(session, version);
  await applyMigrations(url, pending, onWaiting);
  return pending;
}

async function inSession<T>(url: string, work: (session: pg.Client) => Promise<T>): Promise<T> {
  const session = new GuardedClient({
    connectionString: url,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  });
  // Where it breaks, its next statement fails.
  session.on('error', () => {});
  await session.connect();
  try {
    return await work(session);
  } finally {
    await session.end();
  }
}

async function lockMigrations(session: pg.Client, { onWaiting }: MigrateOptions = {}): Promise<void> {
  const id = [FIXED_LOCK_IDS.migration];
  const { rows } = await session.query('select pg_try_advisory_lock($1) as locked', id);
  if (rows[0]?.locked) return;
  onWaiting?.('Another process is migrating the database; waiting for it.');
  await session.query('select pg_advisory_lock($1)', id);
}
