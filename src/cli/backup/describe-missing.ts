import type { BackupManifest } from '../../backup/manifest.js';
import { formatCount } from '../shared/format.js';

/** The manifest has all. */
const MOST_NAMES = 20;

/** Lines with the names of the files that the storage lacked when the backup was made. */
export function nameMissing({ missingFiles }: BackupManifest): string[] {
  const further = missingFiles.length - MOST_NAMES;
  return [
    ...missingFiles.slice(0, MOST_NAMES).map((key) => `  ${key}`),
    ...(further > 0 ? [`  and ${formatCount(further)} more: see missingFiles in manifest.json`] : []),
  ];
}
