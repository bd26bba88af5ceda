import { sql } from 'kysely';
import { advisoryLockKey, type LockNamespace } from '../../../db/advisory-locks.js';
import type { Database, Queryable } from '../../../db/schema.js';

/* Advisory locks with a name, held until the end of the transaction. */

/** Acquires the lock, waiting for it. */
export async function acquireLock(tx: Queryable, namespace: LockNamespace, ...name: string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLockKey(namespace, name)}::bigint)`.execute(tx);
}

/** @returns whether it was acquired */
export async function tryAcquireLock(
  tx: Queryable,
  namespace: LockNamespace,
  ...name: string[]
): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock(${advisoryLockKey(namespace, name)}::bigint) as is_free
  `.execute(tx);
  return rows[0]?.isFree ?? false;
}

/** Runs `work` in a transaction that holds the lock of an id. @returns undefined where another one holds it */
export function tryWithLock<T>(
  db: Database,
  id: number,
  work: (tx: Queryable) => Promise<T>,
): Promise<T | undefined> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ isFree: boolean }>`
      select pg_try_advisory_xact_lock(${id}) as is_free
    `.execute(tx);
    return rows[0]?.isFree ? work(tx) : undefined;
  });
}
