import { sql } from 'kysely';
import { FIXED_LOCK_IDS } from '../../../db/advisory-locks.js';
import type { Database, Queryable } from '../../../db/schema.js';

const { indexWriter, indexBuilder, embedder } = FIXED_LOCK_IDS;

/**
 * Runs `work` under the writer lock, on the connection that holds it: if the connection breaks, the lock is
 * released and its queries fail.
 *
 * @param options.wait whether to wait for the lock; otherwise returns false if it is held
 * @param options.signal ends the waiting
 * @returns whether it was done
 */
export const withWriterLock = (
  db: Database,
  options: { wait: boolean; signal?: AbortSignal | undefined },
  work: (lockedDb: Database) => Promise<void>,
): Promise<boolean> => withLock(db, { lock: indexWriter, ...options }, work);

/** Runs `work` under the rebuild lock; returns false if it is held. */
export const withRebuildLock = (db: Database, work: () => Promise<void>): Promise<boolean> =>
  withLock(db, { lock: indexBuilder, wait: false }, work);

/** Runs `work` under the lock for embedding texts; returns false if it is held. */
export const withEmbedderLock = (db: Database, work: () => Promise<void>): Promise<boolean> =>
  withLock(db, { lock: embedder, wait: false }, work);

/** Whether another connection waits for the writer lock. */
export async function isWriterLockContended(db: Queryable): Promise<boolean> {
  const { rows } = await sql<{ awaited: boolean }>`
    select exists (
      select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${indexWriter} and objsubid = 1 and not granted
        and database = (select oid from pg_database where datname = current_database())) as awaited
  `.execute(db);
  return rows[0]?.awaited ?? false;
}

function withLock(
  db: Database,
  options: { lock: number; wait: boolean; signal?: AbortSignal | undefined },
  work: (lockedDb: Database) => Promise<void>,
): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    if (options.wait) await waitForLock(connection, options);
    else if (!(await tryLock(connection, options.lock))) return false;
    try {
      await work(connection);
      return true;
    } finally {
      await sql`select pg_advisory_unlock(${options.lock})`.execute(connection);
    }
  });
}

async function tryLock(connection: Database, lock: number): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${lock}) as locked`.execute(
    connection,
  );
  return rows[0]?.locked ?? false;
}

/** Waits for the lock, checking the signal once a second. */
async function waitForLock(
  connection: Database,
  { lock, signal }: { lock: number; signal?: AbortSignal | undefined },
): Promise<void> {
  await sql`select set_config('lock_timeout', '1s', false)`.execute(connection);
  try {
    for (;;) {
      signal?.throwIfAborted();
      try {
        await sql`select pg_advisory_lock(${lock})`.execute(connection);
        return;
      } catch (error) {
        if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
      }
    }
  } finally {
    await sql`select set_config('lock_timeout', '0', false)`.execute(connection);
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
