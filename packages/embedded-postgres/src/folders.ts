import { chmod, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Readable for its owner alone. */
export const PRIVATE = 0o700;

/**
 * Of the data folder: PostgreSQL does not run as root, so that its account has to pass through root's; it can read no
 * name there.
 */
export const dataFolderMode = (): number => (process.getuid?.() === 0 ? 0o711 : PRIVATE);

/**
 * Makes a folder, and those above it, where they are missing. In place of `recursive`, which goes on for ever below /proc:
 * there nothing can be made, and the system says that what is above is missing.
 *
 * @param mode of each that is made
 * @returns the topmost that was made, if any
 */
export async function makeFolder(folder: string, mode: number): Promise<string | undefined> {
  const above = path.dirname(folder);
  let made: string | undefined;
  try {
    await mkdir(folder, mode);
  } catch (error) {
    if (await isFolder(folder)) return undefined;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // What is above may be there by now, made by another process.
    made = await makeFolder(above, mode);
    // Again, once: another process may have been faster.
    await mkdir(folder, mode).catch(async (again) => {
      if (!(await isFolder(folder))) throw again;
    });
  }
  // The umask may have taken the rights of others, without which they cannot pass.
  if (mode !== PRIVATE) await chmod(folder, mode);
  return made ?? folder;
}

const isFolder = (place: string): Promise<boolean> =>
  stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
