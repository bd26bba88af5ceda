import { type RawBuilder, sql } from 'kysely';
import type { Database, Queryable } from '../../../../db/schema.js';
import { offsetOf, type PageRequest } from '../pagination.js';
import { findSlice } from './find-slice.js';
import type { ListFilter } from './list-filter.js';
import { askForCounter, type CounterState, selectCounterState, selectTotal } from './list-total.js';
import { type Slice, selectPageKeys } from './page-keys.js';

/** Entries that are skipped one by one rather than looking for a position nearer to the page. */
const MAX_SKIPPED = 1_000;

export interface ListRequest extends PageRequest {
  order: 'recent' | 'oldest';
}

/** What a statement for a page selects beside the rows. */
export interface PageColumns {
  /** Selects `tenant_id`, `created_time` and `id` of the page's entries. */
  keys: RawBuilder<unknown>;
  total: RawBuilder<number>;
  counter: RawBuilder<CounterState>;
}

interface PageRow {
  totalCount: number;
  counterState: CounterState;
}

/**
 * Reads a page of a list with its exact total, both of one snapshot.
 *
 * @param readRows reads the rows of a page, in the order of the request, with total and counter as columns
 */
export async function readList<Row extends PageRow>(
  db: Database,
  filter: ListFilter,
  request: ListRequest,
  readRows: (db: Queryable, page: PageColumns) => Promise<Row[]>,
): Promise<{ rows: Row[]; total: number }> {
  const offset = offsetOf(request);
  const { order, pageSize: limit } = request;
  const direction = order === 'recent' ? 'desc' : 'asc';
  const [total, counter] = [selectTotal(filter), selectCounterState(filter)];
  const read = (from: Queryable, slice: Slice, columns = { total, counter }) =>
    readRows(from, { keys: selectPageKeys(filter, slice), ...columns });

  if (offset <= MAX_SKIPPED) {
    const rows = await read(db, { direction, offset, limit });
    const [first] = rows;
    // A first page without rows is that of an empty list; a later one does not say how many there are.
    if (first || offset === 0) return finish(rows, first?.totalCount ?? 0, first?.counterState ?? 'missing');
  }
  return readFar();

  /** Three statements in one snapshot. */
  async function readFar() {
    const far = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        const found = await sql<PageRow>`
          select ${total} as total_count, ${counter} as counter_state
        `.execute(tx);
        const { totalCount, counterState } = found.rows[0] as PageRow;
        if (offset >= totalCount) return { rows: [], totalCount, counterState };
        const slice = await findSlice(tx, filter, { order, offset, limit, total: totalCount });
        const columns = { total: sql.lit(totalCount), counter: sql.lit(counterState) };
        return { rows: await read(tx, slice, columns), totalCount, counterState };
      });
    return finish(far.rows, far.totalCount, far.counterState);
  }

  async function finish(rows: Row[], totalCount: number, counterState: CounterState) {
    await askForCounter(db, filter, { total: totalCount, counter: counterState });
    return { rows, total: totalCount };
  }
}
