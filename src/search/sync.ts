import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-wall/unscoped.js';
import { ensureIndex, ensureSettings } from './keeping/ensure-index.js';
import { beginKeeping, noteFailure, noteSuccess, readIndexState } from './keeping/index-state.js';
import { retrySetAside } from './keeping/outbox.js';
import { sendChanges } from './keeping/send-changes.js';
import { asOnlyWriter, isWriterAwaited } from './keeping/sync-lock.js';
import type { SearchServer } from './meilisearch/connect.js';
import { explainError } from './meilisearch/errors.js';
import { reindex } from './reindex.js';

/** How often to look for changes, and at the index itself. */
const POLL_MS = 200;
const CHECK_MS = 2_000;
/** Then the index itself is looked at again. Whoever waits to write into it may do so earlier. */
const MAX_TURN_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** How often to look at the settings, and to begin again with what was set aside. */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface Sync {
  stop(): Promise<void>;
}

/**
 * Keeps the index in step with the database, one process at a time. Whatever goes wrong is tried again until it goes
 * well; meanwhile changes wait in the outbox.
 */
export function startSync({
  db: database,
  server,
  clock,
  log,
}: {
  db: Database;
  server: SearchServer;
  clock: () => Date;
  log: Logger;
}): Sync {
  const db = unscoped(database, 'One search index serves all tenants, and is kept for all of them.');
  const stopping = new AbortController();
  const { signal } = stopping;
  let isKeeping = false;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let tidiedAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let lastReason: string | undefined;
  let rebuilding: Promise<void> | undefined;

  async function turn(): Promise<void> {
    if (!isKeeping) {
      await beginKeeping(db);
      isKeeping = true;
    }
    const isCheckDue = performance.now() - checkedAt >= CHECK_MS;
    if (!isCheckDue && !(await hasChanges(db))) return;
    await asOnlyWriter(db, { wait: false }, async (session) => {
      if (await ensureIndex({ session, server, log, signal })) tidiedAt = Number.NEGATIVE_INFINITY;
      const since = performance.now();
      if (since - tidiedAt >= HOUR_MS) {
        // First, so that a key that may not see the settings keeps no change from the index.
        tidiedAt = since;
        await retrySetAside(session, new Date(clock().getTime() - DAY_MS));
        if ((await ensureSettings({ server, log, signal })) || (await isBeingRebuilt(session))) rebuild();
      }
      await sendChanges({
        session,
        client: await server.working(),
        uid: server.uid,
        isTimeUp: async () =>
          signal.aborted || performance.now() - since > MAX_TURN_MS || isWriterAwaited(session),
        signal,
        onSetAside: (chunkId, reason) =>
          log.error({ chunkId, reason }, 'the search server does not take a chunk'),
      });
      await noteSuccess(session);
    });
    checkedAt = performance.now();
  }

  /** In the background; where a command is building already, it goes on there. */
  function rebuild(): void {
    if (!server.admin || rebuilding) return;
    rebuilding = reindex({ db, server, signal })
      .then(({ copied }) => log.info({ copied }, 'the search index is built anew'))
      .catch((error) => {
        if (!signal.aborted) log.warn({ reason: explainError(error) }, 'the search index is not built anew');
      })
      .finally(() => {
        rebuilding = undefined;
      });
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let pause = POLL_MS;
      try {
        await turn();
        if (failures > 0) log.info('the search index is being kept again');
        failures = 0;
        lastReason = undefined;
      } catch (error) {
        if (signal.aborted) return;
        pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
        server.noteError(error);
        const reason = explainError(error);
        failures++;
        if (reason !== lastReason) log.warn({ reason }, 'changes do not reach the search index; they wait');
        lastReason = reason;
        await noteFailure(db, reason).catch(() => {});
      }
      await delay(pause, undefined, { signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      await rebuilding;
    },
  };
}

const isBeingRebuilt = async (db: Database) => (await readIndexState(db))?.rebuild != null;

async function hasChanges(db: Database): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from search_outbox where task_uid is null and error is null) as found
  `.execute(db);
  return rows[0]?.found ?? false;
}
