import { sql } from 'kysely';
import { advisoryLockKey, type LockNamespace } from '../../../db/advisory-locks.js';
import type { Queryable } from '../../../db/schema.js';

/* Locks on what has no row to be locked: named by texts, and held until the transaction ends, however it ends. */

/** Waits until nobody else holds the lock. */
export async function acquireLock(tx: Queryable, namespace: LockNamespace, ...name: string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLockKey(namespace, name)}::bigint)`.execute(tx);
}

/** @returns whether nobody else held it */
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
