import { connectDatabase } from '../../../db/client.js';
import { startEmbedded } from '../../../db/embedded/index.js';
import { migrateToLatest } from '../../../db/migrate.js';
import type { Database } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { makeDataDir } from '../../../src/cli/data-dir.js';
import { fillTenant } from './fill-tenant.js';
import { type MeasuredServer, startRival, startService } from './measured-server.js';

export interface RivalProgram {
  name: string;
  /** In `rivals/`. */
  program: string;
  args?: string[];
}

/**
 * Runs `work` with the service and its rivals, each a process of its own, on one embedded database that holds a tenant.
 * Autovacuum is off: when it comes along would decide the times of the rest.
 */
export async function withServers<T>(
  rivals: RivalProgram[],
  work: (servers: { service: MeasuredServer; rivals: MeasuredServer[]; db: Database }) => Promise<T>,
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
    const service = await startService(url, dataDir);
    cleanups.push(service.stop);
    const started: MeasuredServer[] = [];
    for (const { name, program, args = [] } of rivals) {
      const rival = await startRival(name, program, url, ...args);
      cleanups.push(rival.stop);
      started.push(rival);
    }
    return await work({ service, rivals: started, db });
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}
