import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Queryable } from '../db/schema.js';
import { conflict } from './errors.js';

const POLL_MS = 100;
const LONGEST_MS = 300_000;

/**
 * Waits until every transaction that has written before this call has ended: what it wrote can be seen then.
 *
 * @throws DomainError `conflict` where one stays open for minutes
 */
export async function olderWritesEnded(db: Queryable): Promise<void> {
  const { rows } = await sql<{ next: string }>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as next
  `.execute(db);
  const next = rows[0]?.next ?? '0';
  for (let waited = 0; !(await haveEndedBefore(db, next)); waited += POLL_MS) {
    if (waited >= LONGEST_MS) {
      throw conflict('A transaction of this database server stays open. End it, then run this again.', []);
    }
    await delay(POLL_MS);
  }
}

async function haveEndedBefore(db: Queryable, transaction: string): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`
    select pg_snapshot_xmin(pg_current_snapshot()) >= ${transaction}::xid8 as ended
  `.execute(db);
  return rows[0]?.ended ?? false;
}
