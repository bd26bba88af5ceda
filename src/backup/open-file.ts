import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { invalid } from '../errors/errors.js';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
const CHUNK_BYTES = 1024 * 1024;

/**
 * Opens a file of a backup, whoever has written that: no symbolic link leads out of the folder, and neither a pipe nor a
 * device is read.
 *
 * @param file its path within the folder
 * @throws DomainError `invalid` where it is no regular file
 */
export async function openFile(
  folder: string,
  file: string,
): Promise<{ sizeBytes: number; bytes: Readable }> {
  const handle = await openWithin(folder, file);
  const stats = await handle.stat();
  if (!stats.isFile()) {
    await handle.close();
    throw notRegular(file);
  }
  return { sizeBytes: stats.size, bytes: handle.createReadStream({ highWaterMark: CHUNK_BYTES }) };
}

async function openWithin(folder: string, file: string) {
  const parents = file.split('/').slice(0, -1);
  for (let i = 1; i <= parents.length; i++) {
    const parent = path.join(folder, ...parents.slice(0, i));
    if (!(await lstat(parent)).isDirectory()) throw notRegular(file);
  }
  try {
    return await open(path.join(folder, file), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    // A symbolic link, or a socket.
    throw /^(ELOOP|EMLINK|ENXIO)$/.test((error as { code?: string }).code ?? '') ? notRegular(file) : error;
  }
}

const notRegular = (file: string) => invalid(`${file} is not a regular file of the backup.`, []);
