import { connectDatabase } from '../../db/client.js';
import { startEmbedded } from '../../db/embedded.js';
import { migrateToLatest } from '../../db/migrate.js';
import type { Database } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';

/**
 * Starts an embedded database in a temporary folder.
 *
 * @param cleanups receives what ends and removes it, to be run in reverse order
 */
export async function startBenchDatabase(
  cleanups: (() => unknown)[],
): Promise<{ url: string; dataDir: string; db: Database }> {
  const { dataDir, remove } = await makeDataDir('bench');
  cleanups.push(remove);
  // When autovacuum comes along would decide the times of the rest.
  const { url, stop } = await startEmbedded({ dataDir, flags: ['--autovacuum=off'] });
  cleanups.push(stop);
  await migrateToLatest(url);
  const { db, close } = connectDatabase(url, { max: 2 });
  cleanups.push(close);
  return { url, dataDir, db: unscoped(db, 'The chunks of several tenants are made and counted.') };
}
