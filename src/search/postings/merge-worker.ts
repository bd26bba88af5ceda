import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { mergeChanges } from './merge.js';

/** Changes of some time are merged together: each merge rewrites the smallest segments. */
const INTERVAL_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;

export interface MergeWorker {
  stop(): Promise<void>;
}

/** Moves changes of all tenants into their segments, here and beside other processes. Failures are retried. */
export function startMergeWorker({ db, log }: { db: Database; log: Logger }): MergeWorker {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    for (let pause = INTERVAL_MS; !signal.aborted; ) {
      try {
        if (!(await mergeTenants())) await delay(pause, undefined, { signal, ref: false });
        pause = INTERVAL_MS;
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: error }, 'could not merge postings; trying again');
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
        await delay(pause, undefined, { signal, ref: false });
      }
    }
  }

  /** @returns whether more changes are waiting */
  async function mergeTenants(): Promise<boolean> {
    let hasMore = false;
    for (const tenantId of await findTenants(db)) {
      if (signal.aborted) return false;
      if (await mergeChanges(db, tenantId)) hasMore = true;
    }
    return hasMore;
  }

  const running = run().catch((error) => {
    if (!signal.aborted) throw error;
  });
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Tenants with changes, by one index look-up each. */
async function findTenants(database: Database): Promise<string[]> {
  const db = unscoped(database, 'Postings are merged for all tenants.');
  const { rows } = await sql<{ tenantId: string }>`
    with recursive tenants as (
      (select tenant_id from posting_changes order by tenant_id limit 1)
      union all
      select (select p.tenant_id from posting_changes as p where p.tenant_id > t.tenant_id order by p.tenant_id limit 1)
      from tenants as t where t.tenant_id is not null
    )
    select tenant_id from tenants where tenant_id is not null
  `.execute(db);
  return rows.map(({ tenantId }) => tenantId);
}
