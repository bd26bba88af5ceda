import { sql } from 'kysely';
import type { Logger } from 'pino';
import { v7 as uuid } from 'uuid';
import type { Database } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import type { Activity, ActivityCell } from './activity.js';

const INTERVAL_MS = 5_000;
/** Rows of one statement. */
const BATCH = 1_000;
/** Longer than anybody asks for. */
export const ACTIVITY_RETENTION_MS = 48 * 3_600_000;

interface StoreActivityOptions {
  activity: Activity;
  db: Database;
  log: Logger;
}

/**
 * Stores what this process counts, every few seconds and a last time at the end. Nobody waits for it: what cannot be stored
 * is kept for the next time.
 */
export function startStoringActivity({ activity, db, log }: StoreActivityOptions): { stop(): Promise<void> } {
  const process = uuid();
  let storing = Promise.resolve();
  let isFailing = false;

  async function store(): Promise<void> {
    const cells = activity.takeChanged();
    for (let start = 0; start < cells.length; start += BATCH) {
      try {
        await storeCells(db, process, cells.slice(start, start + BATCH));
        isFailing = false;
      } catch (error) {
        activity.keep(cells.slice(start));
        if (!isFailing) log.warn({ err: error }, 'activity could not be stored; trying again');
        isFailing = true;
        return;
      }
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

/** Whole minutes are written, not what was added: to write one twice is to write it once. */
async function storeCells(db: Database, process: string, cells: readonly ActivityCell[]): Promise<void> {
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
