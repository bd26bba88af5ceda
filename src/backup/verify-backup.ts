import { createGunzip } from 'node:zlib';
import { FILE_COLUMN } from '../../db/catalog.js';
import { DomainError } from '../errors/errors.js';
import { type FileContent, measureContent } from '../local-files/new-file.js';
import { FILES_AT_ONCE } from './copy-files.js';
import { eachAtOnce } from './each-at-once.js';
import { readFileList } from './file-list.js';
import { type BackupManifest, placeOf, readManifest } from './manifest.js';
import { openFile } from './open-file.js';
import type { OnProgress } from './progress.js';
import { findWrongKey } from './scan-file-keys.js';

/** A file of a backup that is not as it was written, or not as Lectern writes it. */
export interface DamagedFile {
  /** Within the folder. */
  file: string;
  problem: 'missing' | 'changed' | 'no regular file' | 'no rows' | `wrong file key in row ${number}`;
}

export interface Verification {
  manifest: BackupManifest;
  /** Files that were compared, and their bytes. */
  files: number;
  bytes: number;
  damaged: DamagedFile[];
}

/**
 * Compares every file of a backup with the hash that it had when it was written, and checks what rows name as files: whoever
 * can write to the folder can make the hashes anew.
 *
 * @throws DomainError `invalid` where the folder holds no complete backup
 */
export async function verifyBackup(folder: string, onProgress: OnProgress): Promise<Verification> {
  const manifest = await readManifest(folder);
  const tables = Object.values(manifest.tables);
  const total =
    manifest.files.bytes + [manifest.files, ...tables].reduce((sum, one) => sum + one.sizeBytes, 0);
  const found: Verification = { manifest, files: 0, bytes: 0, damaged: [] };

  const compare = async (file: string, expected: FileContent, further?: () => Promise<Problem>) => {
    const problem = (await compareFile(folder, file, expected)) ?? (await further?.());
    if (problem) found.damaged.push({ file, problem });
    found.files += 1;
    found.bytes += expected.sizeBytes;
    onProgress({ label: 'verifying', done: found.bytes, total });
  };
  await compare(manifest.files.file, manifest.files);
  await eachAtOnce(FILES_AT_ONCE, tables, (table) =>
    compare(table.file, table, () => checkKeys(folder, table)),
  );
  const list = manifest.files;
  if (found.damaged.some(({ file }) => file === list.file)) return found;
  let listed = 0;
  await eachAtOnce(FILES_AT_ONCE, readFileList(folder), (file) => {
    listed += 1;
    return compare(placeOf(file.key), file);
  });
  if (listed !== list.count) found.damaged.push({ file: list.file, problem: 'changed' });
  return found;
}

type Problem = DamagedFile['problem'] | undefined;

async function compareFile(folder: string, file: string, expected: FileContent): Promise<Problem> {
  try {
    const { sizeBytes, bytes } = await openFile(folder, file);
    if (sizeBytes !== expected.sizeBytes) {
      bytes.destroy();
      return 'changed';
    }
    return (await measureContent(bytes)).sha256 === expected.sha256 ? undefined : 'changed';
  } catch (error) {
    if (error instanceof DomainError) return 'no regular file';
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return 'missing';
  }
}

/** What no hash tells: rows could name a file outside of the storage. */
async function checkKeys(
  folder: string,
  { file, columns }: BackupManifest['tables'][string],
): Promise<Problem> {
  const place = columns.indexOf(FILE_COLUMN);
  if (place < 0) return undefined;
  const { bytes } = await openFile(folder, file);
  const rows = bytes.pipe(createGunzip());
  bytes.once('error', (error) => rows.destroy(error));
  try {
    const row = await findWrongKey(rows, { place, columns: columns.length });
    return row === undefined ? undefined : `wrong file key in row ${row}`;
  } catch {
    return 'no rows';
  } finally {
    bytes.destroy();
  }
}
