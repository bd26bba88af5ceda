import path from 'node:path';
import { createBackup } from '../../backup/create-backup.js';
import type { BackupManifest } from '../../backup/manifest.js';
import { recordBackup } from '../../backup/record-backup.js';
import { nameOf, removeAbandoned, removeOldBackups } from '../../backup/rotation.js';
import { version } from '../../config/version.js';
import { runCommand, UsageError } from '../run-command.js';
import { openCommandStorage } from '../shared/command-storage.js';
import { countOf, formatFields, JSON_OPTION } from '../shared/format.js';
import { print, printError } from '../shared/print.js';
import { createProgress } from '../shared/progress.js';
import { withDatabase } from '../shared/with-database.js';
import { describeContents } from './describe-backup.js';

export const run = (args: string[]) =>
  runCommand(
    args,
    `Writes the database and the uploaded files into a folder, as they were at one moment. Servers may be running.

Usage: lectern backup --to <folder> [--json]
       lectern backup --into <folder> [--keep <number>] [--json]
       lectern backup verify <folder>

${formatFields([
  ['--to', 'a folder that is new or empty'],
  ['--into', 'a folder of backups; adds one whose name is the time, such as 2026-11-23T041500.000Z'],
  [
    '--keep',
    'afterwards removes all backups older than the newest <number> that lack no file;\nremoves none if the new backup lacks files',
  ],
  JSON_OPTION,
])}
Uses the database of DATABASE_URL, or the embedded one in DATA_DIR; the files are those of STORAGE_URL.
manifest.json comes last, with counts and SHA-256 hashes: a folder without it is not complete. The folder holds hashes
of API keys and secrets of webhooks, and only its owner can read it. Exits with 1 if the storage lacks a file. A backup that
fails leaves nothing in the folder; with --keep, the remains of killed backups are removed after a day.`,
    async ({ values }) => {
      const folder = readTarget(values);
      const keep = readKeep(values);
      const parent = path.dirname(folder);
      if (keep !== undefined) printRemoved(parent, await removeAbandoned(parent, new Date()));
      const manifest = await backUp(folder);
      print(values.json ? `${JSON.stringify(manifest, null, 2)}\n` : describe(manifest, folder));
      if (keep !== undefined) await rotate(parent, keep, manifest);
      // A request that nobody waits for any more would keep the process.
      process.exit(manifest.missingFiles.length > 0 ? 1 : 0);
    },
    {
      options: {
        to: { type: 'string' },
        into: { type: 'string' },
        keep: { type: 'string' },
        json: { type: 'boolean' },
      },
    },
  );

interface Values {
  to?: string | undefined;
  into?: string | undefined;
  keep?: string | undefined;
}

function readTarget({ to, into }: Values): string {
  if (to && into) throw new UsageError('Say where to with one of --to and --into, not with both.');
  if (to) return path.resolve(to);
  if (into) return path.resolve(into, nameOf(new Date()));
  throw new UsageError('Say where to, with --to or --into.');
}

function readKeep({ into, keep }: Values): number | undefined {
  if (keep === undefined) return undefined;
  if (!into || !/^[1-9]\d{0,5}$/.test(keep)) throw new UsageError('--keep is a number from 1, with --into.');
  return Number(keep);
}

const backUp = (folder: string): Promise<BackupManifest> =>
  withDatabase({ connections: 2 }, async ({ config, db, url, log }) => {
    const progress = createProgress({ out: process.stderr });
    const storage = openCommandStorage(config);
    const backup = createBackup({ db, url, storage, folder, version, onProgress: progress.update });
    const manifest = await backup.finally(progress.end);
    if (manifest.missingFiles.length === 0) {
      await recordBackup(db, new Date(manifest.time)).catch((error) =>
        log.warn({ err: error }, 'the backup is complete, but its time could not be recorded'),
      );
    }
    printError(`Files from ${storage.location}\n`);
    return manifest;
  });

async function rotate(folder: string, keep: number, { missingFiles }: BackupManifest): Promise<void> {
  if (missingFiles.length === 0) {
    printRemoved(folder, await removeOldBackups(folder, keep));
    return;
  }
  printError(
    'Older backups were kept, because this one lacks files: check that the storage above is the right one and is mounted. Where the files are lost for good, delete their documents, and back up again.\n',
  );
}

function printRemoved(folder: string, names: string[]): void {
  for (const name of names) printError(`Removed ${path.join(folder, name)}\n`);
}

function describe(manifest: BackupManifest, folder: string): string {
  const missing = manifest.missingFiles.length;
  const lines = [`${describeContents(manifest)} are in ${folder}.`];
  if (missing > 0) {
    lines.push(`The storage lacks ${countOf(missing, 'file')}: see missingFiles in manifest.json.`);
  }
  return `${lines.join('\n')}\n`;
}
