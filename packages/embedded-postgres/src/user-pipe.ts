import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { changeOwner, type DataFolder } from './data-folder.js';
import { runProgram, sleep } from './run-program.js';

/*
 * Reference counting by the kernel: every process that uses the server holds the write end of a named pipe
 * open, and a watcher beside the server (watcher.ts) reads it. When the last writer is gone, by stop() or by
 * kill -9, the watcher meets the end of the file and stops the server.
 */

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = fs.constants;
const pipeIn = (folder: string): string => path.join(folder, 'users');

export interface UserPipe {
  /** Our own write end: we are the first user. */
  writeEnd: number;
  /** For the watcher to inherit. */
  reader: number;
  /** Renames the pipe to its final name, so that other processes can join. */
  publish(): void;
  discard(): void;
}

/** Creates the pipe for one start attempt, under a temporary name. */
export async function createUserPipe({ folder, account }: DataFolder): Promise<UserPipe> {
  const draft = path.join(folder, `users-${process.pid}-${randomUUID()}`);
  const made = await runProgram('mkfifo', ['-m', '600', draft]);
  if (!made.ok) throw new Error(`no named pipe can be made there: ${made.output}`);
  changeOwner(draft, account);
  // Blocking opens of a pipe wait for the other end, hence the passing reader that waits for nothing.
  const opener = fs.openSync(draft, O_RDONLY | O_NONBLOCK);
  const user = fs.openSync(draft, O_WRONLY | O_NONBLOCK);
  const reader = fs.openSync(draft, O_RDONLY);
  fs.closeSync(opener);
  return {
    writeEnd: user,
    reader,
    publish: () => fs.renameSync(draft, pipeIn(folder)),
    discard: () => {
      fs.closeSync(user);
      fs.rmSync(draft, { force: true });
    },
  };
}

/**
 * Becomes a user of the running server; undefined when there is none, or it is stopping.
 * The watcher answers our greeting by creating a file of that name, so it has not met the end of the pipe.
 */
export async function registerUser(folder: string): Promise<number | undefined> {
  const user = openPipe(folder);
  if (user === undefined) return undefined;
  const greeting = `hello-${process.pid}-${randomUUID()}`;
  const answer = path.join(folder, greeting);
  fs.writeSync(user, `${greeting}\n`);
  for (let waited = 0; waited < 3000 && hasReader(user); waited += 5) {
    if (fs.existsSync(answer)) {
      fs.unlinkSync(answer);
      return user;
    }
    await sleep(5);
  }
  fs.closeSync(user);
  return undefined;
}

/** Whether the watcher, and so the server, is there: without a reader, writing to a pipe fails. */
export function hasReader(user: number): boolean {
  try {
    fs.writeSync(user, '\n');
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPIPE';
  }
}

/** Whether a watcher reads the pipe, responsive or not. */
export function hasWatcher(folder: string): boolean {
  const user = openPipe(folder);
  if (user !== undefined) fs.closeSync(user);
  return user !== undefined;
}

/**
 * Whether the server has users: reading a pipe without writers gives end of file. A greeting read by accident
 * is written back.
 */
export function hasUsers(folder: string): boolean {
  const reader = openEnd(folder, O_RDONLY);
  if (reader === undefined) return false;
  let read = '';
  try {
    const buffer = Buffer.alloc(4096);
    for (let length = 1; length > 0; read += buffer.toString('latin1', 0, length)) {
      length = fs.readSync(reader, buffer);
    }
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    if (read.trim()) putBack(folder, read);
    return true;
  } finally {
    fs.closeSync(reader);
  }
}

function putBack(folder: string, read: string): void {
  const writer = openPipe(folder);
  if (writer === undefined) return;
  fs.writeSync(writer, read);
  fs.closeSync(writer);
}

const openPipe = (folder: string): number | undefined => openEnd(folder, O_WRONLY);

/** Opens one end of the pipe, if there is one; to write, only while somebody reads it. */
function openEnd(folder: string, end: number): number | undefined {
  try {
    const fd = fs.openSync(pipeIn(folder), end | O_NONBLOCK);
    if (fs.fstatSync(fd).isFIFO()) return fd;
    fs.closeSync(fd); // a copy of the folder may have made a file of it
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENXIO') return undefined; // no pipe, or nobody reads it
    throw error;
  }
}
