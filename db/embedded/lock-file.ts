import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { clusterIn } from './cluster.js';
import { isAlive } from './run.js';

export interface LockFile {
  pid: number;
  port: number;
  /** "starting", "ready" or "stopping". */
  status: string;
  text: string;
}

const lockFileIn = (folder: string): string => path.join(clusterIn(folder), 'postmaster.pid');

/** Reads postmaster.pid, in which a running server says where it listens and how it is. */
export function readLockFile(folder: string): LockFile | undefined {
  const text = readIfThere(lockFileIn(folder));
  const lines = text?.split('\n').map((line) => line.trim());
  if (!text || !lines?.[0]) return undefined;
  return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7] ?? '', text };
}

/**
 * Removes a lock file whose process id has gone to another program since (after a reboot, or in a new
 * container): PostgreSQL would refuse to start for as long as that program lives.
 */
export function removeStaleLock(folder: string): void {
  const lock = readLockFile(folder);
  if (!lock || !isAlive(lock.pid) || mayBeServer(lock.pid, folder)) return;
  const file = lockFileIn(folder);
  const aside = path.join(folder, `lock-${randomUUID()}`);
  try {
    fs.renameSync(file, aside);
    // Another process may have been as quick as us and started a server meanwhile: put its lock back.
    if (readIfThere(aside) !== lock.text) fs.linkSync(aside, file);
    fs.unlinkSync(aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Marks the servers that we start, here and in the system's list of processes. */
export const SERVER_NAME = 'cluster_name=lectern';

/** Stops a server of ours that has lost its watcher, since nothing else would; not one run by an operator. */
export function stopUnattended(folder: string): void {
  const lock = readLockFile(folder);
  if (lock?.status !== 'ready' || !mayBeServer(lock.pid, folder)) return;
  if (!readIfThere(`/proc/${lock.pid}/cmdline`)?.includes(SERVER_NAME)) return;
  process.kill(lock.pid, 'SIGINT');
}

/** A server sits in its data folder. Where /proc cannot tell (macOS), PostgreSQL itself must decide. */
function mayBeServer(pid: number, folder: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    const [sitsIn, cluster] = [fs.statSync(`/proc/${pid}/cwd`), fs.statSync(clusterIn(folder))];
    return sitsIn.dev === cluster.dev && sitsIn.ino === cluster.ino;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'; // gone, or a zombie
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
