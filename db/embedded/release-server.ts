import fs from 'node:fs';
import { readLockFile } from './lock-file.js';
import { findPostgresProcess, isStillRunning } from './postgres-process.js';
import { sleep } from './run-program.js';
import { hasReader, hasUsers } from './user-pipe.js';

const TIME_LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 20;

/**
 * Gives up our end of the users' pipe. The last user waits until the server has ended, so that its folder can be
 * copied or removed; others leave at once.
 */
export async function releaseServer(folder: string, user: number): Promise<void> {
  const holder = findPostgresProcess(folder);
  // In another container its processes are out of sight, but not its lock file.
  const isThere = () => (holder ? isStillRunning(holder, folder) : readLockFile(folder) !== undefined);
  const wasServed = hasReader(user);
  fs.closeSync(user);
  if (!wasServed) return; // it died, and what it left says nothing
  const deadline = Date.now() + TIME_LIMIT_MS;
  while (!hasUsers(folder) && isThere() && Date.now() < deadline) await sleep(LOOK_EVERY_MS);
}
