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
 * Deletes the rows of a table before a time, oldest first, and yields those of each batch, with their times. A batch begins
 * where the one before it ended: it does not read again what that has deleted, however long it takes until that space is free.
 */
export async function* deleteBefore<Row>(
  db: Database,
  { table, column, before, batchSize = PRUNE_BATCH, returning = [], onDeleted }: RowsBefore<Row>,
): AsyncGenerator<Row[], void> {
  const time = sql.ref(column);
  const more = returning.map((name) => sql`, ${sql.ref(name)}`);
  for (let from = '-infinity'; ; ) {
    const rows = await pruneBatch(db, async (tx) => {
      const deleted = await sql<Row & { deletedTime: string }>`
        with expired as materialized (
          select ctid from ${sql.table(table)}
          where ${time} >= ${from}::timestamp at time zone 'UTC' and ${time} < ${before}
          order by ${time} limit ${batchSize} for update skip locked
        )
        delete from ${sql.table(table)} where ctid = any (array(select ctid from expired))
        returning (${time} at time zone 'UTC')::text as deleted_time ${sql.join(more, sql``)}
      `.execute(tx);
      await onDeleted?.(tx, deleted.rows);
      return deleted.rows;
    });
    if (!rows || rows.length === 0) return;
    yield rows;
    if (rows.length < batchSize) return;
    from =
      rows
        .map(({ deletedTime }) => deletedTime)
        .sort()
        .at(-1) ?? from;
  }
}
