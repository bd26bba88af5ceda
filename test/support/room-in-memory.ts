import fs from 'node:fs';

/** A folder in memory, if there is room. In memory a database is copied in 10 ms; on a busy disk its 400 files can take 200. */
export function roomInMemory(): string | undefined {
  const folder = '/dev/shm';
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    fs.accessSync(folder, fs.constants.W_OK);
    return bavail * bsize > 4 * 1024 ** 3 ? folder : undefined;
  } catch {
    return undefined;
  }
}
