import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { type TenantScope, unitsOf } from '../shared/tenant-scope.js';
import type { ReachedUnitDatasets, UnitDatasetPage } from './reach.schema.js';

/** No id of 255 bytes is behind this one. */
const LAST_ID = '\u{10ffff}'.repeat(64);

interface Row {
  tenantUnitId: string;
  datasetId: string;
  documents: number;
}

/**
 * Lists the datasets of each unit that have documents, in the order of both ids, in one statement: each unit and each dataset
 * is a look-up in an index, and no more are looked up than are answered, but for those that the key does not reach.
 */
export async function listUnitDatasets(
  db: Database,
  { scope, after, order, limit, countUpTo }: UnitDatasetPage,
): Promise<ReachedUnitDatasets> {
  const { tenantId } = scope;
  const { datasetIds: reached }: TenantScope = scope;
  const [isBehind, direction] = order === 'asc' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
  const most = limit + 1;
  const lowest = (column: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`
    select ${column}::text collate "C" as id from document_datasets
    where tenant_id = ${tenantId} and ${condition} order by ${column} ${direction} limit 1`;
  const unit = sql`tenant_unit_id`;
  const dataset = sql`dataset_id`;
  /** Of the unit of the cursor, only what is behind its dataset. */
  const isWanted = (id: RawBuilder<unknown>) =>
    after
      ? sql`${id} ${isBehind} case when units.id = ${after.tenantUnitId} then ${after.datasetId}
          else ${order === 'asc' ? '' : LAST_ID} end collate "C"`
      : sql`true`;
  const isWantedUnit = (id: RawBuilder<unknown>) =>
    after ? sql`${id} ${isBehind}= ${after.tenantUnitId} collate "C"` : sql`true`;
  const inUnit = sql`tenant_unit_id = units.id`;

  const asked = unitsOf(scope);
  const units = asked
    ? sql`
      select id from unnest(${[...new Set(asked)]}::text[]) as asked (id)
      where ${isWantedUnit(sql`id`)} order by id collate "C" ${direction}`
    : sql`
      (${lowest(unit, isWantedUnit(unit))})
      union all
      select (${lowest(unit, sql`tenant_unit_id ${isBehind} units.id`)}) from units where units.id is not null`;
  const datasets = reached
    ? sql`
      select id from unnest(${[...new Set(reached)]}::text[]) as reached (id)
      where ${isWanted(sql`id`)} and exists (
        select from document_datasets where tenant_id = ${tenantId} and ${inUnit} and dataset_id = reached.id)
      order by id collate "C" ${direction}`
    : sql`
      with recursive found (id) as (
        (${lowest(dataset, sql`${inUnit} and ${isWanted(dataset)}`)})
        union all
        select (${lowest(dataset, sql`${inUnit} and dataset_id ${isBehind} found.id`)}) from found where found.id is not null)
      select id from found where id is not null`;
  // Both orders come from the loops that read them.
  const { rows } = await sql<Row>`
    with recursive units (id) as (${units})
    select listed.*, (
      select count(*) from (
        select from document_datasets as m
        where m.tenant_id = ${tenantId} and m.tenant_unit_id = listed.tenant_unit_id and m.dataset_id = listed.dataset_id
        limit ${countUpTo + 1}) as few) as documents
    from (
      select units.id as tenant_unit_id, sets.id as dataset_id
      from units cross join lateral (select id from (${datasets}) as behind limit ${most}) as sets
      where units.id is not null limit ${most}) as listed
  `.execute(db);
  return {
    datasets: rows.slice(0, limit).map(({ documents, ...row }) => ({
      ...row,
      documents: Math.min(documents, countUpTo),
      isLowerBound: documents > countUpTo,
    })),
    truncated: rows.length > limit,
  };
}
