import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { MANIFEST } from './manifest.js';

const DAY_MS = 86_400_000;
/** 2026-11-23T041500.000Z */
const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z$/;

/** The name of a backup that is begun at that time; names are in the order of times. */
export const nameOf = (time: Date): string => time.toISOString().replaceAll(':', '');

/**
 * Removes the oldest complete backups that have such names, and those that were begun a day ago and never completed. Nothing
 * else in the folder is touched.
 *
 * @returns the names of those that were removed
 */
export async function removeOldBackups(
  folder: string,
  { keep, now }: { keep: number; now: Date },
): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  const isComplete = (name: string) => existsSync(path.join(folder, name, MANIFEST));
  const abandoned = names.filter((name) => !isComplete(name) && now.getTime() - timeOf(name) > DAY_MS);
  const old = names.filter(isComplete).slice(0, -keep);
  for (const name of [...abandoned, ...old]) {
    // It is no backup any more, whatever interrupts the rest.
    await rm(path.join(folder, name, MANIFEST), { force: true });
    await rm(path.join(folder, name), { recursive: true });
  }
  return [...abandoned, ...old].sort();
}

const timeOf = (name: string): number => Date.parse(name.replace(NAME, '$1T$2:$3:$4Z'));
