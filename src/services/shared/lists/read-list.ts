import { type RawBuilder, sql } from 'kysely';
import type { Database, Queryable } from '../../../../db/schema.js';
import { offsetOf, type PageRequest } from '../pagination.js';
import { findSlice } from './find-slice.js';
import type { ListFilter } from './list-filter.js';
import { askForCounter, type CounterState, countAll, type ListTotal, selectTotal } from './list-total.js';
import { type PageKey, type Slice, selectPageRows } from './page-keys.js';

/** Entries that are skipped one by one rather than looking for a position nearer to the page. */
const MAX_SKIPPED = 1_000;

export interface ListRequest extends PageRequest {
  order: 'recent' | 'oldest';
}

/** What a statement for a page reads, as common table expressions: materialized, so that each runs once. */
export interface PageSources {
  /** The rows of the page, with all columns of the list's table. */
  page: RawBuilder<PageKey>;
  /** One row; its columns belong into each row of the page. */
  total: RawBuilder<ListTotal>;
}

/**
 * Reads a page of a list with its exact total, both of one snapshot.
 *
 * @param readRows reads the rows of a page, in the order of the request
 */
export async function readList<Row extends ListTotal>(
  db: Database,
  filter: ListFilter,
  request: ListRequest,
  readRows: (db: Queryable, sources: PageSources) => Promise<Row[]>,
): Promise<{ rows: Row[]; total: number }> {
  const offset = offsetOf(request);
  const { order, pageSize: limit } = request;
  const found = (offset <= MAX_SKIPPED ? await readNear() : undefined) ?? (await readFar());
  if (found?.counterState === 'stale') await askForCounter(db, filter);
  if (found) return found;
  // Before all are counted, which a time limit may end: the counter is built all the same.
  await askForCounter(db, filter);
  return (await readFar({ isCounted: true })) as FoundPage<Row>;

  /** One statement. Undefined where it does not say how many there are. */
  async function readNear(): Promise<FoundPage<Row> | undefined> {
    const rows = await readSlice(db, { direction: order === 'recent' ? 'desc' : 'asc', offset, limit });
    const [first] = rows;
    if (!first) return offset === 0 ? { rows, total: 0, counterState: 'missing' } : undefined;
    const { totalCount: total, counterState } = first;
    return total === null ? undefined : { rows, total, counterState };
  }

  /** Some statements in one snapshot. Undefined where there is no counter, and all would have to be counted. */
  function readFar({ isCounted = false } = {}): Promise<FoundPage<Row> | undefined> {
    const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
    return snapshot.execute(async (tx) => {
      const { totalCount, counterState } = (await selectTotal(filter).execute(tx)).rows[0] as ListTotal;
      const total = totalCount ?? (isCounted ? await countAll(tx, filter) : undefined);
      if (total === undefined) return undefined;
      if (offset >= total) return { rows: [], total, counterState };
      const slice = await findSlice(tx, filter, { order, offset, limit, total });
      return { rows: await readSlice(tx, slice, { totalCount: total, counterState }), total, counterState };
    });
  }

  function readSlice(from: Queryable, slice: Slice, known?: ListTotal): Promise<Row[]> {
    const total = known
      ? sql<ListTotal>`select ${known.totalCount}::bigint as total_count, ${known.counterState} as counter_state`
      : selectTotal(filter);
    return readRows(from, { page: sql`(${selectPageRows(filter, slice)})`, total: sql`(${total})` });
  }
}

interface FoundPage<Row> {
  rows: Row[];
  total: number;
  counterState: CounterState;
}
