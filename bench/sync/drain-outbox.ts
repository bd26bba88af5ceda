import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import type { Database } from '../../db/schema.js';
import type { MeilisearchServer } from '../../src/search/meilisearch/connect.js';
import { enableOutbox, readIndexState } from '../../src/search/meilisearch/index-state.js';
import { readBacklog } from '../../src/search/meilisearch/outbox-consumer.js';
import { startIndexSync } from '../../src/search/meilisearch/sync.js';

const POLL_MS = 100;
const LOG_INTERVAL_MS = 10_000;

/** Has the sync bring every chunk into a new index; gives the seconds from the moment in which they are queued. */
export async function drainBacklog(
  db: Database,
  server: MeilisearchServer,
  onProgress: (waiting: number) => void,
): Promise<number> {
  await enableOutbox(db);
  const sync = startIndexSync({ db, server, clock: () => new Date(), log: pino({ level: 'warn' }) });
  try {
    while ((await readBacklog(db)).waiting === 0) await delay(POLL_MS);
    const begin = performance.now();
    for (let toldAt = begin; (await readIndexState(db))?.filling !== false; await delay(POLL_MS)) {
      if (performance.now() - toldAt < LOG_INTERVAL_MS) continue;
      toldAt = performance.now();
      onProgress((await readBacklog(db)).waiting);
    }
    return (performance.now() - begin) / 1000;
  } finally {
    await sync.stop();
  }
}
