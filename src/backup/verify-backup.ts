import path from 'node:path';
import { type FileContent, measureFile } from '../new-file.js';
import { FILES_AT_ONCE } from './copy-files.js';
import { eachAtOnce } from './each-at-once.js';
import { readFileList } from './file-list.js';
import { type BackupManifest, placeOf, readManifest } from './manifest.js';
import type { OnProgress } from './progress.js';

/** A file of a backup that is not as it was written. */
export interface DamagedFile {
  /** Within the folder. */
  file: string;
  problem: 'missing' | 'changed';
}

export interface Verification {
  manifest: BackupManifest;
  /** Files that were compared, and their bytes. */
  files: number;
  bytes: number;
  damaged: DamagedFile[];
}

/**
 * Compares every file of a backup with the hash that it had when it was written.
 *
 * @throws DomainError `invalid` where the folder holds no complete backup
 */
export async function verifyBackup(folder: string, onProgress: OnProgress): Promise<Verification> {
  const manifest = await readManifest(folder);
  const tables = Object.values(manifest.tables);
  const total =
    manifest.files.bytes + [manifest.files, ...tables].reduce((sum, one) => sum + one.sizeBytes, 0);
  const found: Verification = { manifest, files: 0, bytes: 0, damaged: [] };

  const compare = async (file: string, expected: FileContent) => {
    const problem = await compareFile(path.join(folder, file), expected);
    if (problem) found.damaged.push({ file, problem });
    found.files += 1;
    found.bytes += expected.sizeBytes;
    onProgress({ label: 'verifying', done: found.bytes, total });
  };
  await compare(manifest.files.file, manifest.files);
  await eachAtOnce(FILES_AT_ONCE, tables, (table) => compare(table.file, table));
  const isListDamaged = found.damaged.some(({ file }) => file === manifest.files.file);
  if (!isListDamaged) {
    await eachAtOnce(FILES_AT_ONCE, readFileList(folder), (file) => compare(placeOf(file.key), file));
  }
  return found;
}

async function compareFile(file: string, expected: FileContent): Promise<DamagedFile['problem'] | undefined> {
  try {
    const { sizeBytes, sha256 } = await measureFile(file);
    return sizeBytes === expected.sizeBytes && sha256 === expected.sha256 ? undefined : 'changed';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return 'missing';
  }
}
