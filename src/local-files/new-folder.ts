import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, PRIVATE } from '../../db/folders.js';
import { conflict } from '../errors/errors.js';

/**
 * Has a folder filled that is new or empty, readable for its owner alone. After a failure it is as it was before, so that
 * the next attempt finds room, and nothing that looks like a result.
 *
 * @param subfolders to make in it, at least one
 * @throws DomainError `conflict` where the folder has something in it; what the work throws
 */
export async function fillNewFolder<T>(
  folder: string,
  subfolders: [string, ...string[]],
  work: () => Promise<T>,
): Promise<T> {
  const [first, ...others] = subfolders;
  const made = await makeFolder(folder, PRIVATE);
  const emptied = async () => {
    if (made) await rmdir(folder).catch(() => {});
  };
  try {
    if ((await readdir(folder)).length > 0) throw conflict(`The folder ${folder} is not empty.`, []);
    // Whoever makes this one has the folder: a second process fails here, and leaves it alone.
    await mkdir(path.join(folder, first), PRIVATE);
  } catch (error) {
    await emptied();
    throw nameFolder(error, folder);
  }
  try {
    for (const name of others) await mkdir(path.join(folder, name), PRIVATE);
    return await work();
  } catch (error) {
    await removeContents(folder).then(emptied, () => {});
    throw nameFolder(error, folder);
  }
}

async function removeContents(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true });
}

/** A write that finds no space does not say where. */
export function nameFolder(error: unknown, folder: string): unknown {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  const isFull = syscall !== undefined && /^(ENOSPC|EDQUOT)$/.test(code);
  return isFull ? Object.assign(error as Error, { path: folder }) : error;
}
