import type { BackupManifest } from '../../backup/manifest.js';
import { countOf, formatBytes } from '../shared/format.js';

/** What a backup holds: "1,204 rows and 3 files (2.1 MiB)". */
export function describeContents({ tables, files }: BackupManifest): string {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  return `${countOf(rows, 'row')} and ${countOf(files.count, 'file')} (${formatBytes(sizeOf({ tables, files }))})`;
}

/** In the folder. */
const sizeOf = ({ tables, files }: Pick<BackupManifest, 'tables' | 'files'>): number =>
  files.bytes + [files, ...Object.values(tables)].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
