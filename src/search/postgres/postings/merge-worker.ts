import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../../../../db/schema.js';
import { unscoped } from '../../../../db/tenant-isolation/unscoped.js';
import { MESSAGES } from '../../messages/message-entries.js';
import { moveMessages } from '../../messages/move-messages.js';
import { readPostedMessages } from '../../messages/posted-messages.js';
import { describeSegment, findUndescribed, type UndescribedSegment } from './describe-segments.js';
import { findDue, mergeSegments } from './merge.js';
import { moveChanges, readChunks } from './move-chunks.js';
import type { IndexedDataset } from './write-segment.js';

/** Changes of some time are merged together: each merge rewrites the smallest segments. */
const INTERVAL_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;
const DUE_INTERVAL_MS = 60_000;
/** Changes of which tenants are read at a time. */
const PAGE = 200;

export interface MergeWorker {
  stop(): Promise<void>;
}

/** Moves changes of all tenants into their segments, here and beside other processes. Failures are retried. */
export function startMergeWorker({ db, log }: { db: Database; log: Logger }): MergeWorker {
  const stopping = new AbortController();
  const { signal } = stopping;

  /** Datasets whose segments may be due to be merged. */
  const changed = new Map<string, IndexedDataset>();

  /** Segments that a former release wrote. */
  let undescribed: UndescribedSegment[] = [];

  const add = (dataset: IndexedDataset) => changed.set(JSON.stringify(dataset), dataset);

  async function run(): Promise<void> {
    let pause = INTERVAL_MS;
    let moveAt = 0;
    let findDueAt = 0;
    while (!signal.aborted) {
      try {
        if (performance.now() >= findDueAt) {
          const everyone = unscoped(db, 'Segments of all tenants are rewritten in time.');
          for (const dataset of await findDue(everyone)) add(dataset);
          undescribed = await findUndescribed(everyone);
          findDueAt = performance.now() + DUE_INTERVAL_MS;
        }
        if (performance.now() >= moveAt) {
          moveAt = (await moveAll()) ? 0 : performance.now() + INTERVAL_MS;
        } else if (!(await mergeNext()) && !(await describeNext())) {
          await delay(Math.max(0, moveAt - performance.now()), undefined, { signal, ref: false });
        }
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
  async function moveAll(): Promise<boolean> {
    let isMore = false;
    const errors: unknown[] = [];
    const waiting = [
      ...(await findTenants(db, 'posting_changes')).map((tenantId) => ({ tenantId, move: moveChanges })),
      ...(await findTenants(db, 'message_changes')).map((tenantId) => ({ tenantId, move: moveMessages })),
    ];
    for (const { tenantId, move } of waiting) {
      if (signal.aborted) return false;
      try {
        const { hasMore, datasets } = await move(db, tenantId, signal);
        isMore ||= hasMore;
        for (const dataset of datasets) add(dataset);
      } catch (error) {
        // Other tenants need not wait for what is wrong with this one.
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
    return isMore;
  }

  /** One merge at a time, so that changes do not wait for all of them. Returns false if there is none to be done now. */
  async function mergeNext(): Promise<boolean> {
    for (const [key, dataset] of changed) {
      changed.delete(key);
      const read = dataset.datasetId === MESSAGES ? readPostedMessages : readChunks;
      const outcome = await mergeSegments(db, dataset, { read, signal });
      if (outcome !== 'nothing due') changed.set(key, dataset);
      return outcome !== 'locked';
    }
    return false;
  }

  /** Returns whether there was a segment. */
  async function describeNext(): Promise<boolean> {
    const segment = undescribed.pop();
    if (segment) await describeSegment(db, segment, signal);
    return segment !== undefined;
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

/**
 * Tenants with changes: by the keys of the changes, a page at a time, of which each tenant but the last of one is passed by
 * in the next.
 */
async function findTenants(
  database: Database,
  table: 'posting_changes' | 'message_changes',
): Promise<string[]> {
  const db = unscoped(database, 'Postings are merged for all tenants.');
  const found = new Set<string>();
  for (let last = ''; ; ) {
    const { rows } = await sql<{ tenantId: string }>`
      select tenant_id from ${sql.table(table)} where tenant_id > ${last} order by tenant_id limit ${PAGE}
    `.execute(db);
    for (const { tenantId } of rows) found.add(tenantId);
    last = rows.at(-1)?.tenantId ?? last;
    if (rows.length < PAGE) return [...found];
  }
}
