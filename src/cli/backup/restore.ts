import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readManifest } from '../../backup/manifest.js';
import { type RestoreReport, restoreBackup } from '../../backup/restore-backup.js';
import { version } from '../../config/version.js';
import { runCommand } from '../run-command.js';
import { openCommandStorage } from '../shared/command-storage.js';
import { countOf, formatFields, JSON_OPTION } from '../shared/format.js';
import { print, printError } from '../shared/print.js';
import { createProgress } from '../shared/progress.js';
import { withDatabase } from '../shared/with-database.js';
import { describeContents } from './describe-backup.js';
import { nameMissing } from './describe-missing.js';
import { readFolder } from './read-folder.js';

export const run = (args: string[]) =>
  runCommand(
    args,
    `Restores a backup into an empty database, and its files into the storage.

Usage: lectern restore <folder> [--erasures-from <place>] [--disable-webhooks] [--into-used-storage] [--json]

${formatFields([
  [
    '--erasures-from',
    'a storage with records of later erasures of users, a folder or URL, besides that of STORAGE_URL',
  ],
  ['--disable-webhooks', 'disables all webhooks, for a copy that runs beside the original'],
  [
    '--into-used-storage',
    'allows a storage with files that are not in the backup; servers remove them after a day',
  ],
  JSON_OPTION,
])}
Uses the database of DATABASE_URL, or a new embedded one in DATA_DIR; the files go to STORAGE_URL. Verifies all hashes first.
If it is interrupted, run it again; until it has finished, no server starts on the database.`,
    async ({ values, positionals }) => {
      const folder = readFolder(positionals);
      // Before an embedded database is made.
      await readManifest(folder);
      const report = await restore(folder, {
        disableWebhooks: values['disable-webhooks'] ?? false,
        intoUsedStorage: values['into-used-storage'] ?? false,
        erasuresFrom: values['erasures-from'],
      });
      print(values.json ? `${JSON.stringify(toJson(report), null, 2)}\n` : describe(report));
      // A request that nobody waits for any more would keep the process.
      process.exit(0);
    },
    {
      options: {
        'disable-webhooks': { type: 'boolean' },
        'into-used-storage': { type: 'boolean' },
        'erasures-from': { type: 'string' },
        json: { type: 'boolean' },
      },
      allowPositionals: true,
    },
  );

interface Choices {
  disableWebhooks: boolean;
  intoUsedStorage: boolean;
  erasuresFrom: string | undefined;
}

const restore = (folder: string, { erasuresFrom, ...choices }: Choices) =>
  withDatabase({ connections: 2, mayMake: true }, async ({ config, url }) => {
    const progress = createProgress({ out: process.stderr });
    const storage = openCommandStorage(config);
    const given = {
      url,
      storage,
      erasuresFrom: erasuresFrom === undefined ? undefined : openCommandStorage(config, toUrl(erasuresFrom)),
      folder,
      version,
      onProgress: progress.update,
    };
    const report = await restoreBackup({ ...choices, ...given }).finally(progress.end);
    printError(`Files into ${storage.location}\n`);
    return report;
  });

/** A folder is given as people write it. */
const toUrl = (place: string): string =>
  /^(s3|gs|file):/.test(place) ? place : pathToFileURL(path.resolve(place)).href;

const toJson = ({ manifest, ...report }: RestoreReport) => ({
  time: manifest.time,
  rows: Object.values(manifest.tables).reduce((sum, { rows }) => sum + rows, 0),
  files: manifest.files.count,
  missingFiles: manifest.missingFiles,
  ...report,
});

function describe({ manifest, appliedMigrations, skippedTables, repeatedErasures }: RestoreReport): string {
  const missing = manifest.missingFiles.length;
  return [
    `The state of ${manifest.time} is restored: ${describeContents(manifest)}.`,
    ...(appliedMigrations.length > 0 ? [`Migrated to this version: ${appliedMigrations.join(', ')}.`] : []),
    ...(skippedTables.length > 0
      ? [`Not restored, as they are no tables of Lectern: ${skippedTables.join(', ')}.`]
      : []),
    ...(missing > 0
      ? [
          `Not restored, as the storage lacked them when the backup was made: ${countOf(missing, 'file')}. Upload their documents again.`,
          ...nameMissing(manifest),
        ]
      : []),
    ...(repeatedErasures > 0
      ? [`The next server erases users again: ${countOf(repeatedErasures, 'later erasure')}.`]
      : []),
    'Revoke API keys again that were revoked since. People sign in again. A search server is filled again when a server starts.',
    '',
  ].join('\n');
}
