import { type Selectable, sql } from 'kysely';
import { FIXED_LOCK_IDS } from '../../../../db/advisory-locks.js';
import type { Database, ListCounterTable, Queryable } from '../../../../db/schema.js';
import { unscoped } from '../../../../db/tenant-isolation/unscoped.js';
import { tryWithLock } from '../advisory-lock.js';
import { foldChanges } from './fold-changes.js';
import { all, filterConditions, type TenantConditions, toConditions } from './list-filter.js';
import { pendingChanges } from './list-total.js';

/** Most changes that are folded at once, and tenants that are looked after in a step. */
export const FOLD_BATCH_SIZE = 10_000;
const MAX_TENANTS = 100;
/** A range is split when it has more entries than that, or than this many times the root of its list's total. */
const MIN_SPLIT = 8_192;
const SPLIT_FACTOR = 8;
/** Counters that nobody has asked for are dropped. */
const RETENTION = '30 days';
/** Each has its ranges, which go with it. */
const DROP_BATCH = 10;

type Counter = Selectable<ListCounterTable>;

/**
 * One step of the upkeep of counters: folds changes into them, drops those of no use, builds one that was asked for, and
 * splits a range that has grown too large. Tenants are found by reads, and changed one by one, each in a transaction of its
 * own. Nobody waits for it, and one process at a time does it.
 *
 * @returns whether there is more to do
 */
export async function rollUpLists(database: Database): Promise<boolean> {
  const db = unscoped(database, 'The counters of all tenants are rolled up at once.');
  const isMore = await foldOldest(db);
  await dropUnused(db);
  const isBuilt = await buildCounter(db);
  return (await splitRange(db)) || isBuilt || isMore;
}

const withLock = <T>(db: Database, work: (tx: Queryable) => Promise<T>): Promise<T | undefined> =>
  tryWithLock(db, FIXED_LOCK_IDS.listRollup, work);

async function foldOldest(db: Database): Promise<boolean> {
  const { rows: tenants } = await sql<{ tenantId: string; changes: number }>`
    select tenant_id, count(*) as changes
    from (select tenant_id from list_changes order by tenant_id, id limit ${sql.lit(FOLD_BATCH_SIZE)}) as oldest
    group by tenant_id limit ${sql.lit(MAX_TENANTS)}
  `.execute(db);
  let folded = 0;
  for (const { tenantId } of tenants) {
    folded += (await withLock(db, (tx) => foldChanges(tx, tenantId, FOLD_BATCH_SIZE))) ?? 0;
  }
  const isFull = tenants.length === MAX_TENANTS || sum(tenants) === FOLD_BATCH_SIZE;
  return isFull && folded > 0;
}

const sum = (tenants: { changes: number }[]) => tenants.reduce((total, { changes }) => total + changes, 0);

async function dropUnused(db: Database): Promise<void> {
  const isUnused = sql<boolean>`asked_time < now() - ${RETENTION}::interval`;
  const unused = await db
    .selectFrom('listCounters')
    .select(['tenantId', 'id'])
    .where(isUnused)
    .orderBy('askedTime')
    .limit(DROP_BATCH)
    .execute();
  for (const { tenantId, id } of unused) {
    await withLock(db, (tx) =>
      tx
        .deleteFrom('listCounters')
        .where('tenantId', '=', tenantId)
        .where('id', '=', id)
        .where(isUnused)
        .execute(),
    );
  }
}

/**
 * One snapshot has the entries and the changes among them that no counter has: their difference is in the counter, and stays
 * the same as long as nothing is folded.
 */
async function buildCounter(db: Database): Promise<boolean> {
  const counter = await db
    .selectFrom('listCounters')
    .selectAll()
    .where('isBuilt', '=', false)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (!counter) return false;
  const { tenantId, id } = counter;
  const isBuilt = await withLock(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('listCounters')
      .set({ isBuilt: true })
      .where('tenantId', '=', tenantId)
      .where('id', '=', id)
      .where('isBuilt', '=', false)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    const { rows } = await sql<{ count: number }>`
      select (select count(*) from ${entriesOf(counter)})
        - (select coalesce(sum(change.count), 0) from ${changesOf(counter)})::bigint as count
    `.execute(tx);
    const count = rows[0]?.count ?? 0;
    await tx
      .insertInto('listCounterRanges')
      .values({ tenantId, counterId: id, fromTime: sql<Date>`'-infinity'`, count })
      .execute();
    return true;
  });
  return isBuilt ?? false;
}

/**
 * Splits a range into such of equal size. Entries of one time stay together; a change that spans several of the new ranges
 * prevents it for now.
 */
async function splitRange(db: Database): Promise<boolean> {
  const large = await findLargeRange(db);
  if (!large) return false;
  const { tenantId, counterId } = large;
  const isSplit = await withLock(db, async (tx) => {
    const range = await findLargeRange(tx, large);
    const counter = await tx
      .selectFrom('listCounters')
      .selectAll()
      .where('tenantId', '=', tenantId)
      .where('id', '=', counterId)
      .executeTakeFirst();
    if (!range || !counter) return false;
    const parts = await countParts(tx, counter, range);
    const isSpanned = parts.some((part) => part.isSpanned);
    if (parts.length < 2 && !isSpanned) await rememberSize(tx, range);
    if (parts.length < 2 || isSpanned) return false;
    await tx
      .insertInto('listCounterRanges')
      .values(
        parts.map(({ fromTime, count }) => ({
          tenantId,
          counterId,
          fromTime: sql<Date>`${fromTime}::timestamptz`,
          count,
        })),
      )
      .onConflict((former) =>
        former
          .columns(['tenantId', 'counterId', 'fromTime'])
          .doUpdateSet((eb) => ({ count: eb.ref('excluded.count') })),
      )
      .execute();
    return true;
  });
  return isSplit ?? false;
}

interface Part {
  fromTime: string;
  count: number;
  /** By a change, of which nothing says how much belongs here. */
  isSpanned: boolean;
}

async function countParts(tx: Queryable, counter: Counter, range: LargeRange): Promise<Part[]> {
  const { fromTime, toTime, size } = range;
  const within = sql`entry.created_time >= ${fromTime}::timestamptz and entry.created_time < ${toTime}::timestamptz`;
  const { rows } = await sql<Part>`
    with entries as materialized (
      select created_time, row_number() over (order by created_time) - 1 as place
      from ${entriesOf(counter)} and ${within}
    ), starts as (
      select coalesce(array_agg(distinct created_time order by created_time), '{}') as times from entries
      where place > 0 and place % ${size} = 0 and created_time > (select min(created_time) from entries)
    ), changes as materialized (
      select width_bucket(from_time, times) as part, width_bucket(to_time, times) as last_part, change.count,
        from_time < ${fromTime}::timestamptz or to_time >= ${toTime}::timestamptz as is_beyond
      from starts, ${changesOf(counter)} and from_time < ${toTime}::timestamptz and to_time >= ${fromTime}::timestamptz
    )
    select case part when 0 then ${fromTime} else times[part]::text end as from_time, sum(count)::bigint as count,
      bool_or(is_spanned) as is_spanned
    from starts, (
      select width_bucket(created_time, times) as part, count(*) as count, false as is_spanned from entries, starts group by 1
      union all select part, -count, part <> last_part or is_beyond from changes
      union all select part, 0, false from generate_series(0, (select cardinality(times) from starts)) as part
    ) as counted
    group by part, times order by part
  `.execute(tx);
  return rows;
}

interface LargeRange {
  tenantId: string;
  counterId: number;
  fromTime: string;
  toTime: string;
  /** Of the new ranges. */
  size: number;
}

/** @param counter where it is looked for in one alone */
async function findLargeRange(
  db: Queryable,
  counter?: Pick<LargeRange, 'tenantId' | 'counterId'>,
): Promise<LargeRange | undefined> {
  const ofCounter = counter
    ? sql`where tenant_id = ${counter.tenantId} and counter_id = ${counter.counterId}`
    : sql``;
  const { rows } = await sql<LargeRange>`
    select tenant_id, counter_id, from_time::text, to_time::text, floor(most / 2)::bigint as size
    from (
      select *, coalesce(lead(from_time) over counter, 'infinity') as to_time,
        greatest(${sql.lit(MIN_SPLIT)}, ${sql.lit(SPLIT_FACTOR)} * sqrt(sum(count) over (partition by tenant_id, counter_id))) as most
      from list_counter_ranges ${ofCounter}
      window counter as (partition by tenant_id, counter_id order by from_time)
    ) as r
    where count > most and count > 2 * split_count
    order by count desc limit 1
  `.execute(db);
  return rows[0];
}

/** A range of one time cannot be split: it is tried again when it has doubled. */
async function rememberSize(tx: Queryable, { tenantId, counterId, fromTime }: LargeRange): Promise<void> {
  await sql`
    update list_counter_ranges set split_count = count
    where tenant_id = ${tenantId} and counter_id = ${counterId} and from_time = ${fromTime}::timestamptz
  `.execute(tx);
}

const entriesOf = (counter: Counter) => {
  const filter = toFilter(counter);
  return sql`${sql.table(filter.list)} as entry where ${all(filterConditions(filter, 'entry'))}`;
};

const changesOf = (counter: Counter) => pendingChanges(toFilter(counter));

const toFilter = (counter: Counter): TenantConditions =>
  toConditions({
    list: counter.list,
    tenantId: counter.tenantId,
    tenantUnitIds: counter.tenantUnitIds ?? undefined,
    statuses: counter.statuses ?? undefined,
    agentId: counter.agentId ?? undefined,
    assignmentId: counter.assignmentId ?? undefined,
    documentTypes: counter.documentTypes ?? undefined,
    datasetIds: counter.datasetIds ?? undefined,
    reachedDatasetIds: counter.reachedDatasetIds ?? undefined,
  });
