import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import type { KeyAccess } from '../../auth/permissions.js';
import { type TenantScope, unitsOf } from '../shared/tenant-scope.js';
import { type LowestId, selectDistinctIds } from './distinct-ids.js';
import type {
  DatasetSuggestion,
  ReachedDatasets,
  ReachedTenants,
  ReachedUnits,
  TenantSuggestion,
  UnitDatasetPage,
  UnitSuggestion,
} from './reach.schema.js';
import { listUnitDatasets } from './unit-datasets.js';

interface Wanted {
  prefix: string;
  after?: string | undefined;
  limit: number;
}

export type Reach = ReturnType<typeof createReach>;

/** Tenants, units and datasets that a key reaches, to choose from. */
export function createReach({ db }: { db: Database }) {
  return {
    tenants,
    units,
    datasets,
    unitDatasets: (page: UnitDatasetPage) => listUnitDatasets(db, page),
  };

  /** The tenant of the key; in open mode all that have documents or conversations. */
  async function tenants(wanted: TenantSuggestion, access?: KeyAccess): Promise<ReachedTenants> {
    const { ids, truncated } = access
      ? choose([access.tenantId], wanted)
      : await findTenants(unscoped(db, 'In open mode every tenant can be chosen.'), wanted);
    return { tenantIds: ids, truncated };
  }

  /** The units of the key; where it reaches all, those that have what it may see something of. */
  async function units({ scope, ...wanted }: UnitSuggestion, access?: KeyAccess): Promise<ReachedUnits> {
    const reached = unitsOf(scope);
    const { ids, truncated } = reached
      ? choose(reached, wanted)
      : await findIds(db, wanted, unitLookups(scope, access));
    return { tenantUnitIds: ids, truncated };
  }

  /** The datasets of the key, else those that have documents, with how many. */
  async function datasets({ scope, countUpTo, ...wanted }: DatasetSuggestion): Promise<ReachedDatasets> {
    const { datasetIds: reached }: TenantScope = scope;
    const { ids, truncated } = reached
      ? choose(reached, wanted)
      : await findIds(db, wanted, { lookups: [datasetLookup(scope)] });
    if (ids.length === 0) return { datasets: [], truncated };
    const { tenantId } = scope;
    const units = unitsOf(scope);
    const ofUnits = units ? sql`and m.tenant_unit_id = any(${units})` : sql``;
    const { rows } = await sql<{ datasetId: string; documents: number }>`
      select asked.dataset_id, (
        select count(*) from (
          select from document_datasets as m
          where m.tenant_id = ${tenantId} and m.dataset_id = asked.dataset_id ${ofUnits}
          limit ${countUpTo + 1}) as few) as documents
      from unnest(${ids}::text[]) with ordinality as asked (dataset_id, place)
      order by asked.place
    `.execute(db);
    return {
      datasets: rows.map(({ datasetId, documents }) => ({
        datasetId,
        documents: Math.min(documents, countUpTo),
        isLowerBound: documents > countUpTo,
      })),
      truncated,
    };
  }
}

/** Those that have documents or conversations, each found by look-ups in indexes, however many rows it has. */
async function findTenants(db: Database, { prefix, after, limit }: Wanted) {
  const lowest = (table: string, condition: RawBuilder<unknown>) =>
    sql`select min(tenant_id) as id from ${sql.table(table)} where tenant_id >= ${prefix} and ${condition}`;
  const ids: string[] = [];
  for (let last = after; ids.length <= limit; last = ids.at(-1)) {
    const isBehind = last === undefined ? sql`true` : sql`tenant_id > ${last}`;
    const { rows } = await sql<{ id: string | null }>`
      select min(id) as id from (
        ${lowest('documents', isBehind)} union all ${lowest('conversations', isBehind)}) as found
    `.execute(db);
    const id = rows[0]?.id;
    if (!id?.startsWith(prefix)) break;
    ids.push(id);
  }
  return { ids: ids.slice(0, limit), truncated: ids.length > limit };
}

async function findIds(
  db: Database,
  { limit, ...wanted }: Wanted,
  { lookups, keep }: { lookups: readonly LowestId[]; keep?: RawBuilder<unknown> | undefined },
) {
  if (lookups.length === 0) return { ids: [], truncated: false };
  const { rows } = await selectDistinctIds(lookups, { ...wanted, limit: limit + 1, keep }).execute(db);
  return { ids: rows.slice(0, limit).map(({ id }) => id), truncated: rows.length > limit };
}

/** The same of ids that are known. */
function choose(known: readonly string[], { prefix, after = '', limit }: Wanted) {
  const ids = [...new Set(known)].filter((id) => id.startsWith(prefix) && id > after).sort();
  return { ids: ids.slice(0, limit), truncated: ids.length > limit };
}

/** Where the units of a tenant are found, as far as the key may see what is there. */
function unitLookups({ tenantId, datasetIds }: TenantScope, access?: KeyAccess) {
  const may = (areas: RegExp) => !access || access.permissions.some((permission) => areas.test(permission));
  const tables = [
    ...(may(/^(documents|chunks|search)\b/) ? ['document_datasets'] : []),
    ...(may(/^conversations\b/) ? ['conversations'] : []),
  ];
  const lookups = tables.map(
    (table): LowestId =>
      (condition) =>
        sql`
        select tenant_unit_id from ${sql.table(datasetIds || table === 'conversations' ? table : 'documents')}
        where tenant_id = ${tenantId} and ${condition(sql`tenant_unit_id`)} order by tenant_unit_id`,
  );
  if (!datasetIds) return { lookups };
  const isKept = tables.map((table) => {
    const ofDatasets = table === 'conversations' ? sql`` : sql`and dataset_id = any(${[...datasetIds]})`;
    return sql`exists (
      select from ${sql.table(table)} where tenant_id = ${tenantId} and tenant_unit_id = found.id ${ofDatasets})`;
  });
  return { lookups, keep: sql`(${sql.join(isKept, sql` or `)})` };
}

/** An index has the datasets of a unit in their order. */
export function datasetLookup(scope: TenantScope): LowestId {
  const { tenantId } = scope;
  const units = unitsOf(scope);
  if (!units) {
    return (condition) => sql`
      select dataset_id from document_datasets
      where tenant_id = ${tenantId} and ${condition(sql`dataset_id`)} order by dataset_id`;
  }
  return (condition) => sql`
    select one.dataset_id from unnest(${units}::text[]) as asked (unit) cross join lateral (
      select dataset_id from document_datasets
      where tenant_id = ${tenantId} and tenant_unit_id = asked.unit and ${condition(sql`dataset_id`)}
      order by dataset_id limit 1) as one
    order by one.dataset_id`;
}
