import { sql } from 'kysely';
import type { Queryable } from '../../../../db/schema.js';

/** What tells whether a partition has other events than before: they do not change, and no two have one id. */
export interface PartitionContents {
  rows: number;
  firstId: number | null;
  lastId: number | null;
  /** Of all ids; decimal, as it may be large. */
  idSum: string;
}

export async function readContents(db: Queryable, partition: string): Promise<PartitionContents> {
  const { rows } = await sql<PartitionContents>`
    select count(*) as rows, min(id) as first_id, max(id) as last_id, coalesce(sum(id), 0)::text as id_sum
    from ${sql.table(partition)}
  `.execute(db);
  return rows[0] ?? { rows: 0, firstId: null, lastId: null, idSum: '0' };
}

export const haveSameContents = (a: PartitionContents, b: PartitionContents): boolean =>
  a.rows === b.rows && a.firstId === b.firstId && a.lastId === b.lastId && a.idSum === b.idSum;

/** Events at a time. */
const FETCH_SIZE = 2_000;

/** The events of a partition as lines of JSON, by id, in blocks. `tx` is a transaction. */
export async function* readEventLines(
  tx: Queryable,
  partition: string,
): AsyncGenerator<{ lines: string; count: number }> {
  await sql`
    declare archived no scroll cursor for
    select row_to_json(event)::text as line from ${sql.table(partition)} as event order by id
  `.execute(tx);
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(FETCH_SIZE)} from archived`.execute(tx);
    if (rows.length > 0) yield { lines: rows.map(({ line }) => `${line}\n`).join(''), count: rows.length };
    if (rows.length < FETCH_SIZE) break;
  }
  await sql`close archived`.execute(tx);
}
