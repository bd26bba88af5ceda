import { type RawBuilder, sql } from 'kysely';
import type { Database, Queryable } from '../../../../db/schema.js';
import { offsetOf, type PageRequest } from '../pagination.js';
import { findSlice } from './find-slice.js';
import type { ListFilter } from './list-filter.js';
import { askForCounter, type ListTotal, selectTotal } from './list-total.js';
import { type PageKey, type Slice, selectPageKeys } from './page-keys.js';

/** Entries that are skipped one by one rather than looking for a position nearer to the page. */
const MAX_SKIPPED = 1_000;

export interface ListRequest extends PageRequest {
  order: 'recent' | 'oldest';
}

/** What a statement for a page reads beside its rows, as subqueries. */
export interface PageSources {
  keys: RawBuilder<PageKey>;
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
  const { rows, ...total } = (offset <= MAX_SKIPPED && (await readNear())) || (await readFar());
  await askForCounter(db, filter, total);
  return { rows, total: total.totalCount };

  /** One statement. Undefined where it does not say how many there are: a later page without rows. */
  async function readNear(): Promise<FoundPage<Row> | undefined> {
    const rows = await readSlice(db, { direction: order === 'recent' ? 'desc' : 'asc', offset, limit });
    const [first] = rows;
    if (first) return { rows, totalCount: first.totalCount, counterState: first.counterState };
    return offset === 0 ? { rows, totalCount: 0, counterState: 'missing' } : undefined;
  }

  /** Three statements in one snapshot. */
  function readFar(): Promise<FoundPage<Row>> {
    const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
    return snapshot.execute(async (tx) => {
      const found = await selectTotal(filter).execute(tx);
      const total = found.rows[0] as ListTotal;
      if (offset >= total.totalCount) return { rows: [], ...total };
      const slice = await findSlice(tx, filter, { order, offset, limit, total: total.totalCount });
      return { rows: await readSlice(tx, slice, total), ...total };
    });
  }

  function readSlice(from: Queryable, slice: Slice, known?: ListTotal): Promise<Row[]> {
    const total = known
      ? sql<ListTotal>`select ${known.totalCount}::bigint as total_count, ${known.counterState} as counter_state`
      : selectTotal(filter);
    return readRows(from, { keys: selectPageKeys(filter, slice), total });
  }
}

interface FoundPage<Row> extends ListTotal {
  rows: Row[];
}
