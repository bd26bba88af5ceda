import { type Verification, verifyBackup } from '../../../backup/verify-backup.js';
import { describeContents } from '../../backup/describe-backup.js';
import { readFolder } from '../../backup/read-folder.js';
import { formatFields, formatTable, JSON_OPTION } from '../../format.js';
import { createProgress } from '../../progress.js';
import { runCommand } from '../../run-command.js';

export const run = (args: string[]) =>
  runCommand(
    args,
    `Compares every file of a backup with the hash that it had when it was written. Needs no database.

Usage: lectern backup verify <folder> [--json]

${formatFields([JSON_OPTION])}
Ends with 1 where a file is missing or has changed, or the backup is not complete.`,
    async ({ values, positionals }) => {
      const folder = readFolder(positionals);
      const progress = createProgress({ out: process.stderr });
      const found = await verifyBackup(folder, progress.update).finally(progress.end);
      process.stdout.write(values.json ? `${JSON.stringify(toJson(found), null, 2)}\n` : describe(found));
      process.exitCode = found.damaged.length > 0 ? 1 : 0;
    },
    { options: { json: { type: 'boolean' } }, allowPositionals: true },
  );

const toJson = ({ manifest, ...found }: Verification) => ({
  time: manifest.time,
  versions: manifest.versions,
  ...found,
});

function describe({ manifest, damaged }: Verification): string {
  if (damaged.length > 0) {
    return formatTable(
      ['file', 'problem'],
      damaged.map(({ file, problem }) => [file, problem]),
    );
  }
  return `The backup of ${manifest.time} is intact: ${describeContents(manifest)}, version ${manifest.versions.lectern}.\n`;
}
