import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';

/** The start of a month, so many before or after the present one. */
export function monthFromNow(months: number): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
}

/** As in the name of a partition, such as 2026_12. */
export const monthName = (month: Date): string => month.toISOString().slice(0, 7).replace('-', '_');

/** Makes the partitions of past months, and of the present one, as a server has them that has run for so long. */
export async function makePastMonths(db: Queryable, months: number): Promise<void> {
  const literal = (month: Date) => `'${month.toISOString()}'`;
  await sql`drop table ${sql.table(`audit_events_until_${monthName(monthFromNow(1))}`)}`.execute(db);
  await add('before', 'MINVALUE', literal(monthFromNow(-months)));
  for (let month = -months; month <= 0; month++) {
    const from = monthFromNow(month);
    await add(monthName(from), literal(from), literal(monthFromNow(month + 1)));
  }

  async function add(name: string, from: string, to: string): Promise<void> {
    await sql`select add_audit_partition(${`audit_events_${name}`}, 'audit_events_open', ${from}, ${to})`.execute(
      db,
    );
  }
}
