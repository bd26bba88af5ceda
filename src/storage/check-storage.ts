import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { dataFolderMode, makeFolder } from '../../db/folders.js';
import { unavailable } from '../errors/errors.js';
import type { FileStorage } from './file-storage.js';

/** What no time heals, unlike a full disk: reads are served without room for more. */
const WRONG_FOLDER = /^(EACCES|EPERM|EROFS|ENOTDIR|EEXIST|ENOENT|ELOOP|ENAMETOOLONG)$/;

/**
 * Makes a folder where it is missing, and a file in it, which it removes.
 *
 * @param variables that say where the folder is
 * @throws DomainError `unavailable` where nothing can be written to it; other failures are logged
 */
export async function checkFolder(folder: string, variables: string, log: Logger): Promise<void> {
  const probe = path.join(folder, `.${randomUUID()}.probe`);
  try {
    await makeFolder(folder, dataFolderMode());
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!WRONG_FOLDER.test(code)) {
      log.warn({ err: error, folder }, 'the folder cannot be written to');
      return;
    }
    throw unavailable(
      `Files cannot be written to ${folder} (${message}). Make it a folder that the user of this process may write to, or set ${variables}.`,
      error,
    );
  }
}

/** Asks a bucket for its first object. Servers start without their bucket, which may be away, so this only warns. */
export async function checkBucket(storage: FileStorage, log: Logger): Promise<void> {
  try {
    for await (const _ of storage.list()) break;
  } catch (error) {
    log.warn({ err: error, storage: storage.location }, 'the file storage cannot be listed');
  }
}
