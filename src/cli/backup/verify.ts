import type { BackupManifest } from '../../backup/manifest.js';
import { type Verification, verifyBackup } from '../../backup/verify-backup.js';
import { runCommand } from '../run-command.js';
import { countOf, formatFields, formatTable, JSON_OPTION } from '../shared/format.js';
import { print } from '../shared/print.js';
import { createProgress } from '../shared/progress.js';
import { describeContents } from './describe-backup.js';
import { nameMissing } from './describe-missing.js';
import { readFolder } from './read-folder.js';

export const run = (args: string[]) =>
  runCommand(
    args,
    `Compares every file of a backup with the hash from when it was written. Needs no database.

Usage: lectern backup verify <folder> [--json]

${formatFields([JSON_OPTION])}
Exits with 1 if a file is missing or has changed, the storage lacked a file, or the backup is not complete.`,
    async ({ values, positionals }) => {
      const folder = readFolder(positionals);
      const progress = createProgress({ out: process.stderr });
      const found = await verifyBackup(folder, progress.update).finally(progress.end);
      print(values.json ? `${JSON.stringify(toJson(found), null, 2)}\n` : describe(found));
      const isWhole = found.damaged.length === 0 && found.manifest.missingFiles.length === 0;
      process.exitCode = isWhole ? 0 : 1;
    },
    { options: { json: { type: 'boolean' } }, allowPositionals: true },
  );

const toJson = ({ manifest, ...found }: Verification) => ({
  time: manifest.time,
  versions: manifest.versions,
  ...found,
  missingFiles: manifest.missingFiles,
});

function describe({ manifest, damaged }: Verification): string {
  const isWhole = manifest.missingFiles.length === 0;
  const state = isWhole ? 'is intact' : 'is as it was written, but not whole';
  const summary = `The backup of ${manifest.time} ${state}: ${describeContents(manifest)}, version ${manifest.versions.lectern}.\n`;
  const table = formatTable(
    ['file', 'problem'],
    damaged.map(({ file, problem }) => [file, problem]),
  );
  return `${damaged.length > 0 ? table : summary}${isWhole ? '' : describeMissing(manifest)}`;
}

function describeMissing(manifest: BackupManifest): string {
  const count = countOf(manifest.missingFiles.length, 'file');
  const lines = [`The storage lacked ${count} when the backup was made:`, ...nameMissing(manifest)];
  return `${lines.join('\n')}\n`;
}
