import { sql } from 'kysely';
import type { Queryable } from '../../../../db/schema.js';
import { hasCounter, type ListConditions, type TenantConditions } from './list-filter.js';
import { ORDERS, type Order } from './list-order.js';
import { counterId, pendingChanges } from './list-total.js';
import type { Slice } from './page-keys.js';

/** A time with the number of entries that were created before it. */
interface Position {
  time?: string;
  before: number;
}

/**
 * Where to begin to read a page: at the end of the list, or the start of a counter's range, from which the fewest entries
 * are skipped. Call it in the snapshot of the total and of the page.
 */
export async function findSlice(
  db: Queryable,
  filter: ListConditions,
  { order, offset, limit, total }: { order: Order; offset: number; limit: number; total: number },
): Promise<Slice> {
  const size = Math.max(0, Math.min(limit, total - offset));
  const { by, direction } = ORDERS[order];
  // Entries are numbered by creation, from the oldest, or by what else they are sorted by.
  const first = direction === 'asc' ? offset : total - offset - size;
  const inner =
    by === 'created' && hasCounter(filter) ? await findNearest(db, filter, first, first + size) : [];
  const candidates: Slice[] = [{ before: 0 }, { before: total }, ...inner].flatMap(
    ({ time, before }: Position) => [
      ...(before <= first
        ? [{ direction: 'asc' as const, start: time, offset: first - before, limit: size }]
        : []),
      ...(before >= first + size
        ? [{ direction: 'desc' as const, start: time, offset: before - first - size, limit: size }]
        : []),
    ],
  );
  return candidates.reduce((best, one) => (one.offset < best.offset ? one : best));
}

/** The starts of ranges next to the entries from `first` to `last`. One inside a pending change of several entries is no use. */
async function findNearest(
  db: Queryable,
  filter: TenantConditions,
  first: number,
  last: number,
): Promise<Position[]> {
  const { rows } = await sql<Position>`
    with pending as materialized (
      select change.from_time, change.to_time, change.count from ${pendingChanges(filter)}
    ), starts as (
      select r.from_time, sum(r.count) over (order by r.from_time) - r.count as count
      from list_counter_ranges as r
      where r.tenant_id = ${filter.tenantId} and r.counter_id = ${counterId(filter)}
    ), positions as materialized (
      select from_time, (count + (
        select coalesce(sum(p.count), 0) from pending as p where p.to_time < starts.from_time))::bigint as before
      from starts
      where from_time > '-infinity'
        and not exists (
          select from pending as p where p.from_time < starts.from_time and p.to_time >= starts.from_time)
    )
    (select from_time::text as time, before from positions where before <= ${first} order by before desc limit 1)
    union all
    (select from_time::text, before from positions where before >= ${last} order by before limit 1)
  `.execute(db);
  return rows;
}
