import { setTimeout as delay } from 'node:timers/promises';
import { connectDatabase } from '../../../db/client.js';
import { startEmbedded } from '../../../db/embedded.js';
import { migrateToLatest } from '../../../db/migrate.js';
import type { Database } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { makeDataDir } from '../../../src/cli/shared/data-dir.js';
import { fillTenant } from './fill-tenant.js';
import { type MeasuredServer, type ServiceVariant, startRival, startService } from './measured-server.js';

export interface RivalProgram {
  name: string;
  /** In `rivals/`. */
  program: string;
  args?: string[];
}

type Rival = RivalProgram | ServiceVariant;

/**
 * Runs `work` with the service and its rivals, programs or variants of it, each a process of its own, on one embedded database that holds a tenant.
 * Autovacuum is off: when it comes along would decide the times of the rest.
 */
export async function withServers<T>(
  rivals: Rival[],
  work: (servers: {
    service: MeasuredServer;
    rivals: MeasuredServer[];
    db: Database;
    url: string;
  }) => Promise<T>,
  variant: ServiceVariant = {},
): Promise<T> {
  /** Run in reverse order at the end. */
  const cleanups: (() => Promise<unknown>)[] = [];
  try {
    const { dataDir, remove } = await makeDataDir('bench');
    cleanups.push(remove);
    const { url, stop } = await startEmbedded({ dataDir, flags: ['--autovacuum=off'] });
    cleanups.push(stop);
    await migrateToLatest(url);
    const { db: guarded, close } = connectDatabase(url, { max: 2 });
    cleanups.push(close);
    const db = unscoped(guarded, 'The rows of the measured tenant are made by a few statements.');
    await fillTenant(db);
    const service = await startService(url, dataDir, variant);
    cleanups.push(service.stop);
    await untilIdle(service);
    const started: MeasuredServer[] = [];
    for (const one of rivals) {
      const rival =
        'program' in one
          ? await startRival(one.name, one.program, url, ...(one.args ?? []))
          : await startService(url, dataDir, one);
      cleanups.push(rival.stop);
      await untilIdle(rival);
      started.push(rival);
    }
    return await work({ service, rivals: started, db, url });
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}

const IDLE_CHECK_MS = 2_000;
/** Of a processor: what jobs that look for work take. */
const IDLE_SHARE = 0.03;
const IDLE_LIMIT_MS = 180_000;

/** What the service does with the rows that were made, such as the index of their messages, is not part of a request. */
async function untilIdle(server: MeasuredServer): Promise<void> {
  const end = performance.now() + IDLE_LIMIT_MS;
  let before = await server.cpu();
  while (performance.now() < end) {
    await delay(IDLE_CHECK_MS);
    const now = await server.cpu();
    if (now - before < IDLE_SHARE * IDLE_CHECK_MS * 1_000) return;
    before = now;
  }
  throw new Error(`${server.name} is still at work after ${IDLE_LIMIT_MS / 1_000} seconds.`);
}
