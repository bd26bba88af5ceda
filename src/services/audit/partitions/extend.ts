import { sql } from 'kysely';
import type { Database } from '../../../../db/schema.js';
import { changePartitions } from './change-partitions.js';
import { addMonths, startOfMonth } from './months.js';
import { readAuditPartitions } from './read-partitions.js';

/** The open partition begins as many months after the present one: it is empty when it is split. */
const MONTHS_AHEAD = 3;
/** Until then the split of a partition with rows has to be done: it begins by letting nothing in from then on. */
const SPLIT_DAYS = 7;

/**
 * Makes the partitions of the coming months. The table of a version without partitions is split first: it becomes the
 * partition of everything before the next month.
 *
 * @param db without the query guard
 */
export async function extendAuditPartitions(db: Database, now: Date): Promise<void> {
  const from = (await readAuditPartitions(db)).at(-1)?.from ?? null;
  const end = addMonths(startOfMonth(now), MONTHS_AHEAD);
  if (from && from >= end) return;
  let month = from && from > now ? addMonths(from, 1) : await prepareSplit(db, from, now);
  for (; month <= end; month = addMonths(month, 1)) {
    await changePartitions(db, (tx) => sql`select split_audit_events(${month})`.execute(tx));
  }
}

/**
 * Makes sure, without a lock that anybody waits for, that the open partition has nothing beyond a month.
 *
 * @returns the month to split it at
 */
async function prepareSplit(db: Database, from: Date | null, now: Date): Promise<Date> {
  const month = addMonths(startOfMonth(new Date(now.getTime() + SPLIT_DAYS * 86_400_000)), 1);
  const within = from
    ? sql`time >= ${sql.lit(from.toISOString())} and time < ${sql.lit(month.toISOString())}`
    : sql`time < ${sql.lit(month.toISOString())}`;
  await changePartitions(db, async (tx) => {
    await sql`alter table audit_events_open drop constraint if exists audit_events_split`.execute(tx);
    await sql`
      alter table audit_events_open add constraint audit_events_split check (${within}) not valid
    `.execute(tx);
  });
  try {
    await sql`alter table audit_events_open validate constraint audit_events_split`.execute(db);
  } catch (error) {
    await changePartitions(db, (tx) =>
      sql`alter table audit_events_open drop constraint if exists audit_events_split`.execute(tx),
    );
    throw error;
  }
  return month;
}
