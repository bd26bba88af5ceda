import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Queryable } from './schema.js';

const POLL_MS = 100;
const LONGEST_MS = 300_000;
/** Where one of them does not end. */
export const TRANSACTION_STAYS_OPEN =
  'A transaction of this database server stays open. End it, then run this again.';

/**
 * Waits until every transaction that has written before this call has ended: what it wrote can be seen then.
 *
 * @returns false where one stays open for minutes
 */
export async function olderWritesEnded(db: Queryable): Promise<boolean> {
  const { rows } = await sql<{ next: string }>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as next
  `.execute(db);
  const next = rows[0]?.next ?? '0';
  for (let waited = 0; !(await haveEndedBefore(db, next)); waited += POLL_MS) {
    if (waited >= LONGEST_MS) return false;
    await delay(POLL_MS);
  }
  return true;
}

async function haveEndedBefore(db: Queryable, transaction: string): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`
    select pg_snapshot_xmin(pg_current_snapshot()) >= ${transaction}::xid8 as ended
  `.execute(db);
  return rows[0]?.ended ?? false;
}
