import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import type { Binaries } from './binaries.js';
import { clusterIn, connectionUrl } from './cluster.js';
import type { DataFolder } from './data-folder.js';
import { readLogTail, toStartError } from './errors.js';
import { readLockFile, removeStaleLockFile } from './lock-file.js';
import { choosePort, lastPort, rememberPort } from './port.js';
import { findPostgresProcess, serverName, stopOrphanedServer } from './postgres-process.js';
import { sleep } from './run-program.js';
import { createUserPipe, hasWatcher, registerUser } from './user-pipe.js';
import { readServerPid, spawnServer } from './watcher.js';

export interface ServerSetup extends DataFolder {
  binaries: Binaries;
  flags: string[];
  /** The last sentence of errors. */
  alternative: string | undefined;
}

export interface ServerUse {
  /** Our end of the users' pipe: the server runs for as long as it is open. */
  userPipe: number;
  url: string;
  /** True when another process had started the server. */
  shared: boolean;
}

const TIME_LIMIT_MS = 60_000;
/** How long another process may take to publish its new server; after that it is considered dead. */
const PATIENCE_MS = 5000;
const LOG_LIMIT_BYTES = 8 * 1024 * 1024;
/**
 * Log lines of transient conflicts: another process starts or stops a server here, or a crashed one is still
 * exiting.
 */
const PASSING =
  /lock file "postmaster\.pid" (already exists|is empty)|shared memory block|could not bind|could not create any TCP/;

/** Shares the running server or starts one, whichever succeeds first. */
export async function connectOrLaunch(
  site: ServerSetup,
  options: { keepPort?: boolean } = {},
): Promise<ServerUse> {
  const deadline = performance.now() + TIME_LIMIT_MS;
  const patience = performance.now() + PATIENCE_MS;
  for (let pause = 100; ; pause = Math.min(pause * 1.2, 1000)) {
    const session = (await share(site)) ?? (await launch(site, deadline, options.keepPort));
    if (session) return session;
    if (performance.now() > deadline) throw toStartError(startObstacle(site), site, readLogTail(logIn(site)));
    if (performance.now() > patience && !hasWatcher(site.folder)) stopOrphanedServer(site);
    await sleep(pause * (0.5 + Math.random())); // jitter, so that two starting processes do not collide again
  }
}

function startObstacle({ folder }: ServerSetup): string {
  if (hasWatcher(folder)) return 'the server that runs there does not answer';
  const holder = findPostgresProcess(folder);
  return holder
    ? `process ${holder.pid} (${holder.command}) does not end`
    : 'it was not ready within a minute';
}

const logIn = (place: DataFolder): string => path.join(place.folder, 'postgres.log');

async function share(site: ServerSetup): Promise<ServerUse | undefined> {
  const { folder } = site;
  const user = await registerUser(folder);
  if (user === undefined) return undefined;
  // Process ids and files may be stale; only a query with its password proves that it is our server.
  for (const port of new Set([readLockFile(folder)?.port, lastPort(folder)])) {
    const url = port && connectionUrl(site, port);
    if (url && !(await ask(url))) return { userPipe: user, url, shared: true };
  }
  fs.closeSync(user);
  return undefined;
}

async function launch(site: ServerSetup, deadline: number, keepPort = false): Promise<ServerUse | undefined> {
  const lock = readLockFile(site.folder);
  // Two servers on the same data would corrupt it.
  if (hasWatcher(site.folder) || findPostgresProcess(site.folder) || !removeStaleLockFile(site, lock))
    return undefined;
  const port = (keepPort && lastPort(site.folder)) || (await choosePort(site.folder));
  const url = connectionUrl(site, port);
  const log = openLog(site);
  const pipe = await createUserPipe(site);
  try {
    const child = spawnServer(site, command(site, port), pipe.reader, log.fd);
    if (await becomesReady(child, site.folder, url, deadline)) {
      rememberPort(site, port);
      pipe.publish();
      return { userPipe: pipe.writeEnd, url, shared: false };
    }
    throw new Error('its server exited');
  } catch (error) {
    pipe.discard(); // without users, what we started stops
    const tail = readLogTail(logIn(site), log.offset);
    if (PASSING.test(tail) || performance.now() > deadline) return undefined;
    throw toStartError(error, site, tail);
  } finally {
    fs.closeSync(pipe.reader);
    fs.closeSync(log.fd);
  }
}

/** Waits until the server answers; false when it exits instead, or time is up. */
async function becomesReady(
  child: ChildProcess,
  folder: string,
  url: string,
  deadline: number,
): Promise<boolean> {
  const pid = await readServerPid(child);
  while (child.exitCode === null && child.signalCode === null) {
    const lock = readLockFile(folder);
    if (lock?.pid === pid && lock.status === 'ready') {
      const refusal = await ask(url);
      if (!refusal) return true;
      if (/password/.test(refusal.message)) throw refusal;
    }
    if (performance.now() > deadline) return false;
    await sleep(10);
  }
  return false;
}

function command(site: ServerSetup, port: number): string[] {
  const { folder, binaries, flags } = site;
  return [
    ...[binaries.postgres, '-D', clusterIn(folder), '-p', String(port)],
    ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    // What it would log of a statement that fails are the values of rows; whoever sent it is told.
    ...['-c', 'log_checkpoints=off', '-c', 'log_min_messages=log', '-c', serverName(site)],
    ...flags,
  ];
}

/** The log goes to a file, because a pipe would tie the server to its first starter. */
function openLog(site: ServerSetup): { fd: number; offset: number } {
  const file = logIn(site);
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) fs.truncateSync(file);
  const fd = fs.openSync(file, 'a', 0o600);
  if (site.account) fs.fchownSync(fd, site.account.uid, site.account.gid);
  return { fd, offset: size > LOG_LIMIT_BYTES ? 0 : size };
}

/** Sends a test query; returns the error, if any. */
async function ask(url: string): Promise<Error | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    await client.end().catch(() => {});
  }
}
