import { chmod, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isProcessAlive } from '../../../db/embedded/run-program.js';

/** The process that uses it is in its name. */
const NAME = /^lectern-demo-(\d+)-/;
const REMOVAL = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };

export interface TemporaryFolder {
  path: string;
  remove(): Promise<void>;
}

/** A folder for the data of this process alone, that the account of the embedded database can reach. */
export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `lectern-demo-${process.pid}-`));
  await chmod(folder, 0o755);
  return { path: folder, remove: () => rm(folder, REMOVAL) };
}

/** Removes what demonstrations of this user left that were killed. */
export async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(os.tmpdir())) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isProcessAlive(Number(pid))) continue;
    const folder = path.join(os.tmpdir(), name);
    const { uid } = await lstat(folder).catch(() => ({ uid: undefined }));
    if (uid === process.getuid?.()) await rm(folder, REMOVAL);
  }
}
