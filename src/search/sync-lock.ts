import { sql } from 'kysely';
import type { Database } from '../../db/schema.js';

/** Of the advisory lock that whoever writes into the index holds. */
const LOCK = 7_203_116;

/**
 * Runs something as the only one who writes into the index, on the session that holds the lock: with the session the
 * right to write is lost, and its queries fail.
 *
 * @param options.wait whether to wait for the lock; otherwise nothing is done where another has it
 * @returns whether it was done
 */
export async function asOnlyWriter(
  db: Database,
  { wait }: { wait: boolean },
  work: (session: Database) => Promise<void>,
): Promise<boolean> {
  return db.connection().execute(async (session) => {
    if (wait) await sql`select pg_advisory_lock(${LOCK})`.execute(session);
    else {
      const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${LOCK}) as locked`.execute(
        session,
      );
      if (!rows[0]?.locked) return false;
    }
    try {
      await work(session);
      return true;
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(session);
    }
  });
}
