import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { endWith } from '../../tracing/spans.js';
import type { Tracing } from '../../tracing/tracing.js';
import { runRetryLoop } from '../indexing/retry-loop.js';
import { isWriterLockContended, withWriterLock } from '../indexing/session-locks.js';
import type { MeilisearchServer } from './connect.js';
import { ensureIndex, ensureSettings } from './ensure-index.js';
import { toOperatorMessage } from './errors.js';
import {
  enableOutbox,
  hasFormerDocuments,
  hasOtherProperties,
  readIndexState,
  recordSyncFailure,
  recordSyncSuccess,
} from './index-state.js';
import { retryQuarantined } from './outbox-consumer.js';
import { rebuildIndex } from './rebuild.js';
import { sendChanges } from './send-changes.js';

/** Intervals of polling the outbox and of checking the index. */
const POLL_INTERVAL_MS = 200;
const CHECK_INTERVAL_MS = 2_000;
/** Longest time under the writer lock before the index is checked again; shorter if the lock is contended. */
const MAX_LOCK_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** Interval of checking the settings, and age at which quarantined chunks are retried. */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface IndexSync {
  stop(): Promise<void>;
}

/**
 * Syncs the index with the database, in one process at a time. Failures are retried with backoff; changes
 * wait in the outbox.
 */
export function startIndexSync({
  db: database,
  server,
  tracing,
  clock,
  log,
}: {
  db: Database;
  server: MeilisearchServer;
  tracing?: Tracing | undefined;
  clock: () => Date;
  log: Logger;
}): IndexSync {
  const db = unscoped(database, 'One search index serves all tenants, so it is synced for all of them.');
  const stopping = new AbortController();
  const { signal } = stopping;
  let isOutboxEnabled = false;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let maintainedAt = Number.NEGATIVE_INFINITY;
  let rebuilding: Promise<void> | undefined;

  async function syncOnce(): Promise<void> {
    if (!isOutboxEnabled) {
      await enableOutbox(db);
      isOutboxEnabled = true;
    }
    const isCheckDue = performance.now() - checkedAt >= CHECK_INTERVAL_MS;
    if (!isCheckDue && !(await hasChanges(db))) return;
    await withWriterLock(db, { wait: false }, syncLocked);
    checkedAt = performance.now();
  }

  async function syncLocked(lockedDb: Database): Promise<void> {
    if (await ensureIndex({ lockedDb, server, log, signal })) maintainedAt = Number.NEGATIVE_INFINITY;
    const since = performance.now();
    if (since - maintainedAt >= HOUR_MS) {
      // Set first, so that a key without access to the settings does not block the sync.
      maintainedAt = since;
      await retryQuarantined(lockedDb, new Date(clock().getTime() - DAY_MS));
      const isForSettings = await ensureSettings({ server, log, signal });
      if (isForSettings || (await needsRebuild(lockedDb, { server, log }))) rebuild();
    }
    const client = await server.documentClient();
    // A check that finds nothing is not traced, and so leaves what is written from here on to the next one.
    const isSending = await hasChanges(lockedDb);
    const send = () =>
      sendChanges({
        lockedDb,
        client,
        indexUid: server.indexUid,
        shouldStop: async () =>
          !isSending ||
          signal.aborted ||
          performance.now() - since > MAX_LOCK_MS ||
          isWriterLockContended(lockedDb),
        signal,
        onQuarantine: (chunkId, reason) =>
          log.error({ chunkId, reason }, 'search server rejected a chunk; quarantined'),
      });
    await (isSending && tracing ? endWith(tracing.startTrace('sync search index', {}), send) : send());
    await recordSyncSuccess(lockedDb);
  }

  /** In the background; does nothing while a command runs a rebuild. */
  function rebuild(): void {
    if (!server.adminClient || rebuilding) return;
    rebuilding = rebuildIndex({ db, server, signal })
      .then(({ copied }) => log.info({ copied }, 'the search index was rebuilt'))
      .catch((error) => {
        if (!signal.aborted)
          log.warn({ reason: toOperatorMessage(error) }, 'the search index was not rebuilt');
      })
      .finally(() => {
        rebuilding = undefined;
      });
  }

  const running = runRetryLoop({
    step: async () => {
      await syncOnce();
      return POLL_INTERVAL_MS;
    },
    signal,
    firstPauseMs: FIRST_PAUSE_MS,
    longestPauseMs: LONGEST_PAUSE_MS,
    describeError: toOperatorMessage,
    async onFailure(error, reason) {
      server.reportError(error);
      await recordSyncFailure(db, reason).catch(() => {});
    },
    messages: {
      failed: 'search index sync failed; changes wait in the outbox',
      recovered: 'search index sync recovered',
    },
    log,
  });
  return {
    async stop() {
      stopping.abort();
      await running;
      await rebuilding;
    },
  };
}

/** Whether documents of the index are of a former release or have other properties, or a rebuild has begun. */
async function needsRebuild(
  db: Database,
  { server, log }: { server: MeilisearchServer; log: Logger },
): Promise<boolean> {
  const state = await readIndexState(db);
  if (!state) return false;
  const isOutdated = hasFormerDocuments(state) || hasOtherProperties(state, server.propertyNames);
  if (isOutdated && !server.adminClient) {
    const command = 'lectern search reindex';
    log.warn({ command }, 'the documents of the search index lack fields; run the command');
  }
  return isOutdated || state.rebuild != null;
}

/** Whether changes wait to be sent, or the index is being filled. */
async function hasChanges(db: Database): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from search_outbox where task_uid is null and error is null)
      or exists (select from search_index where filled_to is not null) as found
  `.execute(db);
  return rows[0]?.found ?? false;
}
