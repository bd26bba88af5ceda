import { type Selectable, sql } from 'kysely';
import { FIXED_LOCK_IDS } from '../../../../db/advisory-locks.js';
import type { Database, ListCounterTable, Queryable } from '../../../../db/schema.js';
import { unscoped } from '../../../../db/tenant-isolation/unscoped.js';
import { all, filterConditions, type ListConditions, toConditions } from './list-filter.js';

/** Most changes that are folded at once. */
export const FOLD_BATCH_SIZE = 10_000;
/** A range is split when it has more entries than that, or than this many times the root of its list's total. */
const MIN_SPLIT = 8_192;
const SPLIT_FACTOR = 8;
/** Counters that nobody has asked for are dropped. */
const RETENTION = '30 days';
/** Each has its ranges, which go with it. */
const DROP_BATCH = 10;

/**
 * One step of the upkeep of counters: folds changes into them, builds one that was asked for, and splits a range that has
 * grown too large, each in a transaction of its own. Nobody waits for it, and one process at a time does it.
 *
 * @returns whether there is more to do
 */
export async function rollUpLists(database: Database): Promise<boolean> {
  const db = unscoped(database, 'The counters of all tenants are rolled up at once.');
  const steps = [foldChanges, buildCounter, splitRange];
  let isMore = false;
  for (const step of steps) {
    isMore = (await db.transaction().execute(async (tx) => (await lock(tx)) && (await step(tx)))) || isMore;
  }
  return isMore;
}

async function lock(tx: Queryable): Promise<boolean> {
  const { rows } = await sql<{ acquired: boolean }>`
    select pg_try_advisory_xact_lock(${FIXED_LOCK_IDS.listRollup}) as acquired
  `.execute(tx);
  return rows[0]?.acquired ?? false;
}

async function foldChanges(tx: Queryable): Promise<boolean> {
  const { rows } = await sql<{ folded: number }>`
    select fold_list_changes(${FOLD_BATCH_SIZE}) as folded
  `.execute(tx);
  return rows[0]?.folded === FOLD_BATCH_SIZE;
}

/** One snapshot has the entries and the changes among them that no counter has: their difference is in the counter. */
async function buildCounter(tx: Queryable): Promise<boolean> {
  await sql`
    delete from list_counters where (tenant_id, id) in (
      select tenant_id, id from list_counters where asked_time < now() - ${RETENTION}::interval
      order by asked_time limit ${DROP_BATCH})
  `.execute(tx);
  const counter = await tx
    .selectFrom('listCounters')
    .selectAll()
    .where('isBuilt', '=', false)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (!counter) return false;
  await sql`
    insert into list_counter_ranges (tenant_id, counter_id, from_time, count)
    select ${counter.tenantId}, ${counter.id}, '-infinity',
      (select count(*) from ${entriesOf(counter)})
      - (select coalesce(sum(change.count), 0) from ${changesOf(counter)})::bigint
  `.execute(tx);
  await tx
    .updateTable('listCounters')
    .set({ isBuilt: true })
    .where('tenantId', '=', counter.tenantId)
    .where('id', '=', counter.id)
    .execute();
  return true;
}

/**
 * Splits a range into such of equal size. Entries of one time stay together; a change that spans several of the new ranges
 * prevents it for now.
 */
async function splitRange(tx: Queryable): Promise<boolean> {
  const range = await findLargeRange(tx);
  if (!range) return false;
  const { counter, fromTime, toTime, size } = range;
  const within = sql`entry.created_time >= ${fromTime}::timestamptz and entry.created_time < ${toTime}::timestamptz`;
  const { rows } = await sql<{ parts: number; isSpanned: boolean }>`
    with entries as materialized (
      select created_time, row_number() over (order by created_time) - 1 as place
      from ${entriesOf(counter)} and ${within}
    ), starts as (
      select array_agg(distinct created_time order by created_time) as times from entries
      where place > 0 and place % ${size} = 0 and created_time > (select min(created_time) from entries)
    ), changes as materialized (
      select width_bucket(from_time, times) as part, width_bucket(to_time, times) as last_part, change.count,
        from_time < ${fromTime}::timestamptz or to_time >= ${toTime}::timestamptz as is_beyond
      from starts, ${changesOf(counter)} and from_time < ${toTime}::timestamptz and to_time >= ${fromTime}::timestamptz
    ), parts as (
      select part, sum(count)::bigint as count
      from (
        select width_bucket(created_time, times) as part, count(*) as count from entries, starts group by 1
        union all select part, -sum(count) from changes group by 1
        union all select part, 0 from generate_series(0, (select cardinality(times) from starts)) as part
      ) as counted
      group by part
    ), saved as (
      insert into list_counter_ranges as r (tenant_id, counter_id, from_time, count)
      select ${counter.tenantId}, ${counter.id}, case part when 0 then ${fromTime}::timestamptz else times[part] end, count
      from parts, starts where times is not null and not exists (select from changes where part <> last_part or is_beyond)
      on conflict (tenant_id, counter_id, from_time) do update set count = excluded.count
      returning 1
    )
    select (select count(*) from saved) as parts, exists (select from changes where part <> last_part or is_beyond) as is_spanned
  `.execute(tx);
  const isSplit = (rows[0]?.parts ?? 0) > 1;
  if (!isSplit && !rows[0]?.isSpanned) await rememberSize(tx, range);
  return isSplit;
}

interface LargeRange {
  counter: Selectable<ListCounterTable>;
  fromTime: string;
  toTime: string;
  /** Of the new ranges. */
  size: number;
}

async function findLargeRange(tx: Queryable): Promise<LargeRange | undefined> {
  const { rows } = await sql<{ tenantId: string; counterId: number } & Omit<LargeRange, 'counter'>>`
    select tenant_id, counter_id, from_time::text, to_time::text, floor(most / 2)::bigint as size
    from (
      select *, coalesce(lead(from_time) over counter, 'infinity') as to_time,
        greatest(${sql.lit(MIN_SPLIT)}, ${sql.lit(SPLIT_FACTOR)} * sqrt(sum(count) over (partition by tenant_id, counter_id))) as most
      from list_counter_ranges
      window counter as (partition by tenant_id, counter_id order by from_time)
    ) as r
    where count > most and count > 2 * split_count
    order by count desc limit 1
  `.execute(tx);
  const [found] = rows;
  if (!found) return undefined;
  const { tenantId, counterId, ...range } = found;
  const counter = await tx
    .selectFrom('listCounters')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', counterId)
    .executeTakeFirstOrThrow();
  return { counter, ...range };
}

/** A range of one time cannot be split: it is tried again when it has doubled. */
async function rememberSize(tx: Queryable, { counter, fromTime }: LargeRange): Promise<void> {
  await sql`
    update list_counter_ranges set split_count = count
    where tenant_id = ${counter.tenantId} and counter_id = ${counter.id} and from_time = ${fromTime}::timestamptz
  `.execute(tx);
}

const entriesOf = (counter: Selectable<ListCounterTable>) => {
  const filter = toFilter(counter);
  return sql`${sql.table(filter.list)} as entry where ${all(filterConditions(filter, 'entry'))}`;
};

const changesOf = ({ tenantId, id }: Selectable<ListCounterTable>) => sql`list_changes as change
  join list_counters as c on is_counted_by(c, change)
  where c.tenant_id = ${tenantId} and c.id = ${id} and (c.tenant_id = '' or change.tenant_id = c.tenant_id)`;

const toFilter = (counter: Selectable<ListCounterTable>): ListConditions =>
  toConditions({
    list: counter.list,
    tenantId: counter.tenantId || undefined,
    tenantUnitIds: counter.tenantUnitIds ?? undefined,
    statuses: counter.statuses ?? undefined,
    agentId: counter.agentId ?? undefined,
    assignmentId: counter.assignmentId ?? undefined,
    documentTypes: counter.documentTypes ?? undefined,
    datasetIds: counter.datasetIds ?? undefined,
    reachedDatasetIds: counter.reachedDatasetIds ?? undefined,
  });
