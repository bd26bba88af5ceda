import fs from 'node:fs';
import { readLockFile } from './lock-file.js';
import { findPostgresProcess, isStillRunning } from './postgres-process.js';
import { sleep } from './run-program.js';
import { hasReader, hasUsers } from './user-pipe.js';

const TIME_LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 20;

/**
 * Closes our end of the user pipe. The last user waits until the server has stopped, so that the folder can
 * be copied or removed; others return at once.
 */
export async function releaseServer(folder: string, user: number): Promise<void> {
  const holder = findPostgresProcess(folder);
  // In another container its processes are invisible, its lock file is not.
  const isThere = () => (holder ? isStillRunning(holder, folder) : readLockFile(folder) !== undefined);
  const wasServed = hasReader(user);
  fs.closeSync(user);
  if (!wasServed) return; // it crashed; its lock file proves nothing
  const deadline = performance.now() + TIME_LIMIT_MS;
  while (!hasUsers(folder) && isThere() && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
}
