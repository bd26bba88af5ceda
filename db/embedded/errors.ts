import fs from 'node:fs';

const WAY_OUT = 'Set DATABASE_URL to use a PostgreSQL server of your own.';

/** No embedded PostgreSQL can run on this platform. */
export class EmbeddedUnavailableError extends Error {
  override name = 'EmbeddedUnavailable';
  constructor(why: string) {
    const platform = `${process.platform}-${process.arch}`;
    super(`No embedded PostgreSQL binaries for this platform (${platform}): ${why}. ${WAY_OUT}`);
  }
}

/** The embedded server exists but cannot start; the message says what to do. */
export class EmbeddedStartError extends Error {
  override name = 'EmbeddedFailed';
}

const DISK_FULL = 'The disk is full: free some space and start again.';

const REMEDIES: [RegExp, string][] = [
  [/ is not a file$/m, 'Move it away, and start again.'],
  [/ runs PostgreSQL on its data$/m, 'Stop that first, or choose another data folder.'],
  [/ does not (answer|end)$/m, 'Stop the programs that use this data folder, and start again.'],
  [/ENOSPC|No space left|free disk space|EDQUOT|quota exceeded/i, DISK_FULL],
  [/lectern\.password|password authentication/, 'Its file lectern.password is missing or not the right one.'],
  [
    /EEXIST|ENOTDIR|ELOOP/,
    'A file, or a symbolic link that leads nowhere, is where a folder should be: remove it, or choose another data folder.',
  ],
  [
    /ENOENT: no such file or directory, mkdir/,
    'Its file system takes no folders, as /proc does: choose another data folder.',
  ],
  [
    /incompatible with server|initialized by PostgreSQL version/i,
    'The data was written by another major version of PostgreSQL: dump it with that version and restore ' +
      'it into an empty folder, or choose another data folder.',
  ],
  [
    /pre-existing shared memory|lock file "postmaster.pid" already exists/i,
    'Another PostgreSQL process still uses this folder (perhaps in another container): stop that one first.',
  ],
  [
    /EACCES|EPERM|EROFS|Permission denied|Read-only file|wrong ownership|not permitted/i,
    'The data folder must be writable for this user, and owned by the one who made it: correct its ' +
      'permissions, or choose another data folder.',
  ],
  [
    /PANIC|checkpoint record|could not open file|could not read file|could not access|control file|not a PostgreSQL data/i,
    'The data files look damaged: restore them from a backup, or move the folder away to start empty.',
  ],
];

/** Wraps whatever went wrong into one message: what, where, what to do about it, and the log's tail. */
export function toStartError(cause: unknown, folder: string, logTail = ''): Error {
  if (cause instanceof EmbeddedUnavailableError || cause instanceof EmbeddedStartError) return cause;
  const what = cause instanceof Error ? cause.message : String(cause);
  const remedy = isDiskFull(folder)
    ? DISK_FULL
    : REMEDIES.find(([sign]) => sign.test(`${what}\n${logTail}`))?.[1];
  const lines = [`The embedded PostgreSQL in ${folder} could not start: ${what}`];
  if (remedy) lines.push(remedy);
  lines.push(`Or: ${WAY_OUT}`);
  if (logTail) lines.push('Its log ends:', logTail);
  return new EmbeddedStartError(lines.join('\n'), { cause });
}

/** Asked of the system, because on a full disk the log stays empty too. */
function isDiskFull(folder: string): boolean {
  if (!fs.existsSync(folder)) return false;
  const { bavail, bsize, blocks } = fs.statfsSync(folder);
  return blocks > 0 && bavail * bsize < 1024 * 1024;
}

/** The last lines a log gained after `offset`. */
export function readLogTail(file: string, offset = 0): string {
  if (!fs.existsSync(file)) return '';
  const log = fs.readFileSync(file);
  const news = log.subarray(offset <= log.length ? offset : 0).toString('utf8');
  return lastLines(news);
}

export function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-12).join('\n').slice(-3000);
}
