import { lstat, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isProcessAlive } from '@lectern/embedded-postgres/is-process-alive';
import { makeDataDir, REMOVAL } from '../shared/data-dir.js';

/** The process that uses it is in its name. */
const NAME = /^lectern-demo-(\d+)-/;

/** A data folder for this process alone. */
export const makeDemoDataDir = () => makeDataDir(`demo-${process.pid}`);

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
