import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { dataFolderMode, makeFolder, PRIVATE } from './folders.js';
import { isProcessAlive } from './is-process-alive.js';
import { DEFAULT_NAME } from './name.js';
import { type Account, runProgram } from './run-program.js';

/** Used when root's data folder is not accessible for the server's account. */
export const systemFolder = (name: string): string => path.join('/var/lib', name);

export interface DataFolder {
  folder: string;
  account: Account;
  /** Of the program that the database belongs to. */
  name: string;
}

/**
 * Makes the folder `<parent>/postgres` and decides which account runs the server in it.
 * PostgreSQL refuses to run as root, so root hands both over to the folder's owner, `postgres` or `nobody`.
 */
export async function prepareDataFolder(parent: string, name: string): Promise<DataFolder> {
  const wanted = path.resolve(parent);
  await makeFolder(wanted, dataFolderMode());
  if (process.getuid?.() !== 0) return { folder: makeDatabaseFolder(wanted), account: undefined, name };

  const account = ownerOf(path.join(wanted, 'postgres')) ?? (await findAccount());
  const reachable = (await runProgram('/bin/sh', ['-c', 'cd "$0"', wanted], account)).ok;
  if (reachable) return { folder: makeDatabaseFolder(wanted, account), account, name };

  // For instance below /root: only root may enter there.
  const instead = insteadOf(wanted, name);
  await makeFolder(instead, dataFolderMode());
  return { folder: makeDatabaseFolder(instead, account), account, name };
}

/**
 * Where the database of a folder is, as far as there is one; it may be another user's. Nothing is made.
 *
 * @param parent the folder that `startPostgres` is given, and its `name`
 */
export function findDatabaseFolder(
  parent: string,
  { name = DEFAULT_NAME }: { name?: string } = {},
): string | undefined {
  const wanted = path.resolve(parent);
  const places = [wanted, insteadOf(wanted, name)].map((place) => path.join(place, 'postgres'));
  return places.find((folder) => fs.existsSync(path.join(folder, 'cluster')) || isClosed(folder));
}

/** Whether something is there that this user may not look into. */
function isClosed(folder: string): boolean {
  try {
    fs.readdirSync(folder);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

function insteadOf(wanted: string, name: string): string {
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 8);
  return path.join(systemFolder(name), `data-${hash}`);
}

/** Removes temporary folders of dead processes; their names contain the process id. */
export function removeLeftovers(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    const pid = /^(?:initdb|copy|users|hello|lock)-(\d+)-/.exec(name)?.[1];
    if (!pid || isProcessAlive(Number(pid))) continue;
    // Files of an orphaned initdb are removed next time.
    fs.rm(path.join(folder, name), { recursive: true, force: true }, () => {});
  }
}

/** Changes a file's owner to the server's account. */
export function changeOwner(file: string, account: Account): void {
  if (account) fs.chownSync(file, account.uid, account.gid);
}

function makeDatabaseFolder(parent: string, account?: Account): string {
  const folder = path.join(parent, 'postgres');
  if (!fs.existsSync(folder)) fs.mkdirSync(folder, { mode: PRIVATE });
  changeOwner(folder, account);
  fs.accessSync(folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
  return folder;
}

function ownerOf(folder: string): Account {
  const { uid, gid } = fs.statSync(folder, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 };
  return uid === 0 ? undefined : { uid, gid };
}

async function findAccount(): Promise<Account> {
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = await Promise.all([runProgram('id', ['-u', name]), runProgram('id', ['-g', name])]);
    if (uid.ok && gid.ok) return { uid: Number(uid.output), gid: Number(gid.output) };
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as',
  );
}
