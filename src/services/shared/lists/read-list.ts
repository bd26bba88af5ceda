import { type Compilable, sql } from 'kysely';
import { compileOnce } from '../../../../db/compile-once.js';
import type { CountedList, Database, Queryable } from '../../../../db/schema.js';
import { offsetOf } from '../pagination.js';
import { findSlice } from './find-slice.js';
import { isOfTenant, type TenantConditions, toConditions } from './list-filter.js';
import { ORDERS, type Order } from './list-order.js';
import type { ListedRow, ListRequest, PageParts } from './list-request.js';
import { askForCounter, type CounterState, countAll, type ListTotal, selectTotal } from './list-total.js';
import { type Slice, selectPageRows } from './page-keys.js';
import { createReaderAcrossTenants } from './read-across-tenants.js';

/** Entries that are skipped one by one rather than looking for a position nearer to the page. */
const MAX_SKIPPED = 1_000;

/** What the statement for a page is compiled for. */
interface PageInput {
  conditions: TenantConditions;
  slice: Omit<Slice, 'direction'>;
  /** Where it is not to be read with the page. */
  known?: ListTotal;
}

/**
 * Makes a function that reads a page of a list with its exact total, both of one snapshot.
 *
 * @param selectPage builds the statement for a page
 */
export function createListReader<Row extends ListTotal & ListedRow>(
  db: Database,
  list: CountedList,
  selectPage: (parts: PageParts) => Compilable<Row>,
) {
  const selectSlice = {
    recent: compileFor('recent'),
    oldest: compileFor('oldest'),
    updated: compileFor('updated'),
    name: compileFor('name'),
  };
  const readAcrossTenants = createReaderAcrossTenants(db, list, selectPage);

  return (request: ListRequest): Promise<{ rows: Row[]; total: number }> => {
    const conditions = toConditions(request.filter);
    return isOfTenant(conditions) ? readList(request, conditions) : readAcrossTenants(request, conditions);
  };

  async function readList(request: ListRequest, conditions: TenantConditions): Promise<FoundPage<Row>> {
    const { filter, order, pageSize: limit } = request;
    const offset = offsetOf(request);
    const found = (offset <= MAX_SKIPPED ? await readNear() : undefined) ?? (await readFar());
    if (found?.counterState === 'stale') await askForCounter(db, filter);
    if (found) return found;
    // Before all are counted, which a time limit may end: the counter is built all the same.
    await askForCounter(db, filter);
    return (await readFar({ isCounted: true })) as FoundPage<Row>;

    /** One statement. Undefined where it does not say how many there are. */
    async function readNear(): Promise<FoundPage<Row> | undefined> {
      const rows = await readSlice(db, { direction: ORDERS[order].direction, offset, limit });
      const [first] = rows;
      if (!first) return offset === 0 ? { rows, total: 0, counterState: 'missing' } : undefined;
      const { totalCount: total, counterState } = first;
      return total === null ? undefined : { rows, total, counterState };
    }

    /** Some statements in one snapshot. Undefined where there is no counter, and all would have to be counted. */
    function readFar({ isCounted = false } = {}): Promise<FoundPage<Row> | undefined> {
      const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
      return snapshot.execute(async (tx) => {
        const { totalCount, counterState } = (await selectTotal(conditions).execute(tx)).rows[0] as ListTotal;
        const total = totalCount ?? (isCounted ? await countAll(tx, conditions) : undefined);
        if (total === undefined) return undefined;
        if (offset >= total) return { rows: [], total, counterState };
        const slice = await findSlice(tx, conditions, { order, offset, limit, total });
        return { rows: await readSlice(tx, slice, { totalCount: total, counterState }), total, counterState };
      });
    }

    function readSlice(from: Queryable, { direction, ...slice }: Slice, known?: ListTotal): Promise<Row[]> {
      return selectSlice[order][direction]({ conditions, slice, ...(known && { known }) }, from);
    }
  }

  function compileFor(order: Order) {
    return { asc: compileSlice(order, 'asc'), desc: compileSlice(order, 'desc') };
  }

  /** Not prepared: the plan depends on how many rows are skipped and read. */
  function compileSlice(order: Order, direction: Slice['direction']) {
    const build = ({ conditions, slice, known }: PageInput) => {
      const filter = { ...conditions, list };
      const total = known
        ? sql<ListTotal>`select ${known.totalCount}::bigint as total_count, ${known.counterState} as counter_state`
        : selectTotal(filter);
      const rows = selectPageRows(filter, { ...slice, by: ORDERS[order].by, direction });
      return selectPage({
        tenantId: conditions.tenantId,
        ...ORDERS[order],
        page: sql`(${rows})`,
        total: sql`(${total})`,
      }).compile();
    };
    return compileOnce<PageInput, Row>(build, { isPrepared: false });
  }
}

interface FoundPage<Row> {
  rows: Row[];
  total: number;
  counterState: CounterState;
}
