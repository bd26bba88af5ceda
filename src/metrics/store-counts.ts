import { sql } from 'kysely';
import type { Logger } from 'pino';
import { v7 as uuid } from 'uuid';
import type { Database } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import type { Activity, ActivityCell } from './activity.js';
import type { DatasetSearchCell, DatasetSearches } from './dataset-searches.js';

const INTERVAL_MS = 5_000;
/** Rows of one statement. */
const BATCH = 1_000;
/** Longer than anybody asks for. */
export const ACTIVITY_RETENTION_MS = 48 * 3_600_000;
export const DATASET_SEARCHES_RETENTION_MS = 31 * 86_400_000;

interface StoreCountsOptions {
  activity: Activity;
  datasetSearches: DatasetSearches;
  db: Database;
  log: Logger;
}

/**
 * Stores what this process counts, every few seconds and a last time at the end. Nobody waits for it: what cannot be stored
 * is kept for the next time.
 */
export function startStoringCounts({ activity, datasetSearches, db, log }: StoreCountsOptions): {
  stop(): Promise<void>;
} {
  const process = uuid();
  let storing = Promise.resolve();
  let isFailing = false;

  async function store(): Promise<void> {
    try {
      await storeChanged(activity, (cells) => storeActivity(db, process, cells));
      await storeChanged(datasetSearches, (cells) => storeDatasetSearches(db, process, cells));
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'activity could not be stored; trying again');
      isFailing = true;
    }
  }

  const storeNext = () => {
    storing = storing.then(store);
    return storing;
  };
  const timer = setInterval(storeNext, INTERVAL_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await storeNext();
    },
  };
}

interface Counter<Cell> {
  takeChanged(): Cell[];
  keep(cells: readonly Cell[]): void;
}

async function storeChanged<Cell>(
  counter: Counter<Cell>,
  write: (cells: readonly Cell[]) => Promise<void>,
): Promise<void> {
  const cells = counter.takeChanged();
  for (let start = 0; start < cells.length; start += BATCH) {
    try {
      await write(cells.slice(start, start + BATCH));
    } catch (error) {
      counter.keep(cells.slice(start));
      throw error;
    }
  }
}

/** Whole minutes are written, not what was added: to write one twice is to write it once. */
async function storeActivity(db: Database, process: string, cells: readonly ActivityCell[]): Promise<void> {
  const rows = cells.map(({ tenantId, minute, counts }) => ({
    tenant_id: tenantId,
    minute: new Date(minute),
    documents_ready: counts.documentsReady,
    documents_failed: counts.documentsFailed,
    chunks: counts.chunks,
    searches: counts.searches,
    searches_failed: counts.searchesFailed,
    search_latencies: counts.searchLatencies,
  }));
  await sql`
    insert into activity_minutes as stored (tenant_id, minute, process, documents_ready, documents_failed, chunks, searches,
      searches_failed, search_latencies)
    select tenant_id, minute, ${process}, documents_ready, documents_failed, chunks, searches, searches_failed, search_latencies
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as given (tenant_id text, minute timestamptz, documents_ready bigint, documents_failed bigint, chunks bigint,
        searches bigint, searches_failed bigint, search_latencies bigint[])
    on conflict (tenant_id, minute, process) do update
    set documents_ready = excluded.documents_ready, documents_failed = excluded.documents_failed, chunks = excluded.chunks,
      searches = excluded.searches, searches_failed = excluded.searches_failed, search_latencies = excluded.search_latencies
  `.execute(unscoped(db, 'A process stores what it has counted for all tenants.'));
}

/** Likewise with whole days. */
async function storeDatasetSearches(
  db: Database,
  process: string,
  cells: readonly DatasetSearchCell[],
): Promise<void> {
  const rows = cells.map(({ tenantId, tenantUnitId, datasetId, day, searches }) => ({
    tenant_id: tenantId,
    tenant_unit_id: tenantUnitId,
    dataset_id: datasetId,
    day: new Date(day),
    searches,
  }));
  await sql`
    insert into dataset_searches as stored (tenant_id, dataset_id, day, tenant_unit_id, process, searches)
    select tenant_id, dataset_id, day, tenant_unit_id, ${process}, searches
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as given (tenant_id text, dataset_id text, day timestamptz, tenant_unit_id text, searches bigint)
    on conflict (tenant_id, dataset_id, day, tenant_unit_id, process) do update set searches = excluded.searches
  `.execute(unscoped(db, 'A process stores the searches of the datasets of all tenants.'));
}
