import { type RawBuilder, sql } from 'kysely';
import { FIXED_LOCK_IDS } from './advisory-locks.js';
import { placementOf } from './cluster/layout.js';
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
  { batchSize = PRUNE_BATCH, ...given }: RowsBefore<Row>,
): AsyncGenerator<Row[], void> {
  for (let from: Date | undefined; ; ) {
    const batch: Batch<Row> = { ...given, batchSize, from };
    const rows = await pruneBatch(db, (tx) => deleteBatch(tx, batch));
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

interface Batch<Row> extends Omit<RowsBefore<Row>, 'batchSize'> {
  batchSize: number;
  /** When it begins, to the millisecond. */
  from: Date | undefined;
}

type Deleted<Row> = Row & { deletedTime: Date };

async function deleteBatch<Row>(tx: Queryable, batch: Batch<Row>): Promise<Deleted<Row>[]> {
  const rows =
    placementOf(batch.table) === 'shard'
      ? await deleteByTenant(tx, batch)
      : await deleteOldest(tx, batch, sql`true`);
  await batch.onDeleted?.(tx, rows);
  return rows;
}

/** By a statement of each tenant of the oldest rows. */
async function deleteByTenant<Row>(tx: Queryable, batch: Batch<Row>): Promise<Deleted<Row>[]> {
  const { rows: tenants } = await sql<{ tenantId: string; count: number }>`
    select tenant_id, count(*) as count from (
      select tenant_id from ${sql.table(batch.table)} where ${isExpired(batch)}
      order by ${sql.ref(batch.column)} limit ${batch.batchSize}) as expired
    group by tenant_id order by tenant_id
  `.execute(tx);
  const deleted: Deleted<Row>[] = [];
  for (const { tenantId, count } of tenants) {
    const ofTenant = sql`tenant_id = ${tenantId}`;
    deleted.push(...(await deleteOldest(tx, { ...batch, batchSize: count }, ofTenant)));
  }
  return deleted;
}

async function deleteOldest<Row>(
  tx: Queryable,
  batch: Batch<Row>,
  condition: RawBuilder<unknown>,
): Promise<Deleted<Row>[]> {
  const { table, column, batchSize, returning = [] } = batch;
  const more = returning.map((name) => sql`, ${sql.ref(name)}`);
  const { rows } = await sql<Deleted<Row>>`
    with expired as materialized (
      select ctid from ${sql.table(table)} where ${condition} and ${isExpired(batch)}
      order by ${sql.ref(column)} limit ${batchSize} for update skip locked
    )
    delete from ${sql.table(table)} where ${condition} and ctid = any (array(select ctid from expired))
    returning ${sql.ref(column)} as deleted_time ${sql.join(more, sql``)}
  `.execute(tx);
  return rows;
}

function isExpired({
  column,
  from,
  before,
}: Pick<Batch<never>, 'column' | 'from' | 'before'>): RawBuilder<unknown> {
  const time = sql.ref(column);
  return from ? sql`${time} >= ${from} and ${time} < ${before}` : sql`${time} < ${before}`;
}
