import fs from 'node:fs';

export type EmbeddedPostgresErrorCode =
  | 'unavailable'
  | 'no_account'
  | 'obstructed'
  | 'in_use'
  | 'disk_full'
  | 'wrong_password'
  | 'other_version'
  | 'not_permitted'
  | 'damaged'
  | 'failed';

/** Why there is no server; `message` says what to do, and may end with lines of the server's log. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';

  constructor(
    readonly code: EmbeddedPostgresErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

type Remedy = [EmbeddedPostgresErrorCode, sign: RegExp, sentence: string];

const DISK_FULL: Remedy = [
  'disk_full',
  /ENOSPC|No space left|free disk space|EDQUOT|quota exceeded/i,
  'The disk is full: free some space and start again.',
];

/** NAME is that of the program. */
const REMEDIES: Remedy[] = [
  [
    'unavailable',
    /^no binaries for this platform /,
    'There are binaries for Linux with glibc and for macOS; npm installs them with --include=optional.',
  ],
  ['no_account', /^PostgreSQL does not run as root/, 'Start as an ordinary user.'],
  ['obstructed', / is not a file$/m, 'Move it away, and start again.'],
  ['in_use', / runs PostgreSQL on its data$/m, 'Stop that first, or choose another data folder.'],
  ['in_use', / does not (answer|end)$/m, 'Stop the programs that use this data folder, and start again.'],
  DISK_FULL,
  [
    'wrong_password',
    /\.password|password authentication/,
    'Its file NAME.password is missing or not the right one.',
  ],
  [
    'obstructed',
    /EEXIST|ENOTDIR|ELOOP/,
    'A file, or a symbolic link that leads nowhere, is where a folder should be: remove it, or choose another data folder.',
  ],
  [
    'obstructed',
    /ENOENT: no such file or directory, mkdir/,
    'Its file system takes no folders, as /proc does: choose another data folder.',
  ],
  [
    'other_version',
    /incompatible with server|initialized by PostgreSQL version/i,
    'The data was written by another major version of PostgreSQL: dump it with that version and restore ' +
      'it into an empty folder, or choose another data folder.',
  ],
  [
    'in_use',
    /pre-existing shared memory|lock file "postmaster.pid" already exists/i,
    'Another PostgreSQL process still uses this folder (perhaps in another container): stop that one first.',
  ],
  [
    'not_permitted',
    /EACCES|EPERM|EROFS|Permission denied|Read-only file|wrong ownership|not permitted/i,
    'The data folder must be writable for this user, and owned by the one who made it: correct its ' +
      'permissions, or choose another data folder.',
  ],
  [
    'damaged',
    /PANIC|checkpoint record|could not open file|could not read file|could not access|control file|not a PostgreSQL data/i,
    'The data files look damaged: restore them from a backup, or move the folder away to start empty.',
  ],
];

/** What an error tells beside its cause. */
interface Place {
  folder: string;
  name: string;
  alternative: string | undefined;
}

/** Wraps whatever went wrong into one message: what, where, what to do about it, and the log's tail. */
export function toStartError(
  cause: unknown,
  { folder, name, alternative }: Place,
  logTail = '',
): EmbeddedPostgresError {
  if (cause instanceof EmbeddedPostgresError) return cause;
  const what = cause instanceof Error ? cause.message : String(cause);
  const remedy = isDiskFull(folder)
    ? DISK_FULL
    : REMEDIES.find(([, sign]) => sign.test(`${what}\n${logTail}`));
  const lines = [`The embedded PostgreSQL in ${folder} could not start: ${what}`];
  if (remedy) lines.push(remedy[2].replace('NAME', name));
  if (alternative) lines.push(`Or: ${alternative}`);
  if (logTail) lines.push('Its log ends:', logTail);
  return new EmbeddedPostgresError(remedy?.[0] ?? 'failed', lines.join('\n'), { cause });
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
