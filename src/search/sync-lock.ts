import { sql } from 'kysely';
import type { Database, Queryable } from '../../db/schema.js';

/** Of the advisory locks: whoever writes into the live index, and whoever builds another, holds one. */
const WRITER = 7_203_116;
const BUILDER = 7_203_117;

/**
 * Runs something as the only one who writes into the index, on the session that holds the lock: with the session the
 * right to write is lost, and its queries fail.
 *
 * @param options.wait whether to wait for the lock; otherwise nothing is done where another has it
 * @returns whether it was done
 */
export const asOnlyWriter = (
  db: Database,
  { wait }: { wait: boolean },
  work: (session: Database) => Promise<void>,
): Promise<boolean> => withLock(db, { lock: WRITER, wait }, work);

/** Runs something as the only one who builds an index; where another does, nothing is done. */
export const asOnlyBuilder = (db: Database, work: () => Promise<void>): Promise<boolean> =>
  withLock(db, { lock: BUILDER, wait: false }, work);

/** Whether somebody waits for the right to write into the index. */
export async function isWriterAwaited(db: Queryable): Promise<boolean> {
  const { rows } = await sql<{ awaited: boolean }>`
    select exists (
      select from pg_locks where locktype = 'advisory' and objid = ${WRITER} and not granted
        and database = (select oid from pg_database where datname = current_database())) as awaited
  `.execute(db);
  return rows[0]?.awaited ?? false;
}

function withLock(
  db: Database,
  { lock, wait }: { lock: number; wait: boolean },
  work: (session: Database) => Promise<void>,
): Promise<boolean> {
  return db.connection().execute(async (session) => {
    if (wait) await sql`select pg_advisory_lock(${lock})`.execute(session);
    else {
      const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${lock}) as locked`.execute(
        session,
      );
      if (!rows[0]?.locked) return false;
    }
    try {
      await work(session);
      return true;
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(session);
    }
  });
}
