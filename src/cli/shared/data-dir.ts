import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { dataFolderMode } from '../../../db/folders.js';

/** For `rm`: a process that has just ended may still hold files. */
export const REMOVAL = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };

/** A temporary data folder that the account of the embedded database can reach, which is not root. */
export async function makeDataDir(name: string): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), `lectern-${name}-`));
  await chmod(dataDir, dataFolderMode());
  return { dataDir, remove: () => rm(dataDir, REMOVAL) };
}
