import { type RawBuilder, sql } from 'kysely';
import { FIXED_LOCK_IDS } from './advisory-locks.js';
import type { Database, Queryable } from './schema.js';

/** Rows of a batch. */
export const PRUNE_BATCH = 1_000;
const STATEMENT_TIMEOUT = '30s';

/**
 * Deletes what is left over, batch by batch, and yields how many rows each has deleted. Whoever runs it may stop after any
 * batch, and begin again later.
 */
export type Prune = AsyncGenerator<number, void>;

/**
 * A batch: a short transaction, in one process at a time.
 *
 * @returns undefined where another process is at it
 */
export function pruneBatch<T>(db: Database, work: (tx: Queryable) => Promise<T>): Promise<T | undefined> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ isFree: boolean }>`
      select pg_try_advisory_xact_lock(${FIXED_LOCK_IDS.prune}) as is_free,
        set_config('statement_timeout', ${STATEMENT_TIMEOUT}, true)
    `.execute(tx);
    return rows[0]?.isFree ? work(tx) : undefined;
  });
}

interface RowsBefore<Row> {
  table: string;
  /** A time, which leads an index. */
  column: string;
  before: Date | RawBuilder<unknown>;
  /** Most rows of a batch. */
  batchSize?: number;
  /** Further columns of what was deleted. */
  returning?: string[];
  /** Called in the transaction of a batch. */
  onDeleted?: (tx: Queryable, rows: Row[]) => Promise<void>;
}

/**
 * Deletes the rows of a table before a time, oldest first, and yields those of each batch: the oldest, and others of the same
 * time as the last of them. A batch begins where the one before it ended: it does not read again what that has deleted, however
 * long it takes until that space is free.
 */
export async function* deleteBefore<Row>(
  db: Database,
  { table, column, before, batchSize = PRUNE_BATCH, returning = [], onDeleted }: RowsBefore<Row>,
): AsyncGenerator<Row[], void> {
  const time = sql.ref(column);
  const columns = returning.length > 0 ? sql.join(returning.map((name) => sql.ref(name))) : sql`1`;
  for (let from = '-infinity'; ; ) {
    const isExpired = sql`${time} >= ${from}::timestamp at time zone 'UTC' and ${time} < ${before}`;
    const batch = await pruneBatch(db, async (tx) => {
      const { rows: oldest } = await sql<{ last: string | null; count: number }>`
        select (max(expired.time) at time zone 'UTC')::text as last, count(*) as count from (
          select ${time} as time from ${sql.table(table)} where ${isExpired} order by ${time} limit ${batchSize}) as expired
      `.execute(tx);
      const { last = null, count = 0 } = oldest[0] ?? {};
      if (last === null) return undefined;
      const { rows } = await sql<Row>`
        delete from ${sql.table(table)} where ${isExpired} and ${time} <= ${last}::timestamp at time zone 'UTC'
        returning ${columns}
      `.execute(tx);
      await onDeleted?.(tx, rows);
      return { rows, last, isLast: count < batchSize };
    });
    if (!batch) return;
    if (batch.rows.length > 0) yield batch.rows;
    if (batch.isLast) return;
    from = batch.last;
  }
}
