import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { clusterIn } from './cluster.js';
import type { DataFolder } from './data-folder.js';
import { isProcessAlive } from './is-process-alive.js';
import type { Account } from './run-program.js';

export interface LockFile {
  /** Undefined where the file names no process: it is empty, damaged, or not for us to read. */
  pid: number | undefined;
  port: number | undefined;
  /** "starting", "ready" or "stopping"; else whatever stands there. */
  status: string;
  /** Written so lately that a server may be about to write it. */
  isRecent: boolean;
  stats: fs.BigIntStats;
}

/** PostgreSQL reads no more either. */
const MAX_BYTES = 8192;
const MAX_PID = 2 ** 31 - 1;
const FRESH_MS = 2000;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

const lockFileIn = (folder: string): string => path.join(clusterIn(folder), 'postmaster.pid');

/**
 * Reads postmaster.pid, which holds port and status of a running server. After a crash it is stale and may be
 * damaged: treat it as a hint.
 */
export function readLockFile(folder: string): LockFile | undefined {
  const file = lockFileIn(folder);
  const stats = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false });
  if (!stats) return undefined;
  if (!stats.isFile()) throw new Error(`${file} is not a file`);
  const lines = readHead(file)
    .split('\n')
    .map((line) => line.trim());
  return {
    // A server for a single user writes its id as a negative number.
    pid: numberIn(lines[0]?.replace('-', ''), MAX_PID),
    port: numberIn(lines[3], 65_535),
    status: lines[7] ?? '',
    isRecent: Math.abs(Date.now() - Number(stats.mtimeMs)) < FRESH_MS,
    stats,
  };
}

/**
 * Removes a stale lock file that PostgreSQL would not: one without process id, or one whose process id
 * belongs to another program now (after a reboot, in a new container).
 *
 * @param lock was read before the search for a server that found none: a server whose lock is read later may have
 *   started after that search
 * @returns false if a server may be just writing it, or has just written another
 */
export function removeStaleLockFile({ folder, account }: DataFolder, lock: LockFile | undefined): boolean {
  if (!lock) return true;
  if (lock.pid === undefined && lock.isRecent) return false;
  // This one PostgreSQL removes by itself, after a look at the shared memory that it names.
  if (lock.pid !== undefined && !isProcessAlive(lock.pid) && isReadableBy(account, lock.stats)) return true;
  const file = lockFileIn(folder);
  const aside = path.join(folder, `lock-${process.pid}-${randomUUID()}`);
  try {
    if (!isSame(fs.lstatSync(file, { bigint: true }), lock.stats)) return false;
    fs.renameSync(file, aside);
    // Another process may have been quicker still, and its server writes to the lock now: put it back.
    const isStale = isSame(fs.lstatSync(aside, { bigint: true }), lock.stats);
    if (!isStale) fs.linkSync(aside, file);
    fs.unlinkSync(aside);
    return isStale;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A third process has started a server in between: of the two the shared memory lets one run.
    if (code === 'EEXIST') fs.unlinkSync(aside);
    else if (code !== 'ENOENT') throw error;
    return code === 'ENOENT';
  }
}

/** Reads the beginning of a file; what we may not read counts as empty. */
function readHead(file: string): string {
  let fd: number | undefined;
  try {
    fd = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const head = Buffer.alloc(MAX_BYTES);
    return head.toString('latin1', 0, fs.readSync(fd, head));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'ENOENT') return '';
    throw error;
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

function numberIn(text: string | undefined, max: number): number | undefined {
  const number = text && /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return number > 0 && number <= max ? number : undefined;
}

const isReadableBy = (account: Account, { uid, mode }: fs.BigIntStats): boolean =>
  !account || (Number(uid) === account.uid && (mode & 0o400n) !== 0n);

const isSame = (a: fs.BigIntStats, b: fs.BigIntStats): boolean =>
  a.ino === b.ino && a.mtimeNs === b.mtimeNs && a.size === b.size;
