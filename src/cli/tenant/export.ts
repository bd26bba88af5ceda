import path from 'node:path';
import { migrationNames } from '../../../db/migration-record.js';
import { version } from '../../config/version.js';
import { DomainError } from '../../errors/errors.js';
import { countTenant } from '../../services/tenants/delete-tenant.js';
import { type ExportManifest, exportTenant } from '../../services/tenants/export-tenant.js';
import { UsageError } from '../run-command.js';
import { countOf, formatFields } from '../shared/format.js';
import { print, printError } from '../shared/print.js';
import { createProgress } from '../shared/progress.js';
import { describeMissing } from './missing-files.js';
import { runTenantCommand } from './run-tenant-command.js';

export const run = (args: string[]) =>
  runTenantCommand(
    args,
    `Writes everything of a tenant into a folder: the rows of each table as lines of JSON, and its files.

Usage: lectern tenant export <tenant> --to <folder> [--json]

${formatFields([
  ['--to', 'a folder that is new or empty'],
  ['--json', 'prints the manifest'],
])}
The rows are those of one moment. manifest.json comes last, with counts and SHA-256 hashes; files.ndjson lists the
files. Secrets are left out, as the manifest says. Exits with 1 if the storage lacks a file.`,
    { options: { to: { type: 'string' }, json: { type: 'boolean' } } },
    ({ values }, tenantId) => {
      if (!values.to) throw new UsageError('Say where to, with --to.');
      const folder = path.resolve(values.to);
      return async ({ db, storage }) => {
        if ((await countTenant(db, tenantId)).rows === 0) {
          throw new DomainError('not_found', `There is no tenant ${tenantId}.`);
        }
        const progress = createProgress({ out: process.stderr });
        const manifest = await exportTenant({
          db,
          storage,
          tenantId,
          folder,
          versions: { lectern: version, migration: migrationNames().at(-1) ?? '' },
          clock: () => new Date(),
          onProgress: ({ what, done, total }) =>
            progress.update({ label: `${what}s`, done, total, unit: what }),
        }).finally(progress.end);
        const text = describeExport(manifest, folder);
        print(values.json ? `${JSON.stringify(manifest, null, 2)}\n` : text);
        if (manifest.missingFiles.length > 0) {
          printError(`${describeMissing(manifest.missingFiles.length, storage)}\n`);
        }
        return manifest.missingFiles.length > 0 ? 1 : 0;
      };
    },
  );

function describeExport({ tenantId, tables, files, missingFiles }: ExportManifest, folder: string): string {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const missing =
    missingFiles.length > 0
      ? `The storage lacks ${countOf(missingFiles.length, 'file')}: see missingFiles in manifest.json.\n`
      : '';
  return `${countOf(rows, 'row')} and ${countOf(files.count, 'file')} of the tenant ${tenantId} are in ${folder}.\n${missing}`;
}
