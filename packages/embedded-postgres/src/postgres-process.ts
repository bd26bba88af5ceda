import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { clusterIn } from './cluster.js';
import type { DataFolder } from './data-folder.js';
import { isProcessAlive } from './is-process-alive.js';
import { readLockFile } from './lock-file.js';
import { childEnv } from './run-program.js';

/** A PostgreSQL process that uses a data folder: the server, or a child that outlives it briefly. */
export interface PostgresProcess {
  pid: number;
  /** With its arguments. */
  command: string;
  isChild: boolean;
}

/** Identifies our servers in the process list. */
export const serverName = ({ name }: DataFolder): string => `cluster_name=${name}`;

const MAX_COMMAND = 200;

/**
 * The server that works on a folder's data by the system's list of processes, whatever the lock file says.
 * Where that list does not tell who works in which folder (macOS), the lock file's process counts, if it is a server.
 */
export function findPostgresProcess(folder: string): PostgresProcess | undefined {
  if (process.platform !== 'linux') return findNamed(folder);
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const holders = pids
    .map((pid) => inspectProcess(Number(pid), folder))
    .filter((holder) => holder !== undefined);
  return holders.find(({ isChild }) => !isChild) ?? holders[0];
}

/** Whether the process still runs in the folder. */
export const isStillRunning = ({ pid }: PostgresProcess, folder: string): boolean =>
  process.platform === 'linux' ? inspectProcess(pid, folder) !== undefined : isProcessAlive(pid);

/**
 * Stops an orphaned server of ours that blocks the data folder; nothing else would stop it.
 *
 * @throws Error naming the process if it is not ours
 */
export function stopOrphanedServer(place: DataFolder): void {
  const { folder } = place;
  const holder = findPostgresProcess(folder);
  if (!holder || holder.isChild) return;
  if (!holder.command.includes(serverName(place))) {
    throw new Error(
      `process ${holder.pid} (${holder.command.slice(0, MAX_COMMAND)}) runs PostgreSQL on its data`,
    );
  }
  const lock = readLockFile(folder);
  // A starting server has an owner; one without lock file exits within a minute.
  if (!lock || lock.isRecent || lock.status === 'starting' || lock.status === 'stopping') return;
  process.kill(holder.pid, 'SIGINT');
}

/** A server and its children have the data folder for their working folder. */
function inspectProcess(pid: number, folder: string): PostgresProcess | undefined {
  try {
    if (!/^(postgres|postmaster)$/.test(fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim()))
      return undefined;
    const [worksIn, cluster] = [fs.statSync(`/proc/${pid}/cwd`), fs.statSync(clusterIn(folder))];
    if (worksIn.dev !== cluster.dev || worksIn.ino !== cluster.ino) return undefined;
    return describe(pid, fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
  } catch {
    return undefined; // gone, a zombie, or a stranger's
  }
}

function findNamed(folder: string): PostgresProcess | undefined {
  const pid = readLockFile(folder)?.pid;
  if (pid === undefined || !isProcessAlive(pid)) return undefined;
  try {
    const command = execFileSync('ps', ['-p', String(pid), '-o', 'command='], {
      encoding: 'utf8',
      env: childEnv,
    });
    return /postgres|postmaster/.test(command) ? describe(pid, command) : undefined;
  } catch {
    return undefined; // gone meanwhile
  }
}

const describe = (pid: number, command: string): PostgresProcess => ({
  pid,
  command: command.trim(),
  isChild: command.startsWith('postgres: '),
});
