import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { MANIFEST, readManifest } from './manifest.js';

const DAY_MS = 86_400_000;
/** 2026-11-23T041500.000Z */
const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z$/;

/** The name of a backup that is begun at that time; names are in the order of times. */
export const nameOf = (time: Date): string => time.toISOString().replaceAll(':', '');

/**
 * Removes what has such a name and was begun a day ago and never completed: the room that it takes may be what the next
 * backup lacks. Nothing else in the folder is touched, which need not be there.
 *
 * @returns the names of those that were removed
 */
export async function removeAbandoned(folder: string, now: Date): Promise<string[]> {
  const names = existsSync(folder) ? await readNames(folder) : [];
  const abandoned = names.filter(
    (name) => !isComplete(folder, name) && now.getTime() - timeOf(name) > DAY_MS,
  );
  await removeAll(folder, abandoned);
  return abandoned;
}

/**
 * Removes backups that have such names and are older than the last `keep` whole ones. One that lacks files never takes the
 * place of a whole one. Nothing else in the folder is touched.
 *
 * @returns the names of those that were removed
 */
export async function removeOldBackups(folder: string, keep: number): Promise<string[]> {
  const complete = (await readNames(folder)).filter((name) => isComplete(folder, name));
  let whole = 0;
  for (let i = complete.length - 1; i >= 0; i--) {
    if (await isWhole(path.join(folder, complete[i] as string))) whole += 1;
    if (whole < keep) continue;
    const old = complete.slice(0, i);
    await removeAll(folder, old);
    return old;
  }
  return [];
}

const readNames = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => NAME.test(name)).sort();

const isComplete = (folder: string, name: string): boolean => existsSync(path.join(folder, name, MANIFEST));

/** Whether all files are in it that rows name, as far as its manifest can be read. */
const isWhole = (folder: string): Promise<boolean> =>
  readManifest(folder).then(
    ({ missingFiles }) => missingFiles.length === 0,
    () => false,
  );

async function removeAll(folder: string, names: string[]): Promise<void> {
  for (const name of names) {
    // It is no backup any more, whatever interrupts the rest.
    await rm(path.join(folder, name, MANIFEST), { force: true });
    await rm(path.join(folder, name), { recursive: true });
  }
}

const timeOf = (name: string): number => Date.parse(name.replace(NAME, '$1T$2:$3:$4Z'));
