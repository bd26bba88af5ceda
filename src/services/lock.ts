import { sql } from 'kysely';
import type { Queryable } from '../../db/schema.js';

/* Locks on what has no row to be locked: named by texts, and held until the transaction ends, however it ends. */

const keyOf = (name: string[]) => sql`hashtextextended(${JSON.stringify(name)}, 0)`;

/** Waits until nobody else holds the lock. */
export async function waitForLock(tx: Queryable, ...name: string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(${keyOf(name)})`.execute(tx);
}

/** @returns whether nobody else held it */
export async function tryLock(tx: Queryable, ...name: string[]): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock(${keyOf(name)}) as is_free
  `.execute(tx);
  return rows[0]?.isFree ?? false;
}
