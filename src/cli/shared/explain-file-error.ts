import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import os from 'node:os';

/**
 * What is wrong with a file or folder, and what to do.
 *
 * @returns undefined for other errors than those of the file system
 */
export function explainFileError(error: Error): string | undefined {
  const { code = '', syscall = '', path } = error as NodeJS.ErrnoException;
  // A program that cannot be started is no place to write to.
  if (syscall === '' || syscall.startsWith('spawn')) return undefined;
  // Without the path, which it has where a call is given one.
  const reason = error.message.split(` '`)[0] ?? '';
  if (/^(ENOSPC|EDQUOT)$/.test(code)) {
    const place = path ? `in ${path}` : 'on a disk';
    return `There is no space left ${place} (${reason}). Free some, or use a folder on another disk, and run this again.`;
  }
  if (path === undefined) return undefined;
  if (code === 'EEXIST' && syscall !== 'mkdir') {
    return `${path} is there already (${reason}). Does another command write into this folder? Otherwise use another one.`;
  }
  // What is missing elsewhere is another matter.
  if (code === 'ENOENT' && !/^mkd/.test(syscall)) return undefined;
  return WRONG_FOLDER[code]?.({ path, reason });
}

const leadsNowhere = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true && !existsSync(path);

const WRONG_FOLDER: Record<string, (failure: { path: string; reason: string }) => string> = {
  EACCES: lacksRight,
  EPERM: lacksRight,
  EEXIST: ({ path, reason }) =>
    leadsNowhere(path)
      ? `${path} is a symbolic link to ${readlinkSync(path)}, which is not there, and a folder is needed (${reason}). Make that, or use another folder.`
      : `${path} is a file, and a folder is needed (${reason}). ${useAnother()}`,
  ENOENT: ({ path, reason }) =>
    `${path} cannot be made: its file system takes no folders, as /proc does (${reason}). ${useAnother()}`,
  ELOOP: ({ path, reason }) => `${path} leads back to itself by symbolic links (${reason}). ${useAnother()}`,
  ENOTDIR: ({ path, reason }) =>
    `${path} cannot be a folder, because it or what is above it is a file (${reason}). ${useAnother()}`,
  EROFS: ({ path, reason }) => `${path} is on a disk that can only be read (${reason}). ${useAnother()}`,
};

function lacksRight({ path, reason }: { path: string; reason: string }): string {
  return `The ${describeUser()}, which this command runs as, lacks a right to ${path} or to a folder above it (${reason}). Give it the right, or use another folder.`;
}

const useAnother = (): string =>
  `Use a folder that the ${describeUser()}, which this command runs as, has the right to write to.`;

/** Containers may run as a user without a name. */
function describeUser(): string {
  try {
    return `user ${os.userInfo().username}`;
  } catch {
    return `user with the id ${process.getuid?.()}`;
  }
}
